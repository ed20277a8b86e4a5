-- A level follows from what a customer has held for some days, counted from a credit's time, which the application
-- wrote and could change: today's deposit passed for an old one. A credit is now dated by the database's clock, with
-- the tolerance of a decision that was made a moment ago, and keeps its time.
CREATE FUNCTION deposits.keep_credit_time() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = deposits, pg_temp AS $$
BEGIN
  IF OLD.step = 'credited' THEN
    IF NEW.finished_at <> OLD.finished_at THEN
      RAISE EXCEPTION 'deposit % was credited at another time', NEW.id USING ERRCODE = 'DP001';
    END IF;
  ELSIF NEW.finished_at < clock_timestamp() - interval '2 minutes' AND NOT (SELECT virtual_clock FROM market.guard) THEN
    NEW.finished_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_credit_time BEFORE UPDATE ON deposits.deposit FOR EACH ROW WHEN (NEW.step = 'credited')
  EXECUTE FUNCTION deposits.keep_credit_time();
REVOKE ALL ON FUNCTION deposits.keep_credit_time FROM PUBLIC;
