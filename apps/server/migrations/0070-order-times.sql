-- An option order is kept within four seconds of its acceptance, by the database's clock, or refused: the checker takes one that is further
-- apart for a bet on a known outcome.
CREATE FUNCTION options.check_acceptance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
DECLARE
  apart interval;
BEGIN
  SELECT greatest(max(options.at(accepted_ms)) - clock_timestamp(), clock_timestamp() - min(options.at(accepted_ms))) INTO apart FROM bought;
  IF apart > interval '4 seconds' AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'an option order was accepted % from the database''s clock', apart USING ERRCODE = 'OP007';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_acceptance AFTER INSERT ON options.orders REFERENCING NEW TABLE AS bought
  FOR EACH STATEMENT EXECUTE FUNCTION options.check_acceptance();
REVOKE ALL ON FUNCTION options.check_acceptance FROM PUBLIC;

-- The checker compares an order's acceptance with the beginning of its customer's account.
GRANT SELECT (created_at) ON customers.customer TO sathorn_checker;
