-- A database that was restored to an earlier moment uses sequences again that were used before, with other contents: whoever kept a receipt or a
-- tick of them must be able to see when that was. Written by `npm run restore`, as the owner.
CREATE TABLE proofs.restoration (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  restored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The newest record of the restored database, and the newest that the backup knows to have been acknowledged.
  ends_at timestamptz NOT NULL,
  known_at timestamptz NOT NULL,
  transfers bigint NOT NULL,
  known_transfers bigint NOT NULL,
  -- Coin to the sequence of its last tick.
  ticks jsonb NOT NULL,
  known_ticks jsonb NOT NULL
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON proofs.restoration FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON proofs.restoration FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();
GRANT SELECT ON proofs.restoration TO sathorn_app, sathorn_checker;
