-- A customer's passkey opens a door only with a keyed digest over its owner, id and key, which the application's role can't compute. Before, a row of
-- its own, or another owner in a row, signed in as anybody. Rows from before are sealed once by the owner of the database.
ALTER TABLE customers.passkey ADD COLUMN mac bytea NOT NULL DEFAULT '' CHECK (length(mac) IN (0, 32));
ALTER TABLE customers.passkey ALTER COLUMN mac DROP DEFAULT;

-- Only counter and last use change. Holds for the owner of the database too, but for the sealing.
CREATE FUNCTION customers.keep_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF length(NEW.mac) <> 32 THEN RAISE EXCEPTION 'a passkey is sealed' USING ERRCODE = 'OP001'; END IF;
  ELSIF NEW.counter < OLD.counter OR length(OLD.mac) = 32 AND NEW.mac <> OLD.mac
    OR (to_jsonb(NEW) - '{counter,used_at,mac}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{counter,used_at,mac}'::text[]) THEN
    RAISE EXCEPTION 'a passkey is only used and removed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_passkey BEFORE INSERT OR UPDATE ON customers.passkey FOR EACH ROW EXECUTE FUNCTION customers.keep_passkey();
REVOKE ALL ON FUNCTION customers.keep_passkey FROM PUBLIC;

REVOKE INSERT, UPDATE ON customers.passkey FROM sathorn_app;
GRANT INSERT (id, customer, public_key, counter, transports, name, mac, created_at) ON customers.passkey TO sathorn_app;
GRANT UPDATE (counter, used_at) ON customers.passkey TO sathorn_app;
