-- The balance of a bank statement, signed for by one person, and the ledger's balance at that moment. It changes no account.
CREATE SCHEMA books;
CREATE TABLE books.attestation (
  id uuid PRIMARY KEY,
  asset text NOT NULL,
  counted numeric(39, 0) NOT NULL CHECK (counted >= 0),
  booked numeric(39, 0) NOT NULL,
  as_of timestamptz NOT NULL,
  statement text NOT NULL CHECK (length(statement) BETWEEN 1 AND 200),
  operator bigint NOT NULL,
  at timestamptz NOT NULL,
  CHECK (as_of <= at)
);
CREATE INDEX attestation_newest ON books.attestation (at DESC);
CREATE FUNCTION books.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on books.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'BK001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON books.attestation FOR EACH ROW EXECUTE FUNCTION books.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON books.attestation FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();
GRANT USAGE ON SCHEMA books TO sathorn_app, sathorn_checker;
GRANT SELECT ON books.attestation TO sathorn_app, sathorn_checker;
GRANT INSERT ON books.attestation TO sathorn_app;
