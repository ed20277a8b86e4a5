-- A credit of a deposit on a chain carries a seal of the watcher, which read the transfer there. Whoever had the
-- application's login could call a customer's deposit on its way a transfer of another coin, and credit its amount to
-- somebody else: the sums of the chain were right. Credits that two people decided need none, and those from before this
-- migration have none.
ALTER TABLE deposits.deposit ADD COLUMN credit_seal uuid;
GRANT UPDATE (credit_seal) ON deposits.deposit TO sathorn_app;

CREATE FUNCTION deposits.refuse_unsealed_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'deposit %: a credit without the watcher’s seal, or with another', NEW.id USING ERRCODE = 'DP006';
END $$;
REVOKE ALL ON FUNCTION deposits.refuse_unsealed_credit FROM PUBLIC;
CREATE TRIGGER sealed_credit BEFORE UPDATE ON deposits.deposit FOR EACH ROW
  WHEN (NEW.kind = 'crypto' AND NEW.step = 'credited' AND CASE OLD.step WHEN 'credited' THEN NEW.credit_seal IS DISTINCT FROM OLD.credit_seal
    WHEN 'recovering' THEN false ELSE NEW.credit_seal IS NULL END)
  EXECUTE FUNCTION deposits.refuse_unsealed_credit();

DROP FUNCTION deposits.credit;
-- Writes a credit's row in the ledger's transaction. It raises if the deposit differs from what was decided, so that
-- nothing is committed.
CREATE FUNCTION deposits.credit(_id uuid, _block_hash text, _journal uuid, _line uuid, _at timestamptz, _seal uuid) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, finished_at = _at, reason = NULL, version = version + 1,
    credit_seal = _seal
  WHERE id = _id AND step IN ('confirming', 'in_review', 'awaiting_slip') AND block_hash IS NOT DISTINCT FROM _block_hash;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be credited', _id USING ERRCODE = 'DP002'; END IF;
END $$;
REVOKE ALL ON FUNCTION deposits.credit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.credit TO sathorn_app;
