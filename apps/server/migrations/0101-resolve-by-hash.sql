-- ledger.resolve forbids hash joins for the purposes that it looks at, and what it calls has to join by hashing: without it a batch of
-- settlements compared each row with all others.
ALTER FUNCTION ledger.write_resolutions SET enable_hashjoin = on;
