-- Somebody who holds the house's key sent one transaction by hand, and payouts stood still for good. They stand still until two people have accounted for it
-- by its hash. The signer reads the decision and verifies the votes and the transaction for itself.
CREATE TABLE withdrawals.foreign_transaction (
  chain text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  approval uuid NOT NULL UNIQUE,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, nonce)
);
-- What all payouts of a chain wait for, as the signer says. It is shown to people and decides nothing.
CREATE TABLE withdrawals.standstill (
  chain text PRIMARY KEY,
  reason text NOT NULL CHECK (reason IN ('foreign_transaction', 'gas')),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The last nonce that the wallet used for us. A foreign transaction comes after all that is accounted for.
CREATE OR REPLACE FUNCTION withdrawals.last_nonce(_chain text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT greatest((SELECT max(nonce) FROM withdrawals.payout WHERE chain = _chain), (SELECT max(nonce) FROM withdrawals.sending WHERE chain = _chain AND kind = 'gas'),
    (SELECT max(nonce) FROM withdrawals.foreign_transaction WHERE chain = _chain))
$$;

CREATE FUNCTION withdrawals.check_foreign() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  IF NEW.nonce <> withdrawals.last_nonce(NEW.chain) + 1 THEN
    RAISE EXCEPTION 'nonce % is not the next one', NEW.nonce USING ERRCODE = 'WD005';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
    WHERE a.id = NEW.approval AND a.kind = 'payout_foreign' AND a.subject = NEW.hash AND a.status = 'approved'
      AND (a.content::jsonb ->> 'chain', a.content::jsonb ->> 'hash', a.content::jsonb ->> 'nonce') = (NEW.chain, NEW.hash, NEW.nonce::text)) THEN
    RAISE EXCEPTION 'nobody has accounted for %', NEW.hash USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_foreign BEFORE INSERT ON withdrawals.foreign_transaction FOR EACH ROW EXECUTE FUNCTION withdrawals.check_foreign();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON withdrawals.foreign_transaction FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON withdrawals.foreign_transaction FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change();

-- Those that no transaction of ours has followed yet: the signer verifies each before it goes on.
CREATE VIEW withdrawals.foreign_newest AS
  SELECT f.chain, f.nonce, f.hash FROM withdrawals.foreign_transaction f
  WHERE f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.payout p WHERE p.chain = f.chain), -1)
    AND f.nonce > coalesce((SELECT max(nonce) FROM withdrawals.sending s WHERE s.chain = f.chain AND s.kind = 'gas'), -1);

CREATE OR REPLACE VIEW withdrawals.agreed AS
  SELECT a.subject, a.kind, a.content, v.operator FROM operators.approval a JOIN operators.vote v ON v.approval = a.id
  WHERE a.kind IN ('withdrawal', 'payout_release', 'payout_foreign', 'deposit_recovery') AND a.status = 'approved' AND v.decision = 'approve'
  UNION
  SELECT a.subject, a.kind, a.content, a.made_by FROM operators.approval a
  WHERE a.kind IN ('deposit_recovery', 'payout_foreign') AND a.status = 'approved' AND a.made_by IS NOT NULL;

-- Payouts that the signer should sign, and since when.
CREATE VIEW withdrawals.unsigned AS
  SELECT w.id, t.at AS since FROM withdrawals.withdrawal w JOIN ledger.transfer t ON t.resolves = w.hold AND t.kind = 'p'
  WHERE w.step = 'approved' AND w.kind = 'crypto' AND w.receiver IS NULL;

REVOKE ALL ON FUNCTION withdrawals.check_foreign FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.last_nonce TO sathorn_app;
GRANT SELECT ON withdrawals.foreign_transaction, withdrawals.standstill TO sathorn_app, sathorn_checker;
GRANT SELECT ON withdrawals.foreign_newest TO sathorn_signer, sathorn_checker;
GRANT SELECT ON withdrawals.unsigned TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, nonce, hash, approval) ON withdrawals.foreign_transaction TO sathorn_app;
GRANT INSERT (chain, reason), UPDATE (reason, since), DELETE ON withdrawals.standstill TO sathorn_app;
