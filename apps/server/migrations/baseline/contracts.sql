-- Contracts: coins bought and sold against USDT on one book per coin. The matcher keeps the book in memory and
-- rebuilds it from these rows.
CREATE SCHEMA contracts;
GRANT USAGE ON SCHEMA contracts TO sathorn_app, sathorn_checker;

-- One writer per coin: every batch of commands increases `sequence`, and names the lease under which it was written.
CREATE TABLE contracts.book (
  coin text PRIMARY KEY REFERENCES ledger.asset,
  lease bigint NOT NULL DEFAULT 0,
  -- Number of the newest command that changed the book. An order's sequence is the one of its acceptance, which is its
  -- priority at its price.
  sequence bigint NOT NULL DEFAULT 0,
  trades bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO contracts.book (coin) SELECT unnest(ARRAY['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX']);
GRANT SELECT ON contracts.book TO sathorn_app, sathorn_checker;
GRANT UPDATE (lease, sequence, trades) ON contracts.book TO sathorn_app;

-- An order on a book. Resting ones (`is_live`) are the book.
CREATE TABLE contracts.orders (
  coin text NOT NULL,
  sequence bigint NOT NULL,
  -- 0 is the house's market maker.
  customer_id bigint NOT NULL,
  journal uuid NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  type text NOT NULL CHECK (type IN ('limit', 'market')),
  time_in_force text NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK')),
  post_only boolean NOT NULL,
  -- In units of 10^-6 USDT per coin. Quantities, and the hold of a sale, are in the coin's smallest unit; amounts in
  -- that of USDT.
  price bigint CHECK (price > 0),
  quantity bigint NOT NULL CHECK (quantity > 0),
  amount bigint CHECK (amount > 0),
  maker_bps integer NOT NULL CHECK (maker_bps BETWEEN 0 AND 10000),
  taker_bps integer NOT NULL CHECK (taker_bps BETWEEN 0 AND 10000),
  accepted_ms bigint NOT NULL,
  dealt_quantity bigint NOT NULL CHECK (dealt_quantity BETWEEN 0 AND quantity),
  dealt_amount bigint NOT NULL CHECK (dealt_amount >= 0),
  -- The sum of price × quantity without rounding, from which the average is computed.
  dealt_value numeric(38, 0) NOT NULL CHECK (dealt_value >= 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  held bigint NOT NULL CHECK (held >= 0),
  is_live boolean NOT NULL,
  reason text CHECK (reason IN ('revoked', 'self_trade', 'unfilled')),
  updated_ms bigint NOT NULL,
  PRIMARY KEY (coin, sequence),
  CHECK ((type = 'limit') = (price IS NOT NULL)),
  CHECK (type = 'limit' OR NOT is_live),
  CHECK (is_live OR held = 0),
  CHECK (is_live = (reason IS NULL AND dealt_quantity < quantity)),
  CHECK (amount IS NULL OR dealt_amount <= amount)
) WITH (fillfactor = 80, autovacuum_analyze_threshold = 5000);
-- A customer may sell all of a coin even if that is not whole lots: the house buys the part of a lot. No other order
-- has a part of a lot, because a book counts lots. The numbers are one lot in the coin's smallest unit. Not valid:
-- older rows are exempt.
ALTER TABLE contracts.orders ADD CONSTRAINT whole_lots CHECK ( quantity % CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH'
  THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000 WHEN 'XRP' THEN 10000000 WHEN 'DOGE' THEN 100000000
  WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000 ELSE 1 END = 0 OR (type = 'market' AND side = 'sell')
  OR (customer_id = 0 AND side = 'buy' AND dealt_quantity = quantity)) NOT VALID;
CREATE INDEX orders_live ON contracts.orders (customer_id, coin, sequence) WHERE is_live;
CREATE INDEX orders_of_customer ON contracts.orders (customer_id, accepted_ms) WHERE customer_id <> 0;
GRANT SELECT ON contracts.orders TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms), DELETE
  ON contracts.orders TO sathorn_app;

-- One match of two orders.
CREATE TABLE contracts.trade (
  coin text NOT NULL,
  number bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  quantity bigint NOT NULL CHECK (quantity > 0),
  amount bigint NOT NULL CHECK (amount >= 0),
  taker_side text NOT NULL CHECK (taker_side IN ('buy', 'sell')),
  maker_sequence bigint NOT NULL,
  taker_sequence bigint NOT NULL,
  maker_customer bigint NOT NULL,
  taker_customer bigint NOT NULL,
  maker_fee bigint NOT NULL CHECK (maker_fee >= 0),
  taker_fee bigint NOT NULL CHECK (taker_fee >= 0),
  at_ms bigint NOT NULL,
  PRIMARY KEY (coin, number),
  CHECK (maker_sequence < taker_sequence),
  CHECK (maker_customer <> taker_customer)
);
ALTER TABLE contracts.trade ADD CONSTRAINT whole_lots CHECK ( quantity % CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH'
  THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000 WHEN 'XRP' THEN 10000000 WHEN 'DOGE' THEN 100000000
  WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000 ELSE 1 END = 0 OR (maker_customer = 0 AND taker_side = 'sell'
  AND quantity < CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH' THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000
  WHEN 'XRP' THEN 10000000 WHEN 'DOGE' THEN 100000000 WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000
  ELSE 1 END)) NOT VALID;
CREATE INDEX trade_maker ON contracts.trade (maker_customer, at_ms) WHERE maker_customer <> 0;
CREATE INDEX trade_taker ON contracts.trade (taker_customer, at_ms) WHERE taker_customer <> 0;
-- Lets the checker find what a resting order has dealt without reading all trades of its coin.
CREATE INDEX trade_of_maker ON contracts.trade (coin, maker_sequence);
GRANT SELECT ON contracts.trade TO sathorn_app, sathorn_checker;
GRANT INSERT ON contracts.trade TO sathorn_app;

-- Candles of the trades, and the newest trade that they include.
CREATE TABLE contracts.candle (
  coin text NOT NULL,
  interval text NOT NULL,
  at timestamptz NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  volume numeric(38, 0) NOT NULL,
  -- The house's market maker's part of each candle's volume, and the fees that it has paid up to the candles' head.
  house_volume numeric(38, 0) NOT NULL DEFAULT 0,
  PRIMARY KEY (coin, interval, at)
) WITH (fillfactor = 70);
GRANT SELECT ON contracts.candle TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (high, low, close, volume, house_volume) ON contracts.candle TO sathorn_app;

-- The newest trade that a coin's candles include, and the house's fees up to it.
CREATE TABLE contracts.candle_head (
  coin text PRIMARY KEY REFERENCES contracts.book,
  number bigint NOT NULL DEFAULT 0,
  -- Fees on the house's sales and on its purchases.
  house_fees_usdt numeric(38, 0) NOT NULL DEFAULT 0,
  house_fees_coin numeric(38, 0) NOT NULL DEFAULT 0
);
INSERT INTO contracts.candle_head (coin) SELECT coin FROM contracts.book;
GRANT SELECT ON contracts.candle_head TO sathorn_app, sathorn_checker;
GRANT UPDATE (number, house_fees_usdt, house_fees_coin) ON contracts.candle_head TO sathorn_app;

CREATE FUNCTION contracts.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on contracts.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'CT001';
END $$;

-- Allows the deletion of house quotes that never traded, and of nothing else.
CREATE FUNCTION contracts.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.customer_id = 0 AND OLD.dealt_quantity = 0 THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'kept for ever: an order' USING ERRCODE = 'CT001';
END $$;

-- Moves books to their next position, each under its lease and from where the batch found it. The functions of this
-- part raise by themselves, so that the commit can be sent right behind them. They find orders by key, whatever the
-- planner assumes about a table that grows by thousands of rows per second.
CREATE FUNCTION contracts.move_books(_coins text[], _leases bigint[], _before bigint[], _after bigint[],
  _trades bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp AS $$
DECLARE
  moved integer;
BEGIN
  UPDATE contracts.book b SET sequence = m.after, trades = m.trades
  FROM unnest(_coins, _leases, _before, _after, _trades) AS m(coin, lease, before, after, trades)
  WHERE b.coin = m.coin AND b.lease = m.lease AND b.sequence = m.before;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> cardinality(_coins) THEN RAISE EXCEPTION 'the book is written under another lease' USING ERRCODE = 'CT002'; END IF;
END $$;

-- Writes a batch's changes to resting orders.
CREATE FUNCTION contracts.change_orders(_coins text[], _sequences bigint[], _dealt_quantities bigint[],
  _dealt_amounts bigint[], _dealt_values numeric[],
  _fees bigint[], _held bigint[], _are_live boolean[], _reasons text[], _updated_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE contracts.orders o SET dealt_quantity = u.dealt_quantity, dealt_amount = u.dealt_amount, dealt_value = u.dealt_value, fee = u.fee, held = u.held,
    is_live = u.is_live, reason = u.reason, updated_ms = u.updated_ms
  FROM unnest(_coins, _sequences, _dealt_quantities, _dealt_amounts, _dealt_values, _fees, _held, _are_live, _reasons, _updated_ms)
    AS u(coin, sequence, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms)
  -- Not "o.is_live": the index of what is live would be taken for a way to find them.
  WHERE o.coin = u.coin AND o.sequence = u.sequence AND (o.is_live IS NOT FALSE);
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> cardinality(_coins) THEN RAISE EXCEPTION 'an order that was to change did not rest' USING ERRCODE = 'CT003'; END IF;
END $$;

-- Removes the house's quotes that never traded.
CREATE FUNCTION contracts.drop_quotes(_coins text[], _sequences bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM contracts.orders o USING unnest(_coins, _sequences) AS d(coin, sequence)
  WHERE o.coin = d.coin AND o.sequence = d.sequence AND (o.is_live IS NOT FALSE);
END $$;

-- No trade of a frozen customer is written.
CREATE FUNCTION contracts.refuse_frozen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = contracts, pg_temp AS $$
DECLARE
  traders CONSTANT bigint[] := ARRAY(SELECT maker_customer FROM added WHERE maker_customer <> 0 UNION SELECT taker_customer FROM added WHERE taker_customer <> 0);
BEGIN
  -- Until it commits, a freeze has this lock. It is not waited for: this batch holds the ledger, which the freeze's transaction may want next.
  IF EXISTS (SELECT FROM unnest(traders) AS c WHERE NOT pg_try_advisory_xact_lock_shared(hashtextextended('freeze:' || c, 0))) THEN
    RAISE EXCEPTION 'a trader is being frozen' USING ERRCODE = '40001';
  END IF;
  -- A statement of its own, which sees what was committed before the locks were free. 40001: the batch is decided again.
  IF EXISTS (SELECT FROM unnest(traders) AS c WHERE customers.is_frozen(c, 'trading')) THEN
    RAISE EXCEPTION 'a trader is frozen' USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_frozen AFTER INSERT ON contracts.trade REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION contracts.refuse_frozen();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['contracts.trade'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION contracts.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['contracts.orders'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION contracts.refuse_delete()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA contracts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION contracts.drop_quotes, contracts.move_books, contracts.change_orders TO sathorn_app;
