-- A copy of the database is older than the chain. Restored, the platform paid again what the copy did not know as paid. From the moment of the restoration
-- until two people have reconciled it with the chain nothing leaves, whatever the application does.
CREATE TABLE proofs.reconciliation (
  restoration bigint PRIMARY KEY REFERENCES proofs.restoration,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at timestamptz,
  approval uuid UNIQUE,
  CHECK (num_nonnulls(closed_at, approval) IN (0, 2))
);
CREATE UNIQUE INDEX reconciliation_open ON proofs.reconciliation ((true)) WHERE closed_at IS NULL;

-- Whoever records a restoration opens it, so that no tool can forget to. One that is restored again while it is open stays open.
CREATE FUNCTION proofs.open_reconciliation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = proofs, pg_temp AS $$
BEGIN
  INSERT INTO reconciliation (restoration) SELECT NEW.id WHERE NOT EXISTS (SELECT FROM reconciliation WHERE closed_at IS NULL);
  UPDATE reconciliation SET since = clock_timestamp() WHERE closed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER open_reconciliation AFTER INSERT ON proofs.restoration FOR EACH ROW EXECUTE FUNCTION proofs.open_reconciliation();

CREATE FUNCTION withdrawals.unreconciled_since() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT since FROM proofs.reconciliation WHERE closed_at IS NULL
$$;

CREATE FUNCTION withdrawals.refuse_unreconciled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF withdrawals.unreconciled_since() IS NOT NULL THEN
    RAISE EXCEPTION 'restored and not yet reconciled: % on %.% waits', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'RS001';
  END IF;
  RETURN NEW;
END $$;
-- Their names come first in the alphabet, so they are asked before the others.
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.payout FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.outbox FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.sending FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON withdrawals.sending_attempt FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE INSERT ON chain.address FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_unreconciled();
-- What was approved in the lost time may be approved a second time: nobody releases, nothing is paid inside or handed to the bank.
CREATE TRIGGER after_restoration BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW
  WHEN (NEW.step <> OLD.step AND (NEW.step = 'approved' OR (NEW.step = 'done' AND NEW.receiver IS NOT NULL) OR (NEW.step = 'sending' AND OLD.step = 'approved')))
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE UPDATE ON operators.approval FOR EACH ROW
  WHEN (NEW.status = 'approved' AND OLD.status <> 'approved' AND NEW.kind IN ('withdrawal', 'payout_release'))
  EXECUTE FUNCTION withdrawals.refuse_unreconciled();
CREATE TRIGGER after_restoration BEFORE UPDATE ON corrections.correction FOR EACH ROW
  WHEN (NEW.step = 'done' AND OLD.step <> 'done') EXECUTE FUNCTION withdrawals.refuse_unreconciled();

-- A correction may repay what the lost time has repaid already.
CREATE FUNCTION corrections.may_post() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT withdrawals.unreconciled_since() IS NULL
$$;

-- As before. What may have been decided in the lost time is not decided again before the chain was read.
CREATE OR REPLACE FUNCTION operators.refuse_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  o operators.operator;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval;
  SELECT * INTO o FROM operators.operator WHERE id = _operator AND removed_at IS NULL AND frozen_at IS NULL;
  IF a.id IS NULL THEN RETURN 'approval_unknown'; END IF;
  IF o.id IS NULL OR NOT o.roles && a.roles THEN RETURN 'role_missing'; END IF;
  IF NOT EXISTS (SELECT FROM operators.session s WHERE s.id = _session AND s.operator = _operator AND s.ended_at IS NULL) THEN RETURN 'role_missing'; END IF;
  IF a.made_by = _operator THEN RETURN 'maker_cannot_check'; END IF;
  IF o.customer = ANY (a.about) OR (a.kind LIKE 'operator\_%' AND a.subject = _operator::text) THEN RETURN 'conflict_of_interest'; END IF;
  IF a.kind = 'correction' AND _operator = ANY (corrections.people_of((a.content::jsonb ->> 'transfer')::bigint)) THEN RETURN 'conflict_of_interest'; END IF;
  IF EXISTS (SELECT FROM operators.vote v WHERE v.approval = _approval AND v.operator = _operator) THEN RETURN 'already_voted'; END IF;
  IF a.status <> 'waiting' THEN RETURN 'already_decided'; END IF;
  IF a.expires_at <= clock_timestamp() THEN RETURN 'approval_expired'; END IF;
  IF a.fingerprint <> _fingerprint THEN RETURN 'fingerprint_stale'; END IF;
  IF a.kind IN ('withdrawal', 'payout_release', 'correction') AND withdrawals.unreconciled_since() IS NOT NULL THEN RETURN 'after_restoration'; END IF;
  RETURN NULL;
END $$;


-- Closed once, by two people.
CREATE FUNCTION proofs.check_reconciled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = proofs, pg_temp AS $$
BEGIN
  IF pg_trigger_depth() > 1 AND NEW.closed_at IS NULL THEN RETURN NEW; END IF;
  IF OLD.closed_at IS NOT NULL OR (NEW.restoration, NEW.since) IS DISTINCT FROM (OLD.restoration, OLD.since)
    OR NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
      WHERE a.id = NEW.approval AND a.kind = 'restoration_end' AND a.subject = NEW.restoration::text AND a.status = 'approved'
        AND (a.content::jsonb ->> 'since')::timestamptz = date_trunc('milliseconds', NEW.since)) THEN
    RAISE EXCEPTION 'nobody has reconciled restoration %', NEW.restoration USING ERRCODE = 'RS002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_reconciled BEFORE UPDATE ON proofs.reconciliation FOR EACH ROW EXECUTE FUNCTION proofs.check_reconciled();
CREATE TRIGGER no_delete BEFORE DELETE ON proofs.reconciliation FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON proofs.reconciliation FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();

CREATE VIEW withdrawals.reconciliation AS
  SELECT r.restoration, r.since, s.ends_at, s.known_at FROM proofs.reconciliation r JOIN proofs.restoration s ON s.id = r.restoration WHERE r.closed_at IS NULL;
CREATE FUNCTION withdrawals.end_restoration(_restoration bigint, _approval uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  UPDATE proofs.reconciliation SET closed_at = clock_timestamp(), approval = _approval WHERE restoration = _restoration
$$;

ALTER TABLE withdrawals.waiting DROP CONSTRAINT waiting_waits_for_check;
ALTER TABLE withdrawals.waiting ADD CONSTRAINT waiting_waits_for_check CHECK (waits_for IN ('restoration',
  'checker', 'finding', 'budget', 'votes', 'authorisation', 'house_address', 'foreign_transaction', 'gas', 'wallet_short', 'token_refuses'));
ALTER TABLE withdrawals.standstill DROP CONSTRAINT standstill_reason_check;
ALTER TABLE withdrawals.standstill ADD CONSTRAINT standstill_reason_check CHECK (reason IN ('restoration', 'foreign_transaction', 'gas'));

REVOKE ALL ON FUNCTION proofs.open_reconciliation, proofs.check_reconciled, withdrawals.unreconciled_since, withdrawals.refuse_unreconciled, withdrawals.end_restoration, corrections.may_post FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.may_post TO sathorn_app;
GRANT EXECUTE ON FUNCTION withdrawals.end_restoration TO sathorn_app;
GRANT EXECUTE ON FUNCTION withdrawals.unreconciled_since TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT SELECT ON proofs.reconciliation, withdrawals.reconciliation TO sathorn_app, sathorn_checker;
