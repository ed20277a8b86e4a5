-- Whoever has the application's login could take an account over: write its own phone into a customer's row, ask for a code there, and set a new password;
-- or delete the second factor, and set back the time from which withdrawals wait.

-- A contact receives codes that open the account only with a keyed digest over its customer and itself, which the login can't compute.
-- Rows from before are sealed once by the owner of the database.
ALTER TABLE customers.customer ADD COLUMN phone_mac bytea CHECK (length(phone_mac) = 32), ADD COLUMN email_mac bytea CHECK (length(email_mac) = 32);

-- A new contact is new by the database's clock, and one that stays keeps its time. Tests with a clock of their own say when.
CREATE FUNCTION customers.keep_contact() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
BEGIN
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
CREATE TRIGGER keep_contact BEFORE UPDATE OF phone, phone_since, phone_mac, email, email_since, email_mac ON customers.customer
  FOR EACH ROW EXECUTE FUNCTION customers.keep_contact();
GRANT UPDATE (phone_mac, email_mac) ON customers.customer TO sathorn_app;

-- A new password is new by the database's clock, and one that stays keeps its time.
CREATE FUNCTION customers.keep_credential() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  IF NEW.hash = OLD.hash THEN
    NEW.changed_at := OLD.changed_at;
  ELSIF NOT (SELECT virtual_clock FROM market.guard) THEN
    NEW.changed_at := greatest(NEW.changed_at, clock_timestamp());
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_credential BEFORE UPDATE OF hash, changed_at ON customers.credential FOR EACH ROW EXECUTE FUNCTION customers.keep_credential();

-- Whatever begins, ends or replaces a factor counts as a change, whoever does it, and the time of the last one never goes back.
CREATE FUNCTION customers.note_factor_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  IF NOT (SELECT virtual_clock FROM market.guard) THEN
    INSERT INTO factor_change (customer, at) VALUES (coalesce(NEW.customer, OLD.customer), clock_timestamp())
    ON CONFLICT (customer) DO UPDATE SET at = greatest(factor_change.at, excluded.at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_change AFTER INSERT OR DELETE ON customers.passkey FOR EACH ROW EXECUTE FUNCTION customers.note_factor_change();
CREATE TRIGGER note_end AFTER DELETE ON customers.second_factor FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION customers.note_factor_change();
CREATE TRIGGER note_change AFTER UPDATE ON customers.second_factor FOR EACH ROW
  WHEN (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at OR OLD.confirmed_at IS NOT NULL AND (OLD.sealed, OLD.started_at) IS DISTINCT FROM (NEW.sealed, NEW.started_at))
  EXECUTE FUNCTION customers.note_factor_change();
CREATE FUNCTION customers.keep_factor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.customer <> OLD.customer OR NEW.at < OLD.at THEN
    RAISE EXCEPTION 'the time of the last change of a factor does not go back' USING ERRCODE = 'CU001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_factor_change BEFORE UPDATE ON customers.factor_change FOR EACH ROW EXECUTE FUNCTION customers.keep_factor_change();
REVOKE ALL ON FUNCTION customers.keep_contact, customers.keep_credential, customers.note_factor_change, customers.keep_factor_change FROM PUBLIC;

REVOKE INSERT ON customers.customer FROM sathorn_app;
GRANT INSERT (id, username, username_key, phone, phone_since, phone_mac, email, email_since, email_mac, nickname, avatar, currency, language, invite_code, invited_by, created_at)
  ON customers.customer TO sathorn_app;
