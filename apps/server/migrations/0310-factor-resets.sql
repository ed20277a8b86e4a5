-- A customer who has lost the second factor and the recovery codes asks for its removal. This database holds the rule: seven days by its own
-- clock, two people of compliance, nobody who stopped it, and no use of the factor meanwhile.
CREATE TABLE customers.factor_reset (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  -- Set by a trigger, as is the end: the application's clock has no say.
  asked_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL CHECK (due_at = asked_at + interval '7 days'),
  -- Whence it was asked for.
  device text NOT NULL,
  address text NOT NULL,
  is_known_device boolean NOT NULL,
  is_known_network boolean NOT NULL,
  approval uuid NOT NULL UNIQUE,
  reminded_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stopped', 'rejected', 'done', 'lapsed')),
  ended_at timestamptz,
  stopped_by text CHECK (stopped_by IN ('session', 'word', 'factor', 'staff')),
  CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CHECK ((state = 'stopped') = (stopped_by IS NOT NULL))
);
CREATE UNIQUE INDEX factor_reset_waiting ON customers.factor_reset (customer) WHERE state = 'waiting';
CREATE INDEX factor_reset_due ON customers.factor_reset (due_at) WHERE state = 'waiting';
CREATE INDEX factor_reset_of ON customers.factor_reset (customer, asked_at DESC);
CREATE INDEX factor_reset_ended ON customers.factor_reset (ended_at DESC, id) WHERE state <> 'waiting';

-- The latest use of an authenticator, a recovery code or a passkey; null for never. A code of the next 30 seconds is accepted, so a step counts
-- from 30 seconds before.
CREATE FUNCTION customers.factor_used_at(_customer bigint) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT greatest(
    (SELECT max(at) FROM customers.sign_in WHERE customer = _customer AND failure IS NULL AND factor IN ('authenticator', 'recovery_code', 'passkey')),
    (SELECT max(used_at) FROM customers.recovery_code WHERE customer = _customer),
    (SELECT max(used_at) FROM customers.passkey WHERE customer = _customer),
    (SELECT to_timestamp(30 * used_step - 30) FROM customers.second_factor WHERE customer = _customer AND used_step > 0))
$$;

-- Whether anybody but the owner has frozen the account's sign-in.
CREATE FUNCTION customers.is_barred(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT EXISTS (SELECT FROM customers.freeze f WHERE f.customer = _customer AND 'sign_in' = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp())
    OR EXISTS (SELECT FROM customers.customer c WHERE c.id = _customer AND c.frozen_reason <> 'own_request')
$$;

CREATE FUNCTION customers.begin_factor_reset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  NEW.asked_at := clock_timestamp();
  NEW.due_at := NEW.asked_at + interval '7 days';
  IF NEW.state <> 'waiting' OR NEW.reminded_at IS NOT NULL THEN RAISE EXCEPTION 'a reset begins by waiting' USING ERRCODE = 'FR001'; END IF;
  IF EXISTS (SELECT FROM customers.factor_reset r WHERE r.customer = NEW.customer AND r.ended_at > clock_timestamp() - interval '7 days') THEN
    RAISE EXCEPTION 'the last reset of customer % has ended a moment ago', NEW.customer USING ERRCODE = 'FR002';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'factor_reset' AND a.subject = NEW.id::text
    AND a.need >= 2 AND a.status = 'waiting' AND NEW.customer = ANY (a.about)) THEN
    RAISE EXCEPTION 'nobody is asked to approve reset %', NEW.id USING ERRCODE = 'FR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_factor_reset BEFORE INSERT ON customers.factor_reset FOR EACH ROW EXECUTE FUNCTION customers.begin_factor_reset();

CREATE FUNCTION customers.check_factor_reset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  IF OLD.state <> 'waiting' OR (to_jsonb(NEW) - '{state,ended_at,stopped_by,reminded_at}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{state,ended_at,stopped_by,reminded_at}'::text[]) THEN
    RAISE EXCEPTION 'reset % is over', OLD.id USING ERRCODE = 'FR001';
  END IF;
  IF NEW.state = 'waiting' THEN RETURN NEW; END IF;
  NEW.ended_at := clock_timestamp();
  IF NEW.state <> 'done' THEN RETURN NEW; END IF;
  IF NEW.due_at > clock_timestamp() THEN RAISE EXCEPTION 'reset % is not due', NEW.id USING ERRCODE = 'FR004'; END IF;
  IF customers.factor_used_at(NEW.customer) >= NEW.asked_at THEN RAISE EXCEPTION 'reset %: the factor is in use', NEW.id USING ERRCODE = 'FR005'; END IF;
  IF customers.is_barred(NEW.customer) THEN
    RAISE EXCEPTION 'reset %: the account is frozen', NEW.id USING ERRCODE = 'FR006';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'factor_reset' AND a.subject = NEW.id::text AND a.status = 'approved')
    OR (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = NEW.approval AND v.decision = 'approve') < 2 THEN
    RAISE EXCEPTION 'two people have not approved reset %', NEW.id USING ERRCODE = 'FR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_factor_reset BEFORE UPDATE ON customers.factor_reset FOR EACH ROW EXECUTE FUNCTION customers.check_factor_reset();

CREATE FUNCTION customers.keep_factor_reset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on customers.factor_reset', TG_OP USING ERRCODE = 'FR001';
END $$;
CREATE TRIGGER no_delete BEFORE DELETE ON customers.factor_reset FOR EACH ROW EXECUTE FUNCTION customers.keep_factor_reset();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON customers.factor_reset FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_factor_reset();

REVOKE ALL ON FUNCTION customers.factor_used_at, customers.is_barred, customers.begin_factor_reset, customers.check_factor_reset, customers.keep_factor_reset FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.factor_used_at, customers.is_barred TO sathorn_app;
GRANT SELECT, INSERT, UPDATE (state, ended_at, stopped_by, reminded_at) ON customers.factor_reset TO sathorn_app;

ALTER TABLE customers.session DROP CONSTRAINT session_ended_by_check;
ALTER TABLE customers.session ADD CONSTRAINT session_ended_by_check
  CHECK (ended_by IN ('logout', 'customer', 'password_changed', 'password_forgotten', 'idle', 'too_many', 'too_old', 'staff', 'factor_reset'));

-- What two people approved for later is overtaken when its subject ends before: the customer has stopped the reset.
CREATE OR REPLACE FUNCTION operators.keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'stopped' THEN
    IF (to_jsonb(NEW) - 'status' - 'stopped_at' - 'stopped_by') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'stopped_at' - 'stopped_by') OR OLD.status <> 'approved' THEN
      RAISE EXCEPTION 'only what was approved is stopped' USING ERRCODE = 'OP001';
    END IF;
  ELSIF NEW.status = 'stale' AND OLD.status = 'approved' AND OLD.kind = 'factor_reset' THEN
    IF (to_jsonb(NEW) - 'status') IS DISTINCT FROM (to_jsonb(OLD) - 'status') THEN RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001'; END IF;
  ELSIF (to_jsonb(NEW) - 'status' - 'decided_at') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'decided_at') OR OLD.status <> 'waiting' THEN
    RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION operators.close_approval(_id uuid, _status text, _operator bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _id FOR UPDATE;
  IF _status = 'stale' AND a.kind = 'factor_reset' AND a.status = 'approved' THEN
    UPDATE operators.approval SET status = 'stale' WHERE id = _id;
    RETURN true;
  END IF;
  IF a.id IS NULL OR a.status <> 'waiting' THEN RETURN false; END IF;
  IF _status NOT IN ('withdrawn', 'stale', 'expired') THEN RAISE EXCEPTION 'an approval does not end so' USING ERRCODE = 'OP002'; END IF;
  IF _status = 'withdrawn' AND a.made_by IS DISTINCT FROM _operator THEN RETURN false; END IF;
  IF _status = 'expired' AND (a.expires_at IS NULL OR a.expires_at > clock_timestamp()) THEN RETURN false; END IF;
  UPDATE operators.approval SET status = _status, decided_at = clock_timestamp() WHERE id = _id;
  RETURN true;
END $$;
