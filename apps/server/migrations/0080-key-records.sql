-- A key that follows another is announced by a record that both have signed, so that nobody can publish one of their own beside ours. The
-- first key of a use has none.
ALTER TABLE proofs.key
  ADD COLUMN record text,
  -- Of the key itself, and of the one before it.
  ADD COLUMN signature bytea CHECK (length(signature) = 64),
  ADD COLUMN previous_signature bytea CHECK (length(previous_signature) = 64),
  ADD CONSTRAINT record_whole CHECK (num_nonnulls(record, signature, previous_signature) IN (0, 3)),
  ADD CONSTRAINT record_of_key CHECK (record IS NULL OR (record::jsonb ->> 'id' = id AND record::jsonb ->> 'use' = use
    AND record::jsonb ->> 'public_key' = encode(public_key, 'hex') AND record::jsonb ->> 'prev' <> id) IS TRUE);

-- One successor a key: with two, readers would trust neither.
CREATE UNIQUE INDEX key_successor ON proofs.key (use, (record::jsonb ->> 'prev')) WHERE record IS NOT NULL;

