-- A repetition in a regular expression of PostgreSQL is at most 255, so the check of 0110 failed for every id.
ALTER TABLE operators.passkey DROP CONSTRAINT passkey_id_check;
ALTER TABLE operators.passkey ADD CONSTRAINT passkey_id_check CHECK (id ~ '^[A-Za-z0-9_-]+$' AND length(id) BETWEEN 16 AND 1400);
