-- A customer who freezes the own account is promised a day. The application could move its end, delete it, or take the
-- reason away. The end and the beginning only move on, and `customer.frozen_reason` is cleared only when the promised
-- time is over. A reason that staff gave before freezes were rows stays.
REVOKE UPDATE, DELETE ON customers.own_freeze FROM sathorn_app;
GRANT UPDATE (frozen_at, until) ON customers.own_freeze TO sathorn_app;

CREATE FUNCTION customers.keep_own_freeze() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF (SELECT virtual_clock FROM market.guard)
    OR pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'customers'), 'MEMBER') THEN RETURN NEW; END IF;
  -- Corrects instead of refusing: a freeze is the button of an emergency, and the application's clock may be late.
  NEW.until := greatest(NEW.until, OLD.until, clock_timestamp() + interval '1 day' - interval '2 minutes');
  NEW.frozen_at := greatest(NEW.frozen_at, OLD.frozen_at);
  RETURN NEW;
END $$;
CREATE TRIGGER keep_own_freeze BEFORE INSERT OR UPDATE ON customers.own_freeze FOR EACH ROW
  EXECUTE FUNCTION customers.keep_own_freeze();

CREATE FUNCTION customers.keep_frozen_reason() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'customers'), 'MEMBER') THEN RETURN NEW; END IF;
  IF OLD.frozen_reason <> 'own_request' OR NEW.frozen_reason IS NOT NULL
    OR NOT EXISTS (SELECT FROM own_freeze f WHERE f.customer = OLD.id
      AND (f.until <= clock_timestamp() + interval '2 minutes' OR (SELECT virtual_clock FROM market.guard))) THEN
    RAISE EXCEPTION 'customer % stays frozen', OLD.id USING ERRCODE = 'CU005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_frozen_reason BEFORE UPDATE OF frozen_reason ON customers.customer FOR EACH ROW
  WHEN (OLD.frozen_reason IS NOT NULL AND NEW.frozen_reason IS DISTINCT FROM OLD.frozen_reason)
  EXECUTE FUNCTION customers.keep_frozen_reason();
REVOKE ALL ON FUNCTION customers.keep_own_freeze, customers.keep_frozen_reason FROM PUBLIC;
