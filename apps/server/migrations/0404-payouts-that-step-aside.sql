-- Eight payouts that the token refused stopped everybody's, and nobody could give their money back. Each now steps aside with its reason, and until it is
-- signed two people can return it.
ALTER TABLE withdrawals.waiting DROP CONSTRAINT waiting_waits_for_check;
ALTER TABLE withdrawals.waiting ADD CONSTRAINT waiting_waits_for_check CHECK (waits_for IN
  ('checker', 'finding', 'budget', 'votes', 'authorisation', 'house_address', 'foreign_transaction', 'gas', 'wallet_short', 'token_refuses'));

-- Two people gave an unsigned payout back, or one of them refused to release it.
CREATE FUNCTION withdrawals.is_given_back(_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id WHERE a.subject = _id::text AND CASE a.kind
    WHEN 'payout_return' THEN a.status = 'approved' AND a.made_by IS NOT NULL AND v.decision = 'approve' AND v.operator <> a.made_by
    WHEN 'payout_release' THEN a.status = 'rejected' AND v.decision = 'reject' ELSE false END)
$$;

CREATE OR REPLACE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.approval IS NOT NULL AND NEW.approval IS DISTINCT FROM OLD.approval THEN
    RAISE EXCEPTION 'an approval is asked for once' USING ERRCODE = 'WD002';
  END IF;
  IF OLD.step = NEW.step THEN
    IF OLD.step IN ('done', 'returned') THEN RAISE EXCEPTION 'a finished withdrawal is not changed' USING ERRCODE = 'WD002'; END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a withdrawal can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'WD002';
  END IF;
  IF NEW.step = 'approved' AND NEW.people > 0 AND NOT EXISTS (
    SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'withdrawal' AND a.subject = NEW.id::text AND a.status = 'approved'
      AND a.need >= NEW.people AND (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve') >= NEW.people
  ) THEN
    RAISE EXCEPTION 'nobody, or too few people, approved withdrawal %', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF OLD.step = 'delayed' AND NEW.step <> 'returned' AND OLD.delayed_until > clock_timestamp() AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'withdrawal % is delayed', NEW.id USING ERRCODE = 'WD003';
  END IF;
  IF NEW.step = 'returned' AND OLD.step = 'approved' AND NOT withdrawals.is_given_back(NEW.id) THEN
    RAISE EXCEPTION 'nobody decided to give withdrawal % back', NEW.id USING ERRCODE = 'WD003';
  END IF;
  -- A signed transaction can still get into a block until another one with its nonce is final.
  IF NEW.step = 'returned' AND OLD.step IN ('sending', 'sent_unknown') AND NEW.kind = 'crypto' AND NOT EXISTS (SELECT FROM withdrawals.lost l WHERE l.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has shown that withdrawal % is lost', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;

-- As before. Whoever gave a payout back takes no part in a correction of it either.
CREATE OR REPLACE FUNCTION corrections.people_of(_transfer bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  WITH original AS (
    SELECT t.journal, coalesce(t.resolves, t.sequence) AS hold FROM ledger.transfer t WHERE t.sequence = _transfer
  ), subjects AS (
    SELECT c.id::text AS id FROM original o JOIN corrections.correction c ON c.journal = o.journal
    UNION SELECT d.id::text FROM original o JOIN deposits.deposit d ON d.journal = o.journal
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.hold = o.hold
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.fee_hold = o.hold
  ), asked AS (
    SELECT a.id, a.status, a.made_by FROM subjects s JOIN operators.approval a ON a.subject = s.id AND a.kind IN ('correction', 'deposit_match',
      'deposit_recovery', 'withdrawal', 'withdrawal_paid', 'withdrawal_failed', 'withdrawal_lost', 'payout_release', 'payout_return')
  ), people AS (
    SELECT a.made_by AS id FROM asked a WHERE a.status = 'approved'
    UNION SELECT v.operator FROM asked a JOIN operators.vote v ON v.approval = a.id
    UNION SELECT e.operator FROM subjects s JOIN operators.entry e ON e.kind IN ('deposit', 'withdrawal') AND e.subject = s.id
      AND e.what IN ('deposit.matched', 'withdrawal.reconciled')
  )
  SELECT coalesce(array_agg(id) FILTER (WHERE id IS NOT NULL), '{}') FROM people
$$;

REVOKE ALL ON FUNCTION withdrawals.is_given_back FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.is_given_back TO sathorn_checker;
