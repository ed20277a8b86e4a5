-- A bank's number is its own for one account and one booking day, not for ever: another account's or another day's number stopped a whole statement. Where
-- a bank uses one number twice, both lines are kept, since the statement's balance proves both; two people match the second.
ALTER TABLE deposits.bank_line ADD COLUMN account text, ADD COLUMN booked_on date, ADD COLUMN twin integer NOT NULL DEFAULT 0 CHECK (twin >= 0);
ALTER TABLE deposits.bank_line DISABLE TRIGGER keep_line;
UPDATE deposits.bank_line l SET account = s.account, booked_on = (l.at AT TIME ZONE (SELECT c.time_zone FROM withdrawals.calendar c ORDER BY c.effective_from DESC LIMIT 1))::date FROM deposits.bank_statement s WHERE s.id = l.statement;
ALTER TABLE deposits.bank_line ENABLE TRIGGER keep_line;
ALTER TABLE deposits.bank_line DROP CONSTRAINT bank_line_bank_reference_key, ADD CONSTRAINT of_statement CHECK ((statement IS NOT NULL) = (num_nonnulls(account, booked_on) = 2));
CREATE UNIQUE INDEX bank_line_number ON deposits.bank_line (account, bank_reference, booked_on, twin);
CREATE INDEX bank_line_before_statements ON deposits.bank_line (bank_reference) WHERE statement IS NULL;

-- The importer of a statement holds its account's lock, so no other line gets the same place.
CREATE FUNCTION deposits.place_line() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  NEW.account := (SELECT s.account FROM deposits.bank_statement s WHERE s.id = NEW.statement);
  NEW.booked_on := (NEW.at AT TIME ZONE (SELECT c.time_zone FROM withdrawals.calendar c ORDER BY c.effective_from DESC LIMIT 1))::date;
  NEW.twin := (SELECT count(*) FROM deposits.bank_line l
    WHERE l.account = NEW.account AND l.bank_reference = NEW.bank_reference AND l.booked_on = NEW.booked_on);
  RETURN NEW;
END $$;
-- After check_line and keep_line, which look at what the application gives: triggers fire by name.
CREATE TRIGGER place_line BEFORE INSERT ON deposits.bank_line FOR EACH ROW EXECUTE FUNCTION deposits.place_line();
CREATE TRIGGER place_old_line BEFORE UPDATE ON deposits.bank_line FOR EACH ROW WHEN (OLD.statement IS NULL) EXECUTE FUNCTION deposits.place_line();

CREATE FUNCTION deposits.refuse_twin_alone() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM deposits.bank_line l WHERE l.id = NEW.line AND l.twin > 0) THEN
    RAISE EXCEPTION 'deposit %: its line has the number of another, so a second person must approve it', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_twin_alone BEFORE INSERT ON deposits.bank_match FOR EACH ROW WHEN (NEW.approval IS NULL) EXECUTE FUNCTION deposits.refuse_twin_alone();
REVOKE ALL ON FUNCTION deposits.place_line, deposits.refuse_twin_alone FROM PUBLIC;
