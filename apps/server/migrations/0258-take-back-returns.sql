-- An approved return that waits is taken back when its owner removes the wallet: after a takeover they would do that first.
INSERT INTO deposits.move VALUES ('recovering', 'recovery');

-- As before. What is credited or sent back must also equal its approval, and a return is taken back only before anything is sent.
CREATE OR REPLACE FUNCTION deposits.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF OLD.step <> NEW.step AND NOT EXISTS (SELECT FROM deposits.move WHERE from_step = OLD.step AND to_step = NEW.step) THEN
    RAISE EXCEPTION 'a deposit can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'DP001';
  END IF;
  -- A credited deposit has one journal. Only its block may still change.
  IF OLD.step = 'credited' AND NEW.step = 'credited' AND NEW.journal IS DISTINCT FROM OLD.journal THEN
    RAISE EXCEPTION 'a deposit is credited once' USING ERRCODE = 'DP001';
  END IF;
  IF (OLD.step = 'recovery' AND NEW.step = 'recovering' OR OLD.step = 'recovering' AND NEW.step = 'credited')
    AND (deposits.is_recovered(NEW.id, NEW.recovery_approval, NEW.recovery_plan, NEW.return_to)
      AND deposits.is_as_decided(NEW.id, NEW.recovery_approval, NEW.customer_id, NEW.amount, NEW.token, NEW.recovery_fee)) IS NOT TRUE THEN
    RAISE EXCEPTION 'nobody decided what becomes of deposit %', NEW.id USING ERRCODE = 'DP004';
  END IF;
  -- The address is fixed as soon as somebody decides.
  IF NEW.return_to IS DISTINCT FROM OLD.return_to AND (OLD.step <> 'recovery'
    OR EXISTS (SELECT FROM operators.approval WHERE kind = 'deposit_recovery' AND subject = OLD.id::text AND status = 'waiting')) THEN
    RAISE EXCEPTION 'where deposit % goes is decided', NEW.id USING ERRCODE = 'DP004';
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'recovery' THEN
    -- The lock of `withdrawals.begin_sending`: either the signer has begun, or it finds nothing to send.
    PERFORM pg_advisory_xact_lock(hashtextextended('sends:' || OLD.chain || OLD.address, 0));
    IF OLD.recovery_plan <> 'return' OR EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step <> 'failed') THEN
      RAISE EXCEPTION 'deposit % is being sent back', NEW.id USING ERRCODE = 'DP004';
    END IF;
  END IF;
  IF OLD.step = 'recovering' AND NEW.step = 'returned' AND NOT EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step = 'done') THEN
    RAISE EXCEPTION 'deposit % was not sent back', NEW.id USING ERRCODE = 'DP004';
  END IF;
  RETURN NEW;
END $$;
