-- Signing keys, restorations of a copy, and fingerprints of secrets: what a later reader needs to verify earlier
-- records.
CREATE SCHEMA proofs;
GRANT USAGE ON SCHEMA proofs TO sathorn_app, sathorn_index, sathorn_checker;

-- Public keys, which are never removed, because old signatures must stay verifiable.
CREATE TABLE proofs.key (
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
  use text NOT NULL CHECK (use IN ('index', 'receipt', 'ledger')),
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- A key that follows another is announced by a record that both have signed, so that nobody can publish their own key
  -- beside ours. The first key of a use has none.
  record text,
  -- The signatures of the key itself, and of the one before it.
  signature bytea CHECK (length(signature) = 64),
  previous_signature bytea CHECK (length(previous_signature) = 64),
  PRIMARY KEY (use, id),
  CONSTRAINT record_whole CHECK (num_nonnulls(record, signature, previous_signature) IN (0, 3)),
  CONSTRAINT record_of_key CHECK (record IS NULL OR (record::jsonb ->> 'id' = id AND record::jsonb ->> 'use' = use
    AND record::jsonb ->> 'public_key' = encode(public_key, 'hex') AND record::jsonb ->> 'prev' <> id) IS TRUE)
);
-- At most one successor per key, because with two, readers would trust neither.
CREATE UNIQUE INDEX key_successor ON proofs.key (use, (record::jsonb ->> 'prev')) WHERE record IS NOT NULL;
GRANT SELECT ON proofs.key TO sathorn_app, sathorn_index, sathorn_checker;

-- Restorations to an earlier moment. A restored database uses sequences again with other contents, and the holder of an
-- old receipt or tick must be able to see when that happened. `npm run restore` writes it as the owner.
CREATE TABLE proofs.restoration (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  restored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The newest record of the restored database, and the newest that the backup knows as acknowledged.
  ends_at timestamptz NOT NULL,
  known_at timestamptz NOT NULL,
  transfers bigint NOT NULL,
  known_transfers bigint NOT NULL,
  -- The sequence of the last tick, by coin.
  ticks jsonb NOT NULL,
  known_ticks jsonb NOT NULL
);
GRANT SELECT ON proofs.restoration TO sathorn_app, sathorn_index, sathorn_checker;

-- Reconciliations after a restoration, whose copy is older than the chain. Until two people have reconciled it with the
-- chain nothing leaves, whatever the application does.
CREATE TABLE proofs.reconciliation (
  restoration bigint PRIMARY KEY REFERENCES proofs.restoration,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at timestamptz,
  approval uuid UNIQUE,
  CHECK (num_nonnulls(closed_at, approval) IN (0, 2))
);
CREATE UNIQUE INDEX reconciliation_open ON proofs.reconciliation ((true)) WHERE closed_at IS NULL;
GRANT SELECT ON proofs.reconciliation TO sathorn_app, sathorn_checker;

-- Opens a reconciliation for each restoration, so that no tool can omit it. If one is already open, it stays open.
CREATE FUNCTION proofs.open_reconciliation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = proofs, pg_temp AS $$
BEGIN
  INSERT INTO reconciliation (restoration) SELECT NEW.id WHERE NOT EXISTS (SELECT FROM reconciliation WHERE closed_at IS NULL);
  UPDATE reconciliation SET since = clock_timestamp() WHERE closed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER open_reconciliation AFTER INSERT ON proofs.restoration FOR EACH ROW
  EXECUTE FUNCTION proofs.open_reconciliation();

-- Allows it to be closed once, by two people, when everything is explained and booked on a chain that was read to its
-- end since.
CREATE FUNCTION proofs.check_reconciled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = proofs,
  pg_temp AS $$
BEGIN
  IF pg_trigger_depth() > 1 AND NEW.closed_at IS NULL THEN RETURN NEW; END IF;
  IF OLD.closed_at IS NOT NULL OR (NEW.restoration, NEW.since) IS DISTINCT FROM (OLD.restoration, OLD.since)
    OR NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by
      WHERE a.id = NEW.approval AND a.kind = 'restoration_end' AND a.subject = NEW.restoration::text AND a.status = 'approved'
        AND (a.content::jsonb ->> 'since')::timestamptz = date_trunc('milliseconds', NEW.since)) THEN
    RAISE EXCEPTION 'nobody has reconciled restoration %', NEW.restoration USING ERRCODE = 'RS002';
  END IF;
  IF EXISTS (SELECT FROM withdrawals.unexplained) OR withdrawals.unread_chains() <> '{}' THEN
    RAISE EXCEPTION 'the chain says more than the books: restoration % is not reconciled', NEW.restoration USING ERRCODE = 'RS003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_reconciled BEFORE UPDATE ON proofs.reconciliation FOR EACH ROW
  EXECUTE FUNCTION proofs.check_reconciled();

-- Fingerprints of secrets, which reveal nothing of 32 random bytes. A start with another secret is refused: a new one
-- in place of a lost one would make passwords, pictures and the seeds of boxes unreadable. The newest row of a name
-- counts.
CREATE TABLE proofs.secret_fingerprint (
  name text NOT NULL CHECK (name ~ '^[a-zA-Z]{1,40}$'),
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (name, since)
);
GRANT SELECT ON proofs.secret_fingerprint TO sathorn_checker;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['proofs.key', 'proofs.restoration'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['proofs.reconciliation'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA proofs FROM PUBLIC;
