-- Options: what is offered, what was bought under which signed terms, and what it ended as. No outcome can be written that the kept ticks don't give.
CREATE SCHEMA options;

-- What is offered for one duration of one coin, from a moment on. History is kept: a change is a new row. Amounts are units of 10^-6 USDT.
CREATE TABLE options.terms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coin text NOT NULL,
  -- Longer than twice the longest gap between ticks that is not a void.
  seconds integer NOT NULL CHECK (seconds BETWEEN 10 AND 86400),
  effective_from timestamptz NOT NULL,
  offered boolean NOT NULL DEFAULT true,
  -- Parts of 10^-4: of the stake that a win adds, and of that profit which is kept as the fee.
  payout_bps integer NOT NULL CHECK (payout_bps BETWEEN 1 AND 20000),
  fee_bps integer NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
  stake_min bigint NOT NULL CHECK (stake_min >= 1000000),
  stake_max bigint NOT NULL,
  -- Limits of what wins would cost the house: of one coin and direction among orders that end in the same minute, and of a coin in all.
  window_exposure_max bigint NOT NULL CHECK (window_exposure_max >= 0),
  coin_exposure_max bigint NOT NULL CHECK (coin_exposure_max >= 0),
  UNIQUE (coin, seconds, effective_from),
  CHECK (stake_max >= stake_min)
);

-- The signed root of the terms that were accepted together; named for the first order in it.
CREATE TABLE options.terms_tree (
  id uuid PRIMARY KEY,
  -- The exact texts, one a line, in the order of the leaves; a canonical text has no line break in it. Stored as they are: packing
  -- them took longer than all else of a purchase.
  bodies text NOT NULL,
  head text NOT NULL,
  hash text NOT NULL,
  signature text NOT NULL,
  key text NOT NULL
);
ALTER TABLE options.terms_tree ALTER COLUMN bodies SET STORAGE EXTERNAL;

CREATE TABLE options.orders (
  -- Also the id of the intent and of the journal that bought it.
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL,
  coin text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('up', 'down')),
  stake bigint NOT NULL CHECK (stake > 0),
  payout_bps integer NOT NULL,
  fee_bps integer NOT NULL,
  -- The profit of a win, held by the house.
  promised bigint NOT NULL CHECK (promised > 0 AND promised = stake * payout_bps / 10000),
  -- Milliseconds since 1970, as in the signed terms.
  accepted_ms bigint NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms > 0),
  ends_ms bigint NOT NULL CHECK (ends_ms = accepted_ms + duration_ms),
  origin text NOT NULL CHECK (origin IN ('live', 'sim', 'replay')),
  -- Sequences of the two holds in the ledger.
  stake_hold bigint NOT NULL,
  promised_hold bigint NOT NULL,
  terms_tree uuid NOT NULL,
  terms_index integer NOT NULL CHECK (terms_index >= 0),

  status text NOT NULL DEFAULT 'holding' CHECK (status IN ('holding', 'won', 'lost', 'tie', 'void')),
  reason text CHECK (reason IN ('no_start_tick', 'no_end_tick')),
  start_sequence bigint,
  start_price bigint,
  end_sequence bigint,
  end_price bigint,
  profit bigint,
  fee bigint,
  credited bigint,
  settled_ms bigint,
  journal uuid,

  CONSTRAINT settled_whole CHECK (num_nonnulls(profit, fee, credited, settled_ms, journal) = CASE status WHEN 'holding' THEN 0 ELSE 5 END),
  CONSTRAINT prices_with_ticks CHECK ((start_sequence IS NULL) = (start_price IS NULL) AND (end_sequence IS NULL) = (end_price IS NULL)),
  CONSTRAINT status_by_prices CHECK (
    CASE status
      WHEN 'holding' THEN start_sequence IS NULL AND end_sequence IS NULL AND reason IS NULL
      WHEN 'void' THEN reason IS NOT NULL AND end_sequence IS NULL AND (start_sequence IS NULL) = (reason = 'no_start_tick')
      ELSE reason IS NULL AND start_price IS NOT NULL AND end_price IS NOT NULL AND start_sequence <= end_sequence
        AND status = CASE WHEN end_price = start_price THEN 'tie' WHEN (end_price > start_price) = (direction = 'up') THEN 'won' ELSE 'lost' END
    END
  ),
  CONSTRAINT money_by_status CHECK (
    CASE status
      WHEN 'won' THEN profit = promised AND fee = (promised * fee_bps + 9999) / 10000 AND credited = stake + profit - fee
      WHEN 'lost' THEN profit = -stake AND fee = 0 AND credited = 0
      WHEN 'holding' THEN true
      ELSE profit = 0 AND fee = 0 AND credited = stake
    END
  )
) WITH (fillfactor = 85);
CREATE INDEX orders_of_customer ON options.orders (customer_id, accepted_ms DESC, id DESC);
CREATE INDEX orders_due ON options.orders (coin, ends_ms) WHERE status = 'holding';
CREATE INDEX orders_won ON options.orders (settled_ms) WHERE status = 'won';

-- The moves of an order that there are.
CREATE TABLE options.move (
  from_status text NOT NULL,
  to_status text NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO options.move VALUES ('holding', 'won'), ('holding', 'lost'), ('holding', 'tie'), ('holding', 'void');

CREATE FUNCTION options.at(_ms bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT timestamptz 'epoch' + _ms * interval '1 millisecond';
$$;

CREATE FUNCTION options.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM options.move WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'an option order can''t move like this' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
-- From holding to anything else is what the table says and what happens a thousand times a batch; the table is asked for the rest.
CREATE TRIGGER check_move BEFORE UPDATE ON options.orders FOR EACH ROW
  WHEN (OLD.status <> 'holding' OR NEW.status = 'holding') EXECUTE FUNCTION options.check_move();

/*
 * Whatever the application says: its prices are those of the first tick after the acceptance
 * and of the last one at or before the end, and it is void only where ticks are missing. Reads the market's ticks as a foreign
 * key would; one check a statement, and one look-up for all orders that name the same tick: what holds for the earliest and the
 * latest of them holds for those between.
 */
CREATE FUNCTION options.check_settlement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
DECLARE
  gap CONSTANT interval := interval '3 seconds';
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT coin, start_sequence, start_price, options.at(min(accepted_ms)) AS earliest, options.at(max(accepted_ms)) AS latest
      FROM became WHERE start_sequence IS NOT NULL GROUP BY coin, start_sequence, start_price
    ) o
    LEFT JOIN market.tick before_start ON before_start.coin = o.coin AND before_start.sequence = o.start_sequence - 1
    LEFT JOIN market.tick start_tick ON start_tick.coin = o.coin AND start_tick.sequence = o.start_sequence
    WHERE (start_tick.price = o.start_price AND start_tick.at > o.latest AND start_tick.at <= o.earliest + gap
      AND (before_start.at IS NULL OR before_start.at <= o.earliest)) IS NOT TRUE
  ) OR EXISTS (
    SELECT FROM (
      SELECT coin, end_sequence, end_price, options.at(min(ends_ms)) AS earliest, options.at(max(ends_ms)) AS latest
      FROM became WHERE end_sequence IS NOT NULL GROUP BY coin, end_sequence, end_price
    ) o
    LEFT JOIN market.tick end_tick ON end_tick.coin = o.coin AND end_tick.sequence = o.end_sequence
    LEFT JOIN market.tick after_end ON after_end.coin = o.coin AND after_end.sequence = o.end_sequence + 1
    WHERE (end_tick.price = o.end_price AND end_tick.at <= o.earliest AND end_tick.at >= o.latest - gap
      AND (after_end.at IS NULL OR after_end.at > o.latest)) IS NOT TRUE
  ) OR EXISTS (
    SELECT FROM became o CROSS JOIN LATERAL (SELECT options.at(o.accepted_ms) AS accepted, options.at(o.ends_ms) AS ends) moment
    WHERE (o.reason = 'no_start_tick' AND EXISTS (SELECT FROM market.tick t WHERE t.coin = o.coin AND t.at > accepted AND t.at <= accepted + gap))
      OR (o.reason = 'no_end_tick' AND EXISTS (SELECT FROM market.tick t WHERE t.coin = o.coin AND t.at >= ends - gap AND t.at <= ends))
  ) THEN
    RAISE EXCEPTION 'the kept ticks don''t give this settlement' USING ERRCODE = 'OP002';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_settlement AFTER UPDATE ON options.orders REFERENCING NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION options.check_settlement();

-- Nobody may know the start price when an order is taken: one that claims to be older than a tick kept long before is refused. What
-- is newer than that is the application's to see; a batch may wait for its turn while a tick comes.
CREATE FUNCTION options.check_purchase() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM bought JOIN market.head USING (coin) WHERE head.at > options.at(bought.accepted_ms) + interval '2 seconds') THEN
    RAISE EXCEPTION 'an option order is older than a tick that is kept' USING ERRCODE = 'OP004';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_purchase AFTER INSERT ON options.orders REFERENCING NEW TABLE AS bought
  FOR EACH STATEMENT EXECUTE FUNCTION options.check_purchase();

-- A running sum of what the open orders would cost as wins, by the minute in which they end. Changed only under the ledger's lock.
CREATE TABLE options.exposure (
  coin text NOT NULL,
  direction text NOT NULL,
  window_ms bigint NOT NULL,
  promised bigint NOT NULL CHECK (promised >= 0),
  PRIMARY KEY (coin, direction, window_ms)
);

-- A case about a settled order, with the receipt as it was then.
CREATE TABLE options.dispute (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES options.orders,
  customer_id bigint NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  receipt jsonb NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'upheld', 'rejected')),
  opened_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL CHECK (deadline > opened_at),
  -- Two people decide, and not the same one twice.
  reviewer text,
  second_reviewer text,
  CHECK (state = 'open' OR (reviewer IS NOT NULL AND second_reviewer IS NOT NULL)),
  CHECK (reviewer <> second_reviewer)
);
CREATE UNIQUE INDEX dispute_one_open ON options.dispute (order_id) WHERE state = 'open';

CREATE FUNCTION options.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on options.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'OP003';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['terms', 'terms_tree', 'move'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON options.%I FOR EACH ROW EXECUTE FUNCTION options.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON options.%I FOR EACH STATEMENT EXECUTE FUNCTION options.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['orders', 'dispute'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON options.%I FOR EACH ROW EXECUTE FUNCTION options.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON options.%I FOR EACH STATEMENT EXECUTE FUNCTION options.refuse_change()', name);
  END LOOP;
END $$;

INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
SELECT coin, seconds, timestamptz 'epoch', payout_bps, 200, 1000000, 10000000000, 250000000000, 1000000000000
FROM unnest(ARRAY['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX']) AS coin,
  (VALUES (30, 7500), (60, 7800), (120, 8000), (180, 8200), (300, 8500)) AS offer(seconds, payout_bps);

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA options FROM PUBLIC;
GRANT USAGE ON SCHEMA options TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA options TO sathorn_app, sathorn_checker;
GRANT INSERT ON options.terms_tree TO sathorn_app;
-- An order comes in as holding, and nothing but its settlement is ever written to it.
GRANT INSERT (id, customer_id, coin, direction, stake, payout_bps, fee_bps, promised, accepted_ms, duration_ms, ends_ms, origin, stake_hold,
    promised_hold, terms_tree, terms_index),
  UPDATE (status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited, settled_ms, journal)
  ON options.orders TO sathorn_app;
GRANT INSERT, UPDATE (promised), DELETE ON options.exposure TO sathorn_app;
GRANT INSERT (id, order_id, customer_id, reason, receipt, opened_at, deadline) ON options.dispute TO sathorn_app;
