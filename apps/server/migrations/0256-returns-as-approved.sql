-- What was kept for people is credited or sent back exactly as they approved it: that amount of that token, less that fee. A return waits, as a
-- withdrawal does, for 24 hours after a change of credentials, and while the customer is frozen.
CREATE FUNCTION customers.credentials_changed_at(_customer bigint) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  -- The credentials from the sign-up don't count as a change.
  SELECT max(at) FROM (
    SELECT r.changed_at AS at FROM customers.credential r JOIN customers.customer c ON c.id = r.customer WHERE r.customer = _customer AND r.changed_at > c.created_at
    UNION ALL SELECT unnest(ARRAY[phone_since, email_since]) FROM customers.customer WHERE id = _customer AND greatest(phone_since, email_since) > created_at
    UNION ALL SELECT at FROM customers.factor_change WHERE customer = _customer) changes
$$;
CREATE FUNCTION customers.is_held(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT coalesce(customers.credentials_changed_at(_customer) > clock_timestamp() - interval '24 hours', false) OR customers.is_frozen(_customer, 'withdrawals')
$$;

CREATE FUNCTION deposits.is_as_decided(_id uuid, _approval uuid, _customer bigint, _units numeric, _token text, _fee bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a CROSS JOIN LATERAL (SELECT a.content::jsonb AS said) s WHERE a.id = _approval
    AND (said ->> 'deposit', said ->> 'customer', said ->> 'units', said ->> 'token', said ->> 'fee')
      = (_id::text, _customer::text, _units::text, _token, _fee::text))
$$;

-- The fee is kept with the decision.
UPDATE deposits.deposit d SET recovery_fee = (a.content::jsonb ->> 'fee')::bigint FROM operators.approval a WHERE d.step = 'recovering' AND a.id = d.recovery_approval;

-- As before, and only what was decided, to the unit.
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
  IF OLD.step = 'recovering' AND NEW.step = 'returned' AND NOT EXISTS (SELECT FROM withdrawals.sending WHERE deposit_id = NEW.id AND step = 'done') THEN
    RAISE EXCEPTION 'deposit % was not sent back', NEW.id USING ERRCODE = 'DP004';
  END IF;
  RETURN NEW;
END $$;

-- As before, and only what was decided, to the unit, and not while its customer is held.
CREATE OR REPLACE VIEW withdrawals.returnable AS
  SELECT d.id AS deposit, d.chain, d.address, a.index, d.return_to AS receiver, d.amount, CASE d.reason WHEN 'other_token' THEN d.token END AS token, d.reason
  FROM deposits.deposit d JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  WHERE d.step = 'recovering' AND d.recovery_plan = 'return' AND d.reason IN ('other_token', 'native_coin') AND d.block_height IS NOT NULL AND d.return_to IS NOT NULL
    AND deposits.is_recovered(d.id, d.recovery_approval, 'return', d.return_to)
    AND deposits.is_as_decided(d.id, d.recovery_approval, d.customer_id, d.amount, d.token, d.recovery_fee)
    AND NOT customers.is_held(d.customer_id)
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step <> 'failed')
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'failed' AND s.finished_at > clock_timestamp() - interval '6 hours');

-- Plans lapse from now on. Those without an end are made again.
UPDATE operators.approval SET status = 'expired', decided_at = clock_timestamp() WHERE kind = 'deposit_recovery' AND status = 'waiting' AND expires_at IS NULL;

REVOKE ALL ON FUNCTION customers.credentials_changed_at, customers.is_held, deposits.is_as_decided FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.credentials_changed_at TO sathorn_app;
GRANT EXECUTE ON FUNCTION customers.is_held, deposits.is_as_decided TO sathorn_app, sathorn_checker, sathorn_signer;
