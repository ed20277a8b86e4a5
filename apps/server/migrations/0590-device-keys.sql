-- Keys of customers' devices and what they signed (docs/verification.md, section 27): so that nobody can invent an
-- order, a withdrawal or a payee that looks as if one of the customer's devices had given it.
CREATE TABLE customers.device_key (
  id text PRIMARY KEY CHECK (id = left(encode(sha256(public_key), 'hex'), 32)),
  customer bigint NOT NULL REFERENCES customers.customer,
  -- An uncompressed point of P-256. The private half never leaves the device.
  public_key bytea NOT NULL CHECK (length(public_key) = 65 AND get_byte(public_key, 0) = 4),
  -- The session that registered it. Old sessions are removed, so this is no foreign key.
  session uuid NOT NULL,
  device text NOT NULL CHECK (length(device) <= 200),
  -- A keyed digest over customer and key, which the application's login can't compute; a key without it is ignored.
  mac bytea NOT NULL CHECK (length(mac) = 32),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX device_key_of_session ON customers.device_key (session) WHERE revoked_at IS NULL;
CREATE INDEX device_key_customer ON customers.device_key (customer, created_at);
GRANT SELECT ON customers.device_key TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, public_key, session, device, mac, created_at), UPDATE (revoked_at) ON customers.device_key
  TO sathorn_app;

-- A signed order. It is stored before the order is carried out, so there are also some that were then refused.
CREATE TABLE customers.ordered (
  intent uuid NOT NULL,
  -- The request's digest as the ledger keeps it, so that a request with other fields under the same intent is not taken
  -- for this one. Where fields are private, it is the commitment to them.
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  -- A trigger checks both. Foreign keys would also lock their rows with each order.
  customer bigint NOT NULL,
  key text NOT NULL,
  -- The exact text (ordered/1) and its ECDSA signature.
  body text NOT NULL CHECK (octet_length(body) <= 4096),
  signature bytea NOT NULL CHECK (length(signature) = 64),
  at timestamptz NOT NULL,
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY (intent, digest)
);
GRANT SELECT ON customers.ordered TO sathorn_app, sathorn_checker;
GRANT INSERT (intent, digest, customer, key, body, signature, at) ON customers.ordered TO sathorn_app;

-- A key begins in an open session of its customer and can only be revoked. Both are dated by the database's clock.
CREATE FUNCTION customers.keep_device_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.revoked_at IS NOT NULL
      OR NOT EXISTS (SELECT FROM session s WHERE s.id = NEW.session AND s.customer = NEW.customer AND s.ended_at IS NULL) THEN
      RAISE EXCEPTION 'a device’s key begins in an open session of its customer' USING ERRCODE = 'DK001';
    END IF;
    IF NOT is_virtual THEN NEW.created_at := clock_timestamp(); END IF;
  ELSE
    IF OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
      OR (to_jsonb(NEW) - 'revoked_at') IS DISTINCT FROM (to_jsonb(OLD) - 'revoked_at') THEN
      RAISE EXCEPTION 'a device’s key is only revoked' USING ERRCODE = 'DK001';
    END IF;
    IF NOT is_virtual THEN NEW.revoked_at := clock_timestamp(); END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_device_key BEFORE INSERT OR UPDATE ON customers.device_key FOR EACH ROW
  EXECUTE FUNCTION customers.keep_device_key();

CREATE FUNCTION customers.check_ordered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM device_key k WHERE k.id = NEW.key AND k.customer = NEW.customer AND k.revoked_at IS NULL) THEN
    RAISE EXCEPTION 'key % does not sign for customer %', NEW.key, NEW.customer USING ERRCODE = 'DK002';
  END IF;
  IF NOT (SELECT virtual_clock FROM market.guard) THEN NEW.at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_ordered BEFORE INSERT ON customers.ordered FOR EACH ROW EXECUTE FUNCTION customers.check_ordered();

CREATE FUNCTION customers.keep_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on customers.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'DK003';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON customers.ordered FOR EACH ROW EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_delete BEFORE DELETE ON customers.device_key FOR EACH ROW EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON customers.ordered FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON customers.device_key FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_signed();

-- The call that added a payee; null in older rows. Every other order has its call's id already.
ALTER TABLE payees.payee ADD COLUMN intent uuid;
GRANT INSERT (intent) ON payees.payee TO sathorn_app;

-- The signature of what the ledger did for an intent, or of the payee that it added; none if it did something else.
CREATE FUNCTION customers.signature_of(_customer bigint, _intent uuid) RETURNS SETOF customers.ordered
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT o.* FROM ordered o LEFT JOIN ledger.journal j ON j.id = o.intent
  WHERE o.intent = _intent AND o.customer = _customer AND (o.digest = j.digest OR j.id IS NULL)
  ORDER BY o.arrival DESC LIMIT 1
$$;

-- The call that made the customer's record with this id.
CREATE FUNCTION customers.intent_of(_customer bigint, _id text) RETURNS uuid
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT CASE
    WHEN _id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN _id::uuid
    WHEN _id ~ '^[A-Z]{2,10}-[1-9][0-9]{0,14}$' THEN (SELECT o.journal FROM contracts.orders o
      WHERE o.coin = split_part(_id, '-', 1) AND o.sequence = split_part(_id, '-', 2)::bigint AND o.customer_id = _customer)
    ELSE (SELECT p.intent FROM payees.payee p WHERE p.id = _id AND p.owner = _customer) END
$$;

-- What customers ordered, with the signature of the device that ordered it, if there is one.
CREATE VIEW customers.given AS
  SELECT r.about, r.id, r.customer, r.at_ms, s.key, s.body, s.signature
  FROM (
    SELECT 'option' AS about, id::text AS id, id AS intent, customer_id AS customer, accepted_ms AS at_ms FROM options.orders
    UNION ALL
    SELECT 'order', coin || '-' || sequence, journal, customer_id, accepted_ms FROM contracts.orders WHERE customer_id <> 0
    UNION ALL
    SELECT 'lockup', id::text, id, customer_id, (extract(epoch FROM subscribed_at) * 1000)::bigint FROM earning.lockup
    UNION ALL
    SELECT 'liquidity', id::text, id, customer_id, (extract(epoch FROM at) * 1000)::bigint FROM earning.movement
    UNION ALL
    SELECT 'withdrawal', id::text, id, customer_id, (extract(epoch FROM created_at) * 1000)::bigint FROM withdrawals.withdrawal
    UNION ALL
    SELECT 'payee', id, intent, owner, (extract(epoch FROM added_at) * 1000)::bigint FROM payees.payee
  ) r
  LEFT JOIN LATERAL customers.signature_of(r.customer, r.intent) s ON true;
GRANT SELECT ON customers.given TO sathorn_app;

REVOKE ALL ON FUNCTION customers.keep_device_key, customers.check_ordered, customers.keep_signed, customers.signature_of,
  customers.intent_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.signature_of, customers.intent_of TO sathorn_app;
