-- A kept deposit is credited or sent back exactly as two people approved: with the same token, amount and fee. A return waits as a withdrawal does:
-- for 24 hours after a change of credentials, and while the customer is frozen.
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

-- As before. A return must also equal its approval, and its customer must not be held.
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
