-- API keys of customers (docs/keys.md): programs sign each request with one, within its scopes, addresses and end. Of a
-- key with its customer's own public half nothing is stored that could sign; the secrets of the others are derived with
-- a key outside the database.
CREATE TABLE customers.api_key (
  -- 128 random bits.
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  customer bigint NOT NULL REFERENCES customers.customer,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  scopes text[] NOT NULL CHECK (cardinality(scopes) BETWEEN 1 AND 2 AND scopes <@ ARRAY['read', 'trade']),
  -- Ranges of IP addresses; empty where any address may use the key.
  addresses text[] NOT NULL CHECK (cardinality(addresses) <= 20),
  -- Ed25519. Null for HMAC-SHA-256.
  public_key bytea CHECK (length(public_key) = 32),
  -- The session that made it. Old sessions are removed, so this is no foreign key.
  session uuid NOT NULL,
  -- A keyed digest over all of the above but the session, and the end, which the application's login can't compute; a
  -- key without it is unknown.
  mac bytea NOT NULL CHECK (length(mac) = 32),
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text CHECK (revoked_by IN ('customer', 'password', 'freeze', 'factor')),
  used_at timestamptz,
  used_address text,
  uses bigint NOT NULL DEFAULT 0,
  CHECK (ends_at > created_at AND ends_at <= created_at + interval '366 days'),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX api_key_customer ON customers.api_key (customer, created_at);
-- A public key whose private half leaked does not come back.
CREATE UNIQUE INDEX api_key_once ON customers.api_key (customer, public_key) WHERE public_key IS NOT NULL;
GRANT SELECT ON customers.api_key TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, name, scopes, addresses, public_key, session, mac, created_at, ends_at),
  UPDATE (revoked_at, revoked_by) ON customers.api_key TO sathorn_app;

-- A request can't be sent again: its nonce is kept for longer than its time is accepted.
CREATE TABLE customers.api_nonce (
  key text NOT NULL,
  nonce text NOT NULL CHECK (nonce ~ '^[A-Za-z0-9_-]{8,64}$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (key, nonce)
);
CREATE INDEX api_nonce_old ON customers.api_nonce (at);

-- Refused requests that named a key. Equal ones from one address within an hour are one row with their count, so that a
-- flood fills no disk.
CREATE TABLE customers.api_refusal (
  key text NOT NULL REFERENCES customers.api_key,
  refusal text NOT NULL,
  -- Empty for the rest of a flood from many addresses.
  address text NOT NULL CHECK (length(address) <= 45),
  hour timestamptz NOT NULL,
  customer bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (key, refusal, address, hour)
) WITH (fillfactor = 80);
CREATE INDEX api_refusal_customer ON customers.api_refusal (customer, last_at DESC);
CREATE INDEX api_refusal_old ON customers.api_refusal (last_at);
GRANT SELECT, INSERT, UPDATE (first_at, last_at, count), DELETE ON customers.api_refusal TO sathorn_app;

-- What an API key ordered: the request as it was signed. It is stored before the order is carried out, so there are also
-- some that were then refused.
CREATE TABLE customers.api_order (
  intent uuid NOT NULL,
  -- The request's digest as the ledger keeps it, as in customers.ordered.
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  -- A trigger checks both. Foreign keys would also lock their rows with each order.
  customer bigint NOT NULL,
  key text NOT NULL,
  -- The text request/1, which has the hash of the form.
  request text NOT NULL CHECK (octet_length(request) <= 4096),
  form text NOT NULL CHECK (octet_length(form) <= 4096),
  -- Ed25519, or HMAC-SHA-256, which proves nothing to others.
  signature bytea NOT NULL CHECK (length(signature) IN (32, 64)),
  at timestamptz NOT NULL,
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY (intent, digest)
);
GRANT SELECT ON customers.api_order TO sathorn_app, sathorn_checker;
GRANT INSERT (intent, digest, customer, key, request, form, signature, at) ON customers.api_order TO sathorn_app;

-- A key begins in an open session of a customer who isn't frozen, is used, and is revoked once, not before the database's
-- clock.
CREATE FUNCTION customers.keep_api_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
DECLARE
  changing CONSTANT text[] := '{revoked_at,revoked_by,used_at,used_address,uses}';
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.revoked_at IS NOT NULL OR NEW.uses <> 0
      OR NOT EXISTS (SELECT FROM session s WHERE s.id = NEW.session AND s.customer = NEW.customer AND s.ended_at IS NULL) THEN
      RAISE EXCEPTION 'an API key begins in an open session of its customer' USING ERRCODE = 'AK001';
    END IF;
    IF customers.is_frozen(NEW.customer, 'sign_in') OR customers.is_frozen(NEW.customer, 'trading') THEN
      RAISE EXCEPTION 'a frozen customer makes no API key' USING ERRCODE = 'AK001';
    END IF;
  ELSE
    IF (to_jsonb(NEW) - changing) IS DISTINCT FROM (to_jsonb(OLD) - changing) OR NEW.uses < OLD.uses
      OR OLD.revoked_at IS NOT NULL AND NEW IS DISTINCT FROM OLD THEN
      RAISE EXCEPTION 'an API key is only used and revoked' USING ERRCODE = 'AK001';
    END IF;
    IF NEW.revoked_at IS NOT NULL THEN NEW.revoked_at := greatest(NEW.revoked_at, clock_timestamp()); END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_api_key BEFORE INSERT OR UPDATE ON customers.api_key FOR EACH ROW
  EXECUTE FUNCTION customers.keep_api_key();

-- Uses a key for one request: `used`, `over` for a key that has ended or is revoked, `replayed` for a nonce that it has
-- used before. The row's lock lets a revocation that runs at the same time come before or after, and not between.
CREATE FUNCTION customers.use_api_key(_key text, _nonce text, _address text, _at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
BEGIN
  -- A nonce that a crash of the machine loses is of a request that the next start takes for too old.
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM api_key WHERE id = _key AND revoked_at IS NULL AND ends_at > _at FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'over'; END IF;
  INSERT INTO api_nonce (key, nonce) VALUES (_key, _nonce) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'replayed'; END IF;
  UPDATE api_key SET used_at = greatest(used_at, _at), used_address = _address, uses = uses + 1 WHERE id = _key;
  RETURN 'used';
END $$;

-- Removes nonces whose requests are long too old.
CREATE FUNCTION customers.sweep_api_nonces() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  DELETE FROM api_nonce WHERE at < clock_timestamp() - interval '5 minutes'
$$;

-- A new password, a freeze and the reset of a lost factor end all keys, whoever causes them.
CREATE FUNCTION customers.end_api_keys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
DECLARE
  changed CONSTANT jsonb := to_jsonb(NEW);
BEGIN
  UPDATE api_key SET revoked_at = greatest(clock_timestamp(), created_at, used_at), revoked_by = TG_ARGV[0]
  WHERE customer = coalesce(changed ->> 'customer', changed ->> 'id')::bigint AND revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_api_keys AFTER UPDATE OF hash ON customers.credential FOR EACH ROW
  WHEN (NEW.hash <> OLD.hash) EXECUTE FUNCTION customers.end_api_keys('password');
CREATE TRIGGER end_api_keys AFTER INSERT ON customers.freeze FOR EACH ROW
  EXECUTE FUNCTION customers.end_api_keys('freeze');
CREATE TRIGGER end_api_keys AFTER UPDATE OF frozen_reason ON customers.customer FOR EACH ROW
  WHEN (NEW.frozen_reason IS NOT NULL) EXECUTE FUNCTION customers.end_api_keys('freeze');
CREATE TRIGGER end_api_keys AFTER UPDATE OF state ON customers.factor_reset FOR EACH ROW
  WHEN (NEW.state = 'done') EXECUTE FUNCTION customers.end_api_keys('factor');

CREATE FUNCTION customers.check_api_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM api_key k WHERE k.id = NEW.key AND k.customer = NEW.customer AND k.revoked_at IS NULL
    AND 'trade' = ANY (k.scopes) AND length(NEW.signature) = CASE WHEN k.public_key IS NULL THEN 32 ELSE 64 END) THEN
    RAISE EXCEPTION 'API key % does not order for customer %', NEW.key, NEW.customer USING ERRCODE = 'AK002';
  END IF;
  IF NOT (SELECT virtual_clock FROM market.guard) THEN NEW.at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_api_order BEFORE INSERT ON customers.api_order FOR EACH ROW
  EXECUTE FUNCTION customers.check_api_order();

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON customers.api_order FOR EACH ROW EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_delete BEFORE DELETE ON customers.api_key FOR EACH ROW EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON customers.api_order FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_signed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON customers.api_key FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_signed();

-- What an API key signed for what the ledger did for an intent; none if the ledger did something else.
CREATE FUNCTION customers.api_order_of(_customer bigint, _intent uuid) RETURNS SETOF customers.api_order
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT o.* FROM api_order o JOIN ledger.journal j ON j.id = o.intent
  WHERE o.intent = _intent AND o.customer = _customer AND o.digest = j.digest LIMIT 1
$$;

-- As before, with the API key that ordered it, if one did. No key withdraws or adds a payee.
CREATE OR REPLACE VIEW customers.given AS
  SELECT r.about, r.id, r.customer, r.at_ms, s.key, s.body, s.signature,
    CASE WHEN r.about NOT IN ('withdrawal', 'payee') THEN a.key END AS api_key
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
  LEFT JOIN LATERAL customers.signature_of(r.customer, r.intent) s ON true
  LEFT JOIN LATERAL customers.api_order_of(r.customer, r.intent) a ON true;

REVOKE ALL ON FUNCTION customers.keep_api_key, customers.use_api_key, customers.sweep_api_nonces, customers.end_api_keys,
  customers.check_api_order, customers.api_order_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.use_api_key, customers.sweep_api_nonces, customers.api_order_of TO sathorn_app;
