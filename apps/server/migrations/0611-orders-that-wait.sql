-- Orders that wait for a tick of the index. Each holds what it may cost, is triggered at most once, by a tick that
-- reaches its price and is later than `armed_ms`, and then becomes an order of the book, whose row names it.
CREATE TABLE contracts.waiting (
  coin text NOT NULL,
  -- From the numbers of the coin's book, so that an id is either an order's or a waiting order's.
  sequence bigint NOT NULL,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  journal uuid NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  trigger text NOT NULL CHECK (trigger IN ('stop', 'take_profit')),
  -- Prices and quantities as in contracts.orders.
  trigger_price bigint NOT NULL CHECK (trigger_price > 0),
  type text NOT NULL CHECK (type IN ('limit', 'market')),
  time_in_force text NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK')),
  post_only boolean NOT NULL,
  price bigint CHECK (price > 0),
  quantity bigint CHECK (quantity > 0),
  amount bigint CHECK (amount > 0),
  maker_bps integer NOT NULL CHECK (maker_bps BETWEEN 0 AND 10000),
  taker_bps integer NOT NULL CHECK (taker_bps BETWEEN 0 AND 10000),
  accepted_ms bigint NOT NULL,
  -- Ticks up to this moment were already looked at when the order was accepted.
  armed_ms bigint NOT NULL CHECK (armed_ms >= accepted_ms),
  -- The waiting order whose place this one took.
  replaces bigint CHECK (replaces < sequence),
  -- The resting order that ends when this one triggers, and whose first fill ends this one.
  pair bigint CHECK (pair < sequence),
  held bigint NOT NULL CHECK (held >= 0),
  state text NOT NULL CHECK (state IN ('waiting', 'triggered', 'refused', 'revoked', 'amended', 'paired')),
  -- Why the book refused it when it triggered.
  refusal text CHECK (refusal ~ '^[a-z_]{1,40}$'),
  tick bigint,
  tick_ms bigint,
  tick_price bigint,
  -- The order that it became.
  order_sequence bigint,
  updated_ms bigint NOT NULL,
  -- As on contracts.orders.
  seal uuid,
  PRIMARY KEY (coin, sequence),
  CHECK ((type = 'limit') = (price IS NOT NULL)),
  CHECK ((quantity IS NULL) <> (amount IS NULL)),
  CHECK (amount IS NULL OR (type = 'market' AND side = 'buy')),
  CHECK (state = 'waiting' OR held = 0),
  CHECK ((state IN ('triggered', 'refused')) = (tick IS NOT NULL)),
  CHECK ((tick IS NULL) = (tick_ms IS NULL) AND (tick IS NULL) = (tick_price IS NULL)),
  CHECK ((state = 'triggered') = (order_sequence IS NOT NULL)),
  CHECK ((state = 'refused') = (refusal IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX waiting_live ON contracts.waiting (customer_id, coin, sequence) WHERE state = 'waiting';
CREATE INDEX waiting_of_customer ON contracts.waiting (customer_id, accepted_ms);
CREATE UNIQUE INDEX waiting_replaced ON contracts.waiting (coin, replaces) WHERE replaces IS NOT NULL;
GRANT SELECT ON contracts.waiting TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (held, state, refusal, tick, tick_ms, tick_price, order_sequence, updated_ms)
  ON contracts.waiting TO sathorn_app;

-- The waiting order that an order was. Never two orders of one.
ALTER TABLE contracts.orders ADD COLUMN waiting bigint CHECK (waiting < sequence);
CREATE UNIQUE INDEX orders_that_waited ON contracts.orders (coin, waiting) WHERE waiting IS NOT NULL;

-- Up to which time of ticks the coin's matcher has triggered orders; written under its lease.
ALTER TABLE contracts.book ADD COLUMN passed_ms bigint NOT NULL DEFAULT 0;
GRANT UPDATE (passed_ms) ON contracts.book TO sathorn_app;

-- A waiting order ends once. It is triggered by a tick of its coin's chain, later than it was
-- armed, that reaches its price, and none of the recent ticks before that reaches it.
CREATE FUNCTION contracts.keep_waiting() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = contracts, pg_temp AS $$
DECLARE
  is_above CONSTANT boolean := (NEW.side = 'buy') = (NEW.trigger = 'stop');
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state <> 'waiting' OR NEW.state = 'waiting') THEN
    RAISE EXCEPTION 'a waiting order ends once' USING ERRCODE = 'CT005';
  END IF;
  IF NEW.tick IS NULL THEN RETURN NEW; END IF;
  IF NEW.tick_ms <= NEW.armed_ms
    OR NOT (CASE WHEN is_above THEN NEW.tick_price >= NEW.trigger_price ELSE NEW.tick_price <= NEW.trigger_price END)
    OR NOT EXISTS (SELECT FROM market.kept_tick(NEW.coin, NEW.tick) t
      WHERE t.price = NEW.tick_price AND (extract(epoch FROM t.at) * 1000)::bigint = NEW.tick_ms) THEN
    RAISE EXCEPTION 'tick % does not trigger %-%', NEW.tick, NEW.coin, NEW.sequence USING ERRCODE = 'CT006';
  END IF;
  IF EXISTS (SELECT FROM market.tick t WHERE t.coin = NEW.coin AND t.sequence < NEW.tick AND t.at > to_timestamp(NEW.armed_ms / 1000.0)
    AND CASE WHEN is_above THEN t.price >= NEW.trigger_price ELSE t.price <= NEW.trigger_price END) THEN
    RAISE EXCEPTION 'a tick before % triggers %-%', NEW.tick, NEW.coin, NEW.sequence USING ERRCODE = 'CT006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_waiting BEFORE INSERT OR UPDATE ON contracts.waiting FOR EACH ROW
  EXECUTE FUNCTION contracts.keep_waiting();
CREATE TRIGGER sealed BEFORE INSERT ON contracts.waiting FOR EACH ROW WHEN (NEW.seal IS NULL)
  EXECUTE FUNCTION contracts.refuse_unsealed();
CREATE TRIGGER no_delete BEFORE DELETE ON contracts.waiting FOR EACH ROW EXECUTE FUNCTION contracts.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON contracts.waiting FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_change();

-- Writes how a batch's waiting orders ended.
CREATE FUNCTION contracts.end_waiting(_coins text[], _sequences bigint[], _held bigint[], _states text[], _refusals text[],
  _ticks bigint[], _ticks_ms bigint[], _tick_prices bigint[], _orders bigint[], _updated_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE contracts.waiting w SET held = u.held, state = u.state, refusal = u.refusal, tick = u.tick, tick_ms = u.tick_ms,
    tick_price = u.tick_price, order_sequence = u.order_sequence, updated_ms = u.updated_ms
  FROM unnest(_coins, _sequences, _held, _states, _refusals, _ticks, _ticks_ms, _tick_prices, _orders, _updated_ms)
    AS u(coin, sequence, held, state, refusal, tick, tick_ms, tick_price, order_sequence, updated_ms)
  WHERE w.coin = u.coin AND w.sequence = u.sequence;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> cardinality(_coins) THEN RAISE EXCEPTION 'a waiting order that is not there' USING ERRCODE = 'CT003'; END IF;
END $$;

-- Moves the mark of a coin's ticks forward, under the lease.
CREATE FUNCTION contracts.pass_ticks(_coin text, _lease bigint, _upto bigint) RETURNS void
LANGUAGE sql SET search_path = contracts, pg_temp AS $$
  UPDATE contracts.book SET passed_ms = _upto WHERE coin = _coin AND lease = _lease AND passed_ms < _upto;
$$;
REVOKE ALL ON FUNCTION contracts.keep_waiting, contracts.end_waiting, contracts.pass_ticks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION contracts.end_waiting, contracts.pass_ticks TO sathorn_app;

-- The call that made the customer's record with this id.
CREATE OR REPLACE FUNCTION customers.intent_of(_customer bigint, _id text) RETURNS uuid
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT CASE
    WHEN _id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN _id::uuid
    WHEN _id ~ '^[A-Z]{2,10}-[1-9][0-9]{0,14}$' THEN (
      SELECT journal FROM (
        SELECT coin, sequence, customer_id, journal FROM contracts.orders
        UNION ALL SELECT coin, sequence, customer_id, journal FROM contracts.waiting) o
      WHERE o.coin = split_part(_id, '-', 1) AND o.sequence = split_part(_id, '-', 2)::bigint AND o.customer_id = _customer)
    ELSE (SELECT p.intent FROM payees.payee p WHERE p.id = _id AND p.owner = _customer) END
$$;

-- As before, with orders that wait; what they become was ordered with them.
CREATE OR REPLACE VIEW customers.given AS
  SELECT r.about, r.id, r.customer, r.at_ms, s.key, s.body, s.signature,
    CASE WHEN r.about NOT IN ('withdrawal', 'payee') THEN a.key END AS api_key
  FROM (
    SELECT 'option' AS about, id::text AS id, id AS intent, customer_id AS customer, accepted_ms AS at_ms FROM options.orders
    UNION ALL
    SELECT 'order', coin || '-' || sequence, journal, customer_id, accepted_ms FROM contracts.orders
    WHERE customer_id <> 0 AND waiting IS NULL
    UNION ALL
    SELECT 'waiting', coin || '-' || sequence, journal, customer_id, accepted_ms FROM contracts.waiting
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
