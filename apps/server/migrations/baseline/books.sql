-- The balance of a bank statement, attested by one person, with the ledger's balance at that moment. It changes no
-- account.
CREATE SCHEMA books;
GRANT USAGE ON SCHEMA books TO sathorn_app, sathorn_checker;

-- The person confirmed `[asset, counted, as of, statement, bank statement]`; the last one is null without an imported
-- statement.
CREATE TABLE books.attestation (
  id uuid PRIMARY KEY,
  asset text NOT NULL,
  counted numeric(39, 0) NOT NULL CHECK (counted >= 0),
  booked numeric(39, 0) NOT NULL,
  as_of timestamptz NOT NULL,
  statement text NOT NULL CHECK (length(statement) BETWEEN 1 AND 200),
  operator bigint NOT NULL,
  at timestamptz NOT NULL,
  step_up uuid UNIQUE REFERENCES operators.challenge,
  bank_statement uuid,
  is_from_before boolean NOT NULL DEFAULT false,
  CHECK (as_of <= at),
  CONSTRAINT signed CHECK (is_from_before = (step_up IS NULL))
);
CREATE INDEX attestation_newest ON books.attestation (at DESC);
GRANT SELECT ON books.attestation TO sathorn_app, sathorn_checker;
GRANT INSERT (id, asset, counted, booked, as_of, statement, operator, at, step_up, bank_statement)
  ON books.attestation TO sathorn_app;

CREATE FUNCTION books.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on books.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'BK001';
END $$;

-- The text that the person signs.
CREATE FUNCTION books.signed_text(_attestation books.attestation) RETURNS text LANGUAGE sql STABLE
  SET search_path = books, pg_temp AS $$
  SELECT to_json(ARRAY[_attestation.asset, CASE a.scale WHEN 0 THEN digits ELSE left(digits, -a.scale) || '.' || right(digits, a.scale) END,
    to_char(_attestation.as_of AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), _attestation.statement, _attestation.bank_statement::text])::text
  FROM ledger.asset a, LATERAL (SELECT lpad(_attestation.counted::text, greatest(a.scale + 1, length(_attestation.counted::text)), '0') AS digits) units
  WHERE a.code = _attestation.asset
$$;

-- Rejects an attestation unless the person signed exactly this balance.
CREATE FUNCTION books.check_signed_attestation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = books, pg_temp AS $$
BEGIN
  IF NOT votes.is_act(NEW.step_up, 'balance.attest', NEW.asset, books.signed_text(NEW), NEW.operator, true) THEN
    RAISE EXCEPTION 'attestation %: its person did not sign it', NEW.id USING ERRCODE = 'BK002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_signed_attestation BEFORE INSERT ON books.attestation FOR EACH ROW
  EXECUTE FUNCTION books.check_signed_attestation();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['books.attestation'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION books.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION books.check_signed_attestation, books.signed_text FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.signed_text TO sathorn_checker;
