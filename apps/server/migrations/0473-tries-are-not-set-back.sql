-- Wrong tries of the six digits were counted in columns that the application's login could set back before each guess. Only the application knows whether
-- digits were right, so the database bounds how often counts fall: ten times within 24 hours, by its own clock. After that they stay, and only rise.
ALTER TABLE customers.credential ADD COLUMN set_back timestamptz[] NOT NULL DEFAULT '{}';
CREATE FUNCTION customers.keep_tries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  NEW.set_back := ARRAY(SELECT t FROM unnest(OLD.set_back) AS t WHERE t > clock_timestamp() - interval '24 hours');
  IF NEW.wrong >= OLD.wrong AND NEW.wrong_in_all >= OLD.wrong_in_all AND coalesce(NEW.locked_until >= OLD.locked_until, OLD.locked_until IS NULL)
    -- A day's lock is over, and a new round begins.
    OR NEW.wrong_in_all > OLD.wrong_in_all AND OLD.locked_until <= clock_timestamp() THEN
    RETURN NEW;
  END IF;
  IF cardinality(NEW.set_back) < 10 THEN
    NEW.set_back := NEW.set_back || clock_timestamp();
  ELSE
    NEW.wrong := greatest(OLD.wrong, NEW.wrong);
    NEW.wrong_in_all := greatest(OLD.wrong_in_all, NEW.wrong_in_all);
    NEW.locked_until := greatest(OLD.locked_until, NEW.locked_until);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_tries BEFORE UPDATE ON customers.credential FOR EACH ROW EXECUTE FUNCTION customers.keep_tries();
REVOKE ALL ON FUNCTION customers.keep_tries FROM PUBLIC;
