-- Addresses on a chain: each customer's, and the house's own.
CREATE SCHEMA chain;
GRANT USAGE ON SCHEMA chain TO sathorn_app, sathorn_checker;

-- A deposit address, derived from the extended public key by its index. An index is assigned once and never again.
CREATE TABLE chain.address (
  chain text NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  index integer NOT NULL CHECK (index >= 0),
  -- In lower case, as nodes write it; the app shows it with its checksum.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  -- The beginning of the extended public key from which it was derived.
  xpub_mark text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, customer_id),
  UNIQUE (chain, index),
  UNIQUE (chain, address)
);
CREATE INDEX address_anywhere ON chain.address (address);
GRANT SELECT ON chain.address TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, customer_id, index, address, xpub_mark) ON chain.address TO sathorn_app;

-- Addresses with a role of the house. The house pays none of them, on any chain, even if the role has ended. Otherwise
-- a customer could save the house's wallet as a payee, and books and chain would disagree. A transfer of the wallet to
-- itself counts as outgoing and incoming.
CREATE TABLE chain.house_address (
  chain text NOT NULL,
  -- In lower case.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  role text NOT NULL CHECK (role IN ('wallet', 'token', 'named')),
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (address, chain, role)
);
GRANT SELECT ON chain.house_address TO sathorn_app, sathorn_checker;

-- True if the address has a role of the house. A deposit address counts on its own chain only; on another chain nobody
-- would credit what arrives there.
CREATE FUNCTION chain.is_house(_chain text, _address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chain.house_address WHERE address = _address)
    OR EXISTS (SELECT FROM chain.address WHERE address = _address) AND NOT EXISTS (SELECT FROM chain.address WHERE address = _address AND chain = _chain)
$$;

-- True if the house keeps money at the address. The token's contract does not count, because what is sent there is
-- lost.
CREATE FUNCTION chain.is_kept(_address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chain.house_address WHERE address = _address AND role IN ('wallet', 'named'))
$$;

-- Ranges of indexes that are skipped after a restoration. The restored table may lack the newest addresses, and the
-- next customer would get the address, and the money, of a lost one. People decide about money that arrives in a
-- skipped range; it is credited to nobody.
CREATE TABLE chain.skipped (
  chain text NOT NULL,
  from_index integer NOT NULL CHECK (from_index >= 0),
  to_index integer NOT NULL CHECK (to_index >= from_index),
  reason text NOT NULL CHECK (reason IN ('restoration', 'used')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, from_index)
);
GRANT SELECT ON chain.skipped TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, from_index, to_index, reason) ON chain.skipped TO sathorn_app;

-- The next index that was never assigned.
CREATE FUNCTION chain.free_index(_chain text) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT greatest((SELECT max(index) FROM address WHERE chain = _chain), (SELECT max(to_index) FROM skipped WHERE chain = _chain), -1) + 1
$$;

-- The next index; null while none may be assigned.
CREATE FUNCTION chain.next_index(_chain text) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT CASE WHEN withdrawals.unreconciled_since() IS NULL THEN free_index(_chain) END
$$;

-- Rejects any index but the next one, so that the application can't fill a gap.
CREATE FUNCTION chain.check_index() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = chain, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('addresses:' || NEW.chain, 0));
  IF TG_TABLE_NAME = 'address' AND EXISTS (SELECT FROM skipped s WHERE s.chain = NEW.chain AND (to_jsonb(NEW) ->> 'index')::integer BETWEEN s.from_index AND s.to_index) THEN
    RAISE EXCEPTION 'index % was left out: its address may be a forgotten customer’s', to_jsonb(NEW) ->> 'index' USING ERRCODE = 'CH001';
  END IF;
  IF TG_TABLE_NAME = 'skipped' AND EXISTS (SELECT FROM address a WHERE a.chain = NEW.chain AND a.index BETWEEN (to_jsonb(NEW) ->> 'from_index')::integer AND (to_jsonb(NEW) ->> 'to_index')::integer) THEN
    RAISE EXCEPTION 'an index that has an owner is not left out' USING ERRCODE = 'CH001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_index BEFORE INSERT ON chain.address FOR EACH ROW EXECUTE FUNCTION chain.check_index();
CREATE TRIGGER check_index BEFORE INSERT ON chain.skipped FOR EACH ROW EXECUTE FUNCTION chain.check_index();

-- Skips a hundred thousand indexes after a restoration, because the copy may lack addresses.
CREATE FUNCTION chain.leave_gap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = chain, pg_temp AS $$
BEGIN
  INSERT INTO skipped (chain, from_index, to_index, reason)
    SELECT known.chain, free_index(known.chain), free_index(known.chain) + 99999, 'restoration'
    FROM (SELECT chain FROM address UNION SELECT chain FROM house_address WHERE role = 'wallet' UNION SELECT chain FROM deposits.cursor) known;
  RETURN NULL;
END $$;
CREATE TRIGGER leave_gap AFTER INSERT ON proofs.restoration FOR EACH ROW EXECUTE FUNCTION chain.leave_gap();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA chain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain.is_house TO sathorn_app, sathorn_signer, sathorn_checker;
GRANT EXECUTE ON FUNCTION chain.is_kept, chain.next_index TO sathorn_app;
