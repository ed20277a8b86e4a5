-- The practice platform (docs/decisions/0096-practice-account.md). A ticket of the real platform opens an account once.
CREATE TABLE customers.practice_ticket (
  nonce text PRIMARY KEY CHECK (nonce ~ '^[0-9a-f]{32}$'),
  -- From then on the ticket is refused for its age, and this row is no longer needed.
  until timestamptz NOT NULL
);
CREATE INDEX practice_ticket_old ON customers.practice_ticket (until);

-- True for the first use of a ticket, and false for any later one and after its end. The application has no other access
-- to the table, so it can't make a ticket new again.
CREATE FUNCTION customers.use_practice_ticket(_nonce text, _until timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  IF _until <= clock_timestamp() THEN RETURN false; END IF;
  DELETE FROM practice_ticket WHERE nonce IN (
    SELECT nonce FROM practice_ticket WHERE until < clock_timestamp() - interval '5 minutes' LIMIT 100 FOR UPDATE SKIP LOCKED);
  INSERT INTO practice_ticket (nonce, until) VALUES (_nonce, _until) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION customers.use_practice_ticket FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.use_practice_ticket TO sathorn_app;
