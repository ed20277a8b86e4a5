-- The accounts to which customers pay THB, with their history. A change of the deployment's file takes effect a day after it was announced in the
-- log, so that an intruder cannot redirect payments at once.
CREATE TABLE deposits.bank_accounts (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A list in canonical JSON.
  content text NOT NULL,
  announced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  effective_from timestamptz NOT NULL
);
CREATE FUNCTION deposits.check_bank_accounts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('bank-accounts', 0));
  PERFORM NEW.content::jsonb;
  NEW.announced_at := clock_timestamp();
  -- The first accounts need no notice, because no customer has seen others.
  IF NOT EXISTS (SELECT FROM deposits.bank_accounts) THEN
    NEW.effective_from := NEW.announced_at;
  ELSIF NEW.effective_from < NEW.announced_at + interval '24 hours' THEN
    RAISE EXCEPTION 'accounts that change count a day later' USING ERRCODE = 'DP006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_accounts BEFORE INSERT ON deposits.bank_accounts FOR EACH ROW EXECUTE FUNCTION deposits.check_bank_accounts();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON deposits.bank_accounts FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.bank_accounts FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();
-- The account that an order names.
ALTER TABLE deposits.deposit ADD COLUMN account uuid;

REVOKE ALL ON FUNCTION deposits.check_bank_accounts FROM PUBLIC;
GRANT SELECT ON deposits.bank_accounts TO sathorn_app, sathorn_checker;
GRANT INSERT (content, effective_from) ON deposits.bank_accounts TO sathorn_app;
GRANT INSERT (account) ON deposits.deposit TO sathorn_app;
