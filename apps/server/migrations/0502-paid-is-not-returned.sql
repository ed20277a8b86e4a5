-- A payout that was in a block could be returned as refused by the chain: whoever had the application's login wrote that,
-- and their withdrawal was in their wallet and on their balance. Nothing that has left the wallet is returned.
CREATE OR REPLACE FUNCTION withdrawals.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.approval IS NOT NULL AND NEW.approval IS DISTINCT FROM OLD.approval THEN
    RAISE EXCEPTION 'an approval is asked for once' USING ERRCODE = 'WD002';
  END IF;
  IF OLD.step = NEW.step THEN
    IF OLD.step IN ('done', 'returned') THEN RAISE EXCEPTION 'a finished withdrawal is not changed' USING ERRCODE = 'WD002'; END IF;
    RETURN NEW;
  END IF;
  -- One that the chain has paid without us ends as paid, by that transaction alone.
  IF NEW.kind = 'crypto' AND NEW.receiver IS NULL AND (NEW.step = 'done' AND OLD.step <> 'confirming'
      OR EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id)) AND NOT (NEW.step = 'done'
        AND EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = NEW.id AND f.hash = NEW.hash))
    OR NEW.step = 'done' AND OLD.step IN ('delayed', 'first_check', 'second_check') AND (NEW.kind <> 'crypto' OR NEW.receiver IS NOT NULL) THEN
    RAISE EXCEPTION 'withdrawal % can''t move to % but by the transaction that paid it', NEW.id, NEW.step USING ERRCODE = 'WD002';
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
  -- A transaction that the chain refused moved nothing. One of ours that did has paid the receiver.
  IF NEW.step = 'returned' AND EXISTS (SELECT FROM withdrawals.outbox o JOIN deposits.hot_transfer h ON h.hash = o.hash AND h.direction = 'out' WHERE o.withdrawal_id = NEW.id) THEN
    RAISE EXCEPTION 'withdrawal % has left the wallet', NEW.id USING ERRCODE = 'WD003';
  END IF;
  RETURN NEW;
END $$;
