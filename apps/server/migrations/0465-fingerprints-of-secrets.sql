-- On a machine whose folder had lost a secret, a new one was made: passwords, pictures and what is in boxes could no longer be read, and nobody was told.
-- The database remembers each by its fingerprint, which shows nothing of 32 random bytes, and a start with another one is refused. The newest row of a name counts.
CREATE TABLE proofs.secret_fingerprint (
  name text NOT NULL CHECK (name ~ '^[a-zA-Z]{1,40}$'),
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (name, since)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON proofs.secret_fingerprint FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON proofs.secret_fingerprint FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();
GRANT SELECT ON proofs.secret_fingerprint TO sathorn_checker;
