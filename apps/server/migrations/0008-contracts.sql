-- Contracts: coins bought and sold against USDT on a book of each coin. What an order keeps for its fills is in `in_orders`.
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES
  (250, 'maker', 'c', true), (251, 'maker_in_orders', 'c', true), (1005, 'in_orders', 'c', false);

CREATE SCHEMA contracts;

-- One writer a coin: every batch of commands moves `sequence` on, and names the lease under which it was written.
CREATE TABLE contracts.book (
  coin text PRIMARY KEY REFERENCES ledger.asset,
  lease bigint NOT NULL DEFAULT 0,
  -- Number of the newest command that changed the book. An order's sequence is that of its acceptance: its priority at its price.
  sequence bigint NOT NULL DEFAULT 0,
  trades bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO contracts.book (coin) SELECT unnest(ARRAY['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX']);

CREATE TABLE contracts.orders (
  coin text NOT NULL,
  sequence bigint NOT NULL,
  -- 0: the house's market maker.
  customer_id bigint NOT NULL,
  journal uuid NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  type text NOT NULL CHECK (type IN ('limit', 'market')),
  time_in_force text NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK')),
  post_only boolean NOT NULL,
  -- 10^-6 USDT for one coin; quantities and what is held of a sale in the coin's smallest unit, amounts in that of USDT.
  price bigint CHECK (price > 0),
  quantity bigint NOT NULL CHECK (quantity > 0),
  amount bigint CHECK (amount > 0),
  maker_bps integer NOT NULL CHECK (maker_bps BETWEEN 0 AND 10000),
  taker_bps integer NOT NULL CHECK (taker_bps BETWEEN 0 AND 10000),
  accepted_ms bigint NOT NULL,
  dealt_quantity bigint NOT NULL CHECK (dealt_quantity BETWEEN 0 AND quantity),
  dealt_amount bigint NOT NULL CHECK (dealt_amount >= 0),
  -- The sum of price × quantity, not rounded: what the average is made of.
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
) WITH (fillfactor = 80);
CREATE INDEX orders_of_customer ON contracts.orders (customer_id, accepted_ms);
CREATE INDEX orders_live ON contracts.orders (customer_id, coin, sequence) WHERE is_live;

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
CREATE INDEX trade_maker ON contracts.trade (maker_customer, at_ms) WHERE maker_customer <> 0;
CREATE INDEX trade_taker ON contracts.trade (taker_customer, at_ms) WHERE taker_customer <> 0;

-- Candles of the trades, and the trade up to which they have counted.
CREATE TABLE contracts.candle (
  coin text NOT NULL,
  interval text NOT NULL,
  at timestamptz NOT NULL,
  open bigint NOT NULL, high bigint NOT NULL, low bigint NOT NULL, close bigint NOT NULL,
  volume numeric(38, 0) NOT NULL,
  PRIMARY KEY (coin, interval, at)
) WITH (fillfactor = 70);
CREATE TABLE contracts.candle_head (
  coin text PRIMARY KEY REFERENCES contracts.book,
  number bigint NOT NULL DEFAULT 0
);
INSERT INTO contracts.candle_head (coin) SELECT coin FROM contracts.book;

CREATE FUNCTION contracts.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on contracts.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'CT001';
END $$;
-- A quote of the house that met nobody is nobody's history; all else stays.
CREATE FUNCTION contracts.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.customer_id = 0 AND OLD.dealt_quantity = 0 THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'kept for ever: an order' USING ERRCODE = 'CT001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON contracts.trade FOR EACH ROW EXECUTE FUNCTION contracts.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON contracts.trade FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_change();
CREATE TRIGGER no_delete BEFORE DELETE ON contracts.orders FOR EACH ROW EXECUTE FUNCTION contracts.refuse_delete();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON contracts.orders FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_change();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA contracts FROM PUBLIC;
GRANT USAGE ON SCHEMA contracts TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA contracts TO sathorn_app, sathorn_checker;
GRANT INSERT, DELETE, UPDATE (dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms) ON contracts.orders TO sathorn_app;
GRANT INSERT ON contracts.trade TO sathorn_app;
GRANT UPDATE (lease, sequence, trades) ON contracts.book TO sathorn_app;
GRANT INSERT, UPDATE (high, low, close, volume) ON contracts.candle TO sathorn_app;
GRANT UPDATE (number) ON contracts.candle_head TO sathorn_app;
