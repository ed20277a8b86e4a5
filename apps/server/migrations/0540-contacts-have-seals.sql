-- Each start of the server seals contacts that older versions stored without a seal. Whoever had the application's login
-- wrote an own phone into a customer's row, without a seal, and the next start sealed it: the way to a new password.
CREATE OR REPLACE FUNCTION customers.keep_contact() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
BEGIN
  IF NEW.phone IS DISTINCT FROM OLD.phone AND NEW.phone IS NOT NULL AND NEW.phone_mac IS NULL
    OR NEW.email IS DISTINCT FROM OLD.email AND NEW.email IS NOT NULL AND NEW.email_mac IS NULL THEN
    RAISE EXCEPTION 'the new contact of customer % has no seal', NEW.id USING ERRCODE = 'CU001';
  END IF;
  IF NEW.phone IS DISTINCT FROM OLD.phone THEN
    IF NOT is_virtual THEN NEW.phone_since := greatest(NEW.phone_since, clock_timestamp()); END IF;
  ELSIF OLD.phone_since IS DISTINCT FROM NEW.phone_since OR OLD.phone_mac IS NOT NULL AND OLD.phone_mac IS DISTINCT FROM NEW.phone_mac THEN
    RAISE EXCEPTION 'the time and the digest of a contact stay' USING ERRCODE = 'CU001';
  END IF;
  IF NEW.email IS DISTINCT FROM OLD.email THEN
    IF NOT is_virtual THEN NEW.email_since := greatest(NEW.email_since, clock_timestamp()); END IF;
  ELSIF OLD.email_since IS DISTINCT FROM NEW.email_since OR OLD.email_mac IS NOT NULL AND OLD.email_mac IS DISTINCT FROM NEW.email_mac THEN
    RAISE EXCEPTION 'the time and the digest of a contact stay' USING ERRCODE = 'CU001';
  END IF;
  RETURN NEW;
END $$;
