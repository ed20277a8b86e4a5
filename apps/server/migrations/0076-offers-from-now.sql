-- An offer begins when it is written, or later: one that claims to have been in force before would stand behind orders that were bought at another.
ALTER TABLE options.terms ADD COLUMN created_at timestamptz NOT NULL DEFAULT 'epoch';
ALTER TABLE options.terms ALTER COLUMN created_at SET DEFAULT clock_timestamp();

CREATE FUNCTION options.refuse_back_dated() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
BEGIN
  NEW.created_at := clock_timestamp();
  -- As long as a statement takes that says "now".
  IF NEW.effective_from < NEW.created_at - interval '10 seconds' AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'an offer can''t begin before it is made: % of %', NEW.effective_from, NEW.coin USING ERRCODE = 'OP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_back_dated BEFORE INSERT ON options.terms FOR EACH ROW EXECUTE FUNCTION options.refuse_back_dated();
REVOKE ALL ON FUNCTION options.refuse_back_dated FROM PUBLIC;
