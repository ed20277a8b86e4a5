-- Where customers withdraw to: wallets and bank cards. Only the name of an entry can be edited, so a withdrawal and its
-- delay refer to what the customer saved. A removed entry keeps its row.
CREATE SCHEMA payees;
GRANT USAGE ON SCHEMA payees TO sathorn_app, sathorn_checker;

-- A wallet or a bank account that a customer saved.
CREATE TABLE payees.payee (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  owner bigint NOT NULL CHECK (owner > 0),
  kind text NOT NULL CHECK (kind IN ('card', 'wallet')),
  -- The slot in the list. The index below and this bound enforce the limit, also for simultaneous additions.
  place smallint NOT NULL CHECK (place >= 0 AND place < CASE kind WHEN 'card' THEN 3 ELSE 20 END),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  -- Address or account, encrypted with a key of this customer. The tag also covers id, owner, kind and time, so a row
  -- that was written, moved or backdated by hand cannot be decrypted.
  sealed bytea NOT NULL CHECK (length(sealed) > 28),
  -- A keyed hash of the address or account, so that the same one is not added twice.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  added_at timestamptz NOT NULL,
  removed_at timestamptz CHECK (removed_at >= added_at),
  -- When the database first stored the payee, from which the 24 hours count. `added_at` is the application's claim.
  stored_at timestamptz NOT NULL,
  -- A commitment to a wallet's chain and address: the SHA-256 of a key of this payee, the chain and the address. A
  -- withdrawal contains the key, so the database can verify that its address is the saved one.
  commitment bytea CHECK (length(commitment) = 32)
);
CREATE UNIQUE INDEX payee_place ON payees.payee (owner, kind, place) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX payee_once ON payees.payee (owner, digest) WHERE removed_at IS NULL;
CREATE INDEX payee_of_owner ON payees.payee (owner, added_at);
GRANT SELECT, INSERT (id, owner, kind, place, name, sealed, digest, added_at, commitment), UPDATE (name, removed_at)
  ON payees.payee TO sathorn_app;
GRANT SELECT (id, owner, kind, digest, removed_at, stored_at, commitment) ON payees.payee TO sathorn_checker;

-- The hash of a key, a chain and an address.
CREATE FUNCTION payees.commitment_of(_opening bytea, _chain text, _address text) RETURNS bytea
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(_opening || convert_to(_chain || ' ' || _address, 'UTF8'))
$$;

-- Requires a commitment of a wallet, and keeps a removed payee removed.
CREATE FUNCTION payees.check_payee() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = payees,
  pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at THEN
      RAISE EXCEPTION 'a removed payee stays removed' USING ERRCODE = 'PY001';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.kind = 'wallet') <> (NEW.commitment IS NOT NULL) THEN
    RAISE EXCEPTION 'a wallet commits to its address' USING ERRCODE = 'PY001';
  END IF;
  NEW.stored_at := clock_timestamp();
  -- A demo's customers begin with a month-old wallet and card: the first of each, and only in a demo.
  IF NEW.added_at < NEW.stored_at AND ((SELECT virtual_clock FROM market.guard)
    OR ((SELECT mode FROM ledger.deployment) = 'demo' AND NOT EXISTS (SELECT FROM payee WHERE owner = NEW.owner AND kind = NEW.kind))) THEN
    NEW.stored_at := NEW.added_at;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_payee BEFORE INSERT OR UPDATE OF removed_at ON payees.payee FOR EACH ROW
  EXECUTE FUNCTION payees.check_payee();

-- Gives a wallet without a commitment its own, once.
CREATE FUNCTION payees.commit_address(_id text, _commitment bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = payees, pg_temp AS $$
  UPDATE payee SET commitment = _commitment WHERE id = _id AND kind = 'wallet' AND commitment IS NULL
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA payees FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payees.commit_address TO sathorn_app;
GRANT EXECUTE ON FUNCTION payees.commitment_of TO sathorn_checker;
