-- What the chain says of the treasury carries a seal of the watcher, which read it there. Whoever had the application's
-- login could show other owners, another threshold or other sums on the status page.
ALTER TABLE treasury.state ADD COLUMN seal uuid;
GRANT INSERT (seal), UPDATE (seal) ON treasury.state TO sathorn_app;

CREATE FUNCTION treasury.refuse_unsealed_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a state of the treasury without the watcher’s seal' USING ERRCODE = 'TR010';
END $$;
REVOKE ALL ON FUNCTION treasury.refuse_unsealed_state FROM PUBLIC;
CREATE TRIGGER sealed BEFORE INSERT OR UPDATE ON treasury.state FOR EACH ROW WHEN (NEW.seal IS NULL)
  EXECUTE FUNCTION treasury.refuse_unsealed_state();
