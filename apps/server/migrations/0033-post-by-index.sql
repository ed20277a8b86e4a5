-- A plan that was made while there were few accounts merged the whole index of them with a batch: each batch cost as much as there were accounts.
ALTER FUNCTION ledger.post SET enable_hashjoin = off;
ALTER FUNCTION ledger.post SET enable_mergejoin = off;
