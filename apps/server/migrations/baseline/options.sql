-- Options: the offers, the purchases with their signed terms, and the outcomes. The database accepts only an outcome
-- that the stored ticks give.
CREATE SCHEMA options;
GRANT USAGE ON SCHEMA options TO sathorn_app, sathorn_checker;

-- The offer for one duration of one coin, from a moment on. A change is a new row, so history stays. Amounts are units
-- of 10^-6 USDT.
CREATE TABLE options.terms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coin text NOT NULL,
  -- At least ten seconds, which is more than twice the longest gap between ticks that does not void an order.
  seconds integer NOT NULL CHECK (seconds BETWEEN 10 AND 86400),
  effective_from timestamptz NOT NULL,
  offered boolean NOT NULL DEFAULT true,
  -- In bps: the payout as a share of the stake, and the fee as a share of that profit.
  payout_bps integer NOT NULL CHECK (payout_bps BETWEEN 1 AND 20000),
  fee_bps integer NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
  stake_min bigint NOT NULL CHECK (stake_min >= 1000000),
  stake_max bigint NOT NULL,
  -- Limits of what wins would cost the house: per coin and direction for orders that end in the same minute, and per
  -- coin in total.
  window_exposure_max bigint NOT NULL CHECK (window_exposure_max >= 0),
  coin_exposure_max bigint NOT NULL CHECK (coin_exposure_max >= 0),
  -- An offer begins when it is written, or later: otherwise it could precede orders that were bought under another one.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  approval uuid,
  UNIQUE (coin, seconds, effective_from),
  CHECK (stake_max >= stake_min)
);
INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max,
  coin_exposure_max, created_at)
SELECT coin, seconds, timestamptz 'epoch', payout_bps, 200, 1000000, 10000000000, 250000000000, 1000000000000, 'epoch'
FROM unnest(ARRAY['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX']) AS coin,
  (VALUES (30, 7500), (60, 7800), (120, 8000), (180, 8200), (300, 8500)) AS offer(seconds, payout_bps);
GRANT SELECT ON options.terms TO sathorn_app, sathorn_checker;
GRANT INSERT (coin, seconds, effective_from, offered, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max,
  coin_exposure_max, approval) ON options.terms TO sathorn_app;

-- The signed root of terms that were accepted together; its id is the first order's.
CREATE TABLE options.terms_tree (
  id uuid PRIMARY KEY,
  -- The exact texts, one per line, in the order of the leaves; a canonical text contains no line break. They are not
  -- packed, because that would take longer than the rest of a purchase.
  bodies text NOT NULL,
  head text NOT NULL,
  hash text NOT NULL,
  signature text NOT NULL,
  key text NOT NULL
);
ALTER TABLE options.terms_tree ALTER COLUMN bodies SET STORAGE EXTERNAL;
GRANT SELECT ON options.terms_tree TO sathorn_app, sathorn_checker;
GRANT INSERT ON options.terms_tree TO sathorn_app;

-- An option: its signed terms, its holds, and its outcome.
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

  CONSTRAINT settled_whole CHECK (num_nonnulls(profit, fee, credited, settled_ms, journal) = CASE status
    WHEN 'holding' THEN 0 ELSE 5 END),
  CONSTRAINT prices_with_ticks CHECK ((start_sequence IS NULL) = (start_price IS NULL)
    AND (end_sequence IS NULL) = (end_price IS NULL)),
  CONSTRAINT status_by_prices CHECK ( CASE status WHEN 'holding' THEN start_sequence IS NULL AND end_sequence IS NULL
    AND reason IS NULL WHEN 'void' THEN reason IS NOT NULL AND end_sequence IS NULL
    AND (start_sequence IS NULL) = (reason = 'no_start_tick') ELSE reason IS NULL AND start_price IS NOT NULL
    AND end_price IS NOT NULL AND start_sequence <= end_sequence AND status = CASE WHEN end_price = start_price
    THEN 'tie' WHEN (end_price > start_price) = (direction = 'up') THEN 'won' ELSE 'lost' END END ),
  CONSTRAINT money_by_status CHECK ( CASE status WHEN 'won' THEN profit = promised
    AND fee = (promised * fee_bps + 9999) / 10000 AND credited = stake + profit - fee WHEN 'lost' THEN profit = -stake
    AND fee = 0 AND credited = 0 WHEN 'holding' THEN true ELSE profit = 0 AND fee = 0 AND credited = stake END )
) WITH (fillfactor = 85);
CREATE INDEX orders_of_customer ON options.orders (customer_id, accepted_ms DESC, id DESC);
CREATE INDEX orders_won ON options.orders (settled_ms) WHERE status = 'won';
CREATE INDEX orders_due ON options.orders (coin, ends_ms, stake_hold) WHERE status = 'holding';
-- Lets a starting settler find orders that were voided lately, because a crash may have lost their notices.
CREATE INDEX orders_void ON options.orders (settled_ms) WHERE status = 'void';
-- Finds orders by their deciding moments; a day's orders are a few blocks of this index.
CREATE INDEX orders_moments ON options.orders USING brin (accepted_ms, ends_ms) WITH (pages_per_range = 16,
  autosummarize = on);
GRANT SELECT ON options.orders TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, coin, direction, stake, payout_bps, fee_bps, promised, accepted_ms, duration_ms,
  ends_ms, origin, stake_hold, promised_hold, terms_tree, terms_index),
  UPDATE (status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited, settled_ms,
  journal) ON options.orders TO sathorn_app;

-- The allowed moves of an order.
CREATE TABLE options.move (
  from_status text NOT NULL,
  to_status text NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO options.move VALUES
  ('holding', 'won'), ('holding', 'lost'), ('holding', 'tie'), ('holding', 'void');
GRANT SELECT ON options.move TO sathorn_app, sathorn_checker;

-- Converts milliseconds since 1970 to a time.
CREATE FUNCTION options.at(_ms bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT timestamptz 'epoch' + _ms * interval '1 millisecond';
$$;

-- Allows an order to be settled once, by a move in options.move; nothing else of it changes.
CREATE FUNCTION options.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options,
  pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM options.move WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'an option order can''t move like this' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
-- Checks the table only for unusual moves, because moves from holding to another status are allowed and happen a
-- thousand times per batch.
CREATE TRIGGER check_move BEFORE UPDATE ON options.orders FOR EACH ROW
  WHEN (OLD.status <> 'holding' OR NEW.status = 'holding') EXECUTE FUNCTION options.check_move();

-- Requires the outcome that the ticks give: the start price is that of the first tick after the acceptance, the end
-- price that of the last one at or before the end, and an order is void only if ticks are missing. It reads the
-- market's ticks as a foreign key would. It runs one check per statement, and one look-up for all orders that name the
-- same tick: what holds for the earliest and the latest of them holds for those between.
CREATE FUNCTION options.check_settlement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
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
    WHERE o.reason IS NOT NULL
      AND ((o.reason = 'no_start_tick' AND EXISTS (SELECT FROM market.tick t WHERE t.coin = o.coin AND t.at > accepted AND t.at <= accepted + gap))
        OR (o.reason = 'no_end_tick' AND EXISTS (SELECT FROM market.tick t WHERE t.coin = o.coin AND t.at >= ends - gap AND t.at <= ends)))
  ) THEN
    RAISE EXCEPTION 'the kept ticks don''t give this settlement' USING ERRCODE = 'OP002';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_settlement AFTER UPDATE ON options.orders REFERENCING NEW TABLE AS became FOR EACH STATEMENT
  EXECUTE FUNCTION options.check_settlement();

-- Refuses an order that claims to be older than a tick stored long before, because nobody may know the start price at
-- the purchase. The application checks newer ticks itself, because a tick may arrive while a batch waits. Each coin's
-- newest tick is looked up once per statement.
CREATE FUNCTION options.check_purchase() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options,
  pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT coin, min(accepted_ms) AS earliest FROM bought GROUP BY coin) of_coin JOIN market.head USING (coin)
    WHERE head.at > options.at(earliest) + interval '2 seconds'
  ) THEN
    RAISE EXCEPTION 'an option order is older than a tick that is kept' USING ERRCODE = 'OP004';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_purchase AFTER INSERT ON options.orders REFERENCING NEW TABLE AS bought FOR EACH STATEMENT
  EXECUTE FUNCTION options.check_purchase();

-- The sum of what the open orders would cost as wins, per minute in which they end. Changed only under the ledger's
-- lock.
CREATE TABLE options.exposure (
  coin text NOT NULL,
  direction text NOT NULL,
  window_ms bigint NOT NULL,
  promised bigint NOT NULL CHECK (promised >= 0),
  PRIMARY KEY (coin, direction, window_ms)
);
GRANT SELECT ON options.exposure TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (promised), DELETE ON options.exposure TO sathorn_app;

-- A dispute about a settled order, with the receipt at that time.
CREATE TABLE options.dispute (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES options.orders,
  customer_id bigint NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  receipt jsonb NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'upheld', 'rejected')),
  opened_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL CHECK (deadline > opened_at),
  -- Two different people decide.
  reviewer text,
  second_reviewer text,
  CHECK (state = 'open' OR (reviewer IS NOT NULL AND second_reviewer IS NOT NULL)),
  CHECK (reviewer <> second_reviewer)
);
CREATE UNIQUE INDEX dispute_one_open ON options.dispute (order_id) WHERE state = 'open';
GRANT SELECT ON options.dispute TO sathorn_app, sathorn_checker;
GRANT INSERT (id, order_id, customer_id, reason, receipt, opened_at, deadline) ON options.dispute TO sathorn_app;

CREATE FUNCTION options.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on options.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'OP003';
END $$;

-- Fails the transaction of purchases that were decided ahead of the ledger's lock, if an offer was added since, or if a
-- tick is newer than a purchase's acceptance. Offers are only ever added, so their number identifies the state.
CREATE FUNCTION options.refuse_overtaken(_offers bigint, _coins text[], _accepted_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM options.terms) <> _offers THEN
    RAISE EXCEPTION 'what is offered has changed' USING ERRCODE = 'OP005';
  END IF;
  IF EXISTS (SELECT FROM unnest(_coins, _accepted_ms) AS accepted(coin, ms) JOIN market.head USING (coin) WHERE head.at > timestamptz 'epoch' + accepted.ms * interval '1 millisecond') THEN
    RAISE EXCEPTION 'a tick came before the purchase' USING ERRCODE = 'OP006';
  END IF;
END $$;

-- Settles orders and returns how many were still holding. Finds each order by its key, whatever the planner assumes
-- about a table that grows by thousands of rows per second.
CREATE FUNCTION options.settle_orders(_ids uuid[], _statuses text[], _reasons text[], _start_sequences bigint[],
  _start_prices bigint[],
  _end_sequences bigint[], _end_prices bigint[], _profits bigint[], _fees bigint[], _credited bigint[],
    _settled_ms bigint, _journal uuid) RETURNS bigint
LANGUAGE plpgsql SET search_path = options, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  settled bigint;
BEGIN
  UPDATE options.orders o SET status = s.status, reason = s.reason, start_sequence = s.start_sequence, start_price = s.start_price,
    end_sequence = s.end_sequence, end_price = s.end_price, profit = s.profit, fee = s.fee, credited = s.credited, settled_ms = _settled_ms, journal = _journal
  FROM unnest(_ids, _statuses, _reasons, _start_sequences, _start_prices, _end_sequences, _end_prices, _profits, _fees, _credited)
    AS s(id, status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited)
  -- Not "=": the index of what is holding would be taken for a way to find them.
  WHERE o.id = s.id AND o.status IS NOT DISTINCT FROM 'holding';
  GET DIAGNOSTICS settled = ROW_COUNT;
  RETURN settled;
END $$;

-- Refuses an option order accepted more than four seconds from the database's clock: the checker takes one that is
-- further apart for a bet on a known outcome.
CREATE FUNCTION options.check_acceptance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE
  apart interval;
BEGIN
  SELECT greatest(max(options.at(accepted_ms)) - clock_timestamp(), clock_timestamp() - min(options.at(accepted_ms))) INTO apart FROM bought;
  IF apart > interval '4 seconds' AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'an option order was accepted % from the database''s clock', apart USING ERRCODE = 'OP007';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_acceptance AFTER INSERT ON options.orders REFERENCING NEW TABLE AS bought FOR EACH STATEMENT
  EXECUTE FUNCTION options.check_acceptance();

-- Refuses an offer that begins before it is written.
CREATE FUNCTION options.refuse_back_dated() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
BEGIN
  NEW.created_at := clock_timestamp();
  -- As long as a statement takes that says "now".
  IF NEW.effective_from < NEW.created_at - interval '10 seconds' AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'an offer can''t begin before it is made: % of %', NEW.effective_from, NEW.coin USING ERRCODE = 'OP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_back_dated BEFORE INSERT ON options.terms FOR EACH ROW
  EXECUTE FUNCTION options.refuse_back_dated();

-- Allows a void only if no tick can change it any more: the coin has a later tick, because ticks only follow each
-- other, or the moment is so long ago that the database accepts no tick of it. It locks the coin's head first, so it
-- waits for a tick that is being written.
CREATE FUNCTION options.check_void() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options,
  pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM became WHERE reason IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM market.head h WHERE h.coin IN (SELECT b.coin FROM became b WHERE b.reason IS NOT NULL) ORDER BY h.coin FOR SHARE;
  IF EXISTS (
    SELECT FROM became b CROSS JOIN LATERAL (SELECT options.at(b.accepted_ms) AS accepted, options.at(b.ends_ms) AS ends) moment
    WHERE (b.reason = 'no_start_tick' AND market.has_tick(b.coin, accepted, accepted + interval '3 seconds'))
      OR (b.reason = 'no_end_tick' AND market.has_tick(b.coin, ends - interval '3.001 seconds', ends))
      OR (b.reason IS NOT NULL AND ends > clock_timestamp() - interval '65 seconds'
        AND NOT EXISTS (SELECT FROM market.head h WHERE h.coin = b.coin AND h.at > ends)
        AND NOT (b.origin <> 'live' AND (SELECT virtual_clock FROM market.guard)))
  ) THEN
    RAISE EXCEPTION 'a tick may still come for an order that is to be void' USING ERRCODE = 'OP005';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_void AFTER UPDATE ON options.orders REFERENCING NEW TABLE AS became FOR EACH STATEMENT
  EXECUTE FUNCTION options.check_void();

-- Requires the approval of two people for an offer of a live deployment.
CREATE FUNCTION options.check_approved_offer() RETURNS trigger LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'options'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM offer.version v, jsonb_array_elements(v.fields::jsonb -> 'durations') AS d
    WHERE v.approval = NEW.approval AND v.kind = 'option' AND v.subject = NEW.coin AND v.stopped_at IS NULL AND v.effective_from <= NEW.effective_from
      AND (d ->> 'seconds')::integer = NEW.seconds AND (d ->> 'offered')::boolean = NEW.offered AND (d ->> 'payout')::numeric * 10000 = NEW.payout_bps
      AND (d ->> 'fee')::numeric * 10000 = NEW.fee_bps AND (v.fields::jsonb ->> 'stake_min')::numeric * 1000000 = NEW.stake_min
      AND (v.fields::jsonb ->> 'stake_max')::numeric * 1000000 = NEW.stake_max
      AND (v.fields::jsonb ->> 'window_exposure_max')::numeric * 1000000 = NEW.window_exposure_max
      AND (v.fields::jsonb ->> 'coin_exposure_max')::numeric * 1000000 = NEW.coin_exposure_max) THEN
    RAISE EXCEPTION 'nobody approved this offer of %', NEW.coin USING ERRCODE = 'OP009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_approved BEFORE INSERT ON options.terms FOR EACH ROW
  EXECUTE FUNCTION options.check_approved_offer();

-- Ends the dispute on the order, by an approval of two people about exactly this dispute.
CREATE FUNCTION options.close_dispute(_dispute uuid, _state text, _approval uuid) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE agreed operators.approval;
DECLARE checker bigint;
BEGIN
  SELECT * INTO agreed FROM operators.approval WHERE id = _approval;
  IF (agreed.kind = 'dispute_answer' AND agreed.subject = _dispute::text AND agreed.status = 'approved' AND agreed.made_by IS NOT NULL) IS NOT TRUE THEN
    RAISE EXCEPTION 'dispute %: nobody agreed to its answer', _dispute USING ERRCODE = 'DI002';
  END IF;
  SELECT operator INTO checker FROM operators.vote WHERE approval = _approval AND decision = 'approve';
  UPDATE options.dispute SET state = _state, reviewer = agreed.made_by::text, second_reviewer = checker::text
  WHERE id = _dispute AND state = 'open' AND _state IN ('upheld', 'rejected');
  IF NOT FOUND THEN RAISE EXCEPTION 'dispute % is not open', _dispute USING ERRCODE = 'DI002'; END IF;
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['options.terms', 'options.terms_tree', 'options.move'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION options.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION options.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['options.orders', 'options.dispute'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION options.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION options.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA options FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.refuse_overtaken, options.settle_orders, options.close_dispute TO sathorn_app;
