-- Nobody decides about their own original: an operator who proposed, approved or matched a posting takes no part in its correction.
-- Otherwise one person could credit a wrong amount and later make it look corrected.
CREATE INDEX deposit_journal ON deposits.deposit (journal) WHERE journal IS NOT NULL;
CREATE FUNCTION corrections.people_of(_transfer bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  WITH original AS (
    SELECT t.journal, coalesce(t.resolves, t.sequence) AS hold FROM ledger.transfer t WHERE t.sequence = _transfer
  ), subjects AS (
    SELECT c.id::text AS id FROM original o JOIN corrections.correction c ON c.journal = o.journal
    UNION SELECT d.id::text FROM original o JOIN deposits.deposit d ON d.journal = o.journal
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.hold = o.hold
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.fee_hold = o.hold
  ), asked AS (
    SELECT a.id, a.status, a.made_by FROM subjects s JOIN operators.approval a ON a.subject = s.id
      AND a.kind IN ('correction', 'deposit_match', 'deposit_recovery', 'withdrawal', 'withdrawal_paid', 'withdrawal_failed', 'withdrawal_lost')
  ), people AS (
    SELECT a.made_by AS id FROM asked a WHERE a.status = 'approved'
    UNION SELECT v.operator FROM asked a JOIN operators.vote v ON v.approval = a.id
    UNION SELECT e.operator FROM subjects s JOIN operators.entry e ON e.kind IN ('deposit', 'withdrawal') AND e.subject = s.id
      AND e.what IN ('deposit.matched', 'withdrawal.reconciled')
  )
  SELECT coalesce(array_agg(id) FILTER (WHERE id IS NOT NULL), '{}') FROM people
$$;
REVOKE ALL ON FUNCTION corrections.people_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.people_of TO sathorn_app, sathorn_checker;

CREATE FUNCTION corrections.check_maker() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NEW.transfer IS NOT NULL AND NEW.made_by = ANY (corrections.people_of(NEW.transfer)) THEN
    RAISE EXCEPTION 'correction %: by somebody who took part in the original', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION corrections.check_maker FROM PUBLIC;
CREATE TRIGGER check_maker BEFORE INSERT ON corrections.correction FOR EACH ROW EXECUTE FUNCTION corrections.check_maker();

-- As before; additionally nobody decides about a correction of their own original.
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
  RETURN NULL;
END $$;
