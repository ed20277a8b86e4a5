-- What the wallets hold, as the watcher read it on the chain, carries a seal with a key outside the database. Whoever had
-- the application's login could exchange the newest row between two blocks, so that the checker found money on the chain
-- that was not there.
ALTER TABLE deposits.observation ADD COLUMN seal uuid;

CREATE FUNCTION deposits.refuse_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an observation without a seal' USING ERRCODE = 'DP006';
END $$;

CREATE TRIGGER sealed BEFORE INSERT ON deposits.observation FOR EACH ROW WHEN (NEW.seal IS NULL)
  EXECUTE FUNCTION deposits.refuse_unsealed();
REVOKE ALL ON FUNCTION deposits.refuse_unsealed FROM PUBLIC;
