-- A freeze has scopes, a reason and an end, and ends by itself. Starting one takes one person; ending it early, or moving its end, takes an
-- approval, and the database looks whether there is one.
CREATE TABLE customers.freeze (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['sign_in', 'trading', 'withdrawals']),
  reason text NOT NULL CHECK (reason IN ('customer_asked', 'takeover_suspected', 'deposit_reversed', 'duplicate_person', 'legal_order')),
  -- The operator, whose name is kept as it was.
  made_by bigint NOT NULL,
  made_by_name text NOT NULL,
  starts_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL,
  lifted_at timestamptz,
  approval uuid,
  CHECK (until > starts_at AND until <= starts_at + interval '31 days'),
  CHECK (lifted_at IS NULL OR approval IS NOT NULL)
);
CREATE INDEX freeze_customer ON customers.freeze (customer, starts_at);

CREATE FUNCTION customers.is_frozen(_customer bigint, _scope text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT EXISTS (SELECT FROM customers.freeze f WHERE f.customer = _customer AND _scope = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp())
    OR EXISTS (SELECT FROM customers.customer c WHERE c.id = _customer AND c.frozen_reason IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION customers.refuse_frozen(_customers bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM customers.customer WHERE id = ANY (_customers) AND frozen_reason IS NOT NULL)
    OR EXISTS (SELECT FROM customers.freeze f WHERE f.customer = ANY (_customers) AND 'trading' = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp()) THEN
    RAISE EXCEPTION 'a customer may not trade any more' USING ERRCODE = 'CU001';
  END IF;
END $$;

-- Follows an approval of two people, in the transaction of its last vote: `freeze_lift` ends it now, `freeze_extend` moves its end.
CREATE FUNCTION customers.change_freeze(_freeze uuid, _approval uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval AND subject = _freeze::text AND status = 'approved' AND kind IN ('freeze_lift', 'freeze_extend');
  IF a.id IS NULL THEN RAISE EXCEPTION 'nobody approved this change of a freeze' USING ERRCODE = 'CU002'; END IF;
  UPDATE customers.freeze SET approval = _approval,
    lifted_at = CASE a.kind WHEN 'freeze_lift' THEN clock_timestamp() END,
    until = CASE a.kind WHEN 'freeze_extend' THEN (a.content::jsonb ->> 'until')::timestamptz ELSE until END
  WHERE id = _freeze AND lifted_at IS NULL AND until > clock_timestamp() AND approval IS DISTINCT FROM _approval;
  IF NOT FOUND THEN RAISE EXCEPTION 'the freeze is over' USING ERRCODE = 'CU003'; END IF;
END $$;

-- Staff may end a customer's sessions.
ALTER TABLE customers.session DROP CONSTRAINT session_ended_by_check;
ALTER TABLE customers.session ADD CONSTRAINT session_ended_by_check
  CHECK (ended_by IN ('logout', 'customer', 'password_changed', 'password_forgotten', 'idle', 'too_many', 'too_old', 'staff'));

-- The list of customers is paged by when they came.
CREATE INDEX customer_created ON customers.customer (created_at, id);
CREATE INDEX customer_username ON customers.customer (lower(username) text_pattern_ops);

REVOKE ALL ON FUNCTION customers.is_frozen, customers.change_freeze FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.is_frozen, customers.change_freeze TO sathorn_app;
GRANT SELECT, INSERT ON customers.freeze TO sathorn_app;
