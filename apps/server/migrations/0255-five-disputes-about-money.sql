-- A customer has at most five open disputes about money, however many requests come at once: each takes two people's time.
CREATE FUNCTION disputes.limit_money() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = disputes, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('money-disputes:' || NEW.customer, 0));
  IF (SELECT count(*) FROM disputes.money_dispute WHERE customer = NEW.customer AND state <> 'closed') >= 5 THEN
    RAISE EXCEPTION 'customer % has five open disputes', NEW.customer USING ERRCODE = 'DI003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER limit_open BEFORE INSERT ON disputes.money_dispute FOR EACH ROW EXECUTE FUNCTION disputes.limit_money();
REVOKE ALL ON FUNCTION disputes.limit_money FROM PUBLIC;
