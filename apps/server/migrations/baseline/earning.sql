-- Lock-up and liquidity mining: products and their terms, customers' positions, and what each local day earned. Days
-- are whole numbers, counted from 1970-01-01 of the local date in the brand's time zone.
CREATE SCHEMA earning;
GRANT USAGE ON SCHEMA earning TO sathorn_app, sathorn_checker;

-- The products by their number on the wire.
CREATE TABLE earning.product (
  -- 1 is liquidity; a lock-up's number is its term in days.
  product smallint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('liquidity', 'regular')),
  CHECK ((kind = 'liquidity') = (product = 1))
);
INSERT INTO earning.product (product, kind) VALUES
  (1, 'liquidity'), (7, 'regular'), (15, 'regular'), (30, 'regular'), (60, 'regular'), (90, 'regular');
GRANT SELECT ON earning.product TO sathorn_app, sathorn_checker;

-- The terms of a product from a day on. Old versions stay; the newest one that has begun is in force.
CREATE TABLE earning.version (
  product smallint NOT NULL REFERENCES earning.product,
  version integer NOT NULL CHECK (version > 0),
  effective_day integer NOT NULL,
  is_offered boolean NOT NULL,
  -- Units of USDT: the smallest subscription, the limit per customer and the quota over all; the last two only for
  -- lock-ups.
  units_min bigint NOT NULL CHECK (units_min > 0),
  units_max bigint CHECK (units_max >= units_min),
  quota bigint CHECK (quota >= 0),
  -- In parts of 10^-8. A lock-up has a daily rate, liquidity annual ones by stage.
  daily_rate bigint CHECK (daily_rate BETWEEN 0 AND 1000000),
  stage_froms bigint[],
  stage_rates bigint[],
  -- Null for a demonstration's first terms.
  approval uuid,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (product, version),
  CHECK (CASE WHEN product = 1 THEN (units_max, quota, daily_rate) IS NULL
    AND cardinality(stage_froms) = cardinality(stage_rates) AND stage_froms[1] = 0 AND 0 <= ALL (stage_rates)
    AND 100000000 >= ALL (stage_rates) ELSE (stage_froms, stage_rates) IS NULL
    AND (units_max, quota, daily_rate) IS NOT NULL END)
);
GRANT SELECT ON earning.version TO sathorn_app, sathorn_checker;
GRANT INSERT ON earning.version TO sathorn_app;

-- One order. Its id is that of its journal; its number gives the order in which a day is computed.
CREATE TABLE earning.lockup (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  customer_id bigint NOT NULL,
  product smallint NOT NULL CHECK (product > 1),
  version integer NOT NULL,
  principal bigint NOT NULL CHECK (principal > 0),
  daily_rate bigint NOT NULL,
  days integer NOT NULL CHECK (days = product),
  -- The whole yield, reserved at the subscription.
  yield bigint NOT NULL,
  start_day integer NOT NULL,
  end_day integer NOT NULL CHECK (end_day = start_day + days),
  subscribed_at timestamptz NOT NULL,
  -- When the principal and the last income were returned; null while it is open.
  matured_at timestamptz,
  matured_journal uuid,
  CHECK ((matured_at IS NULL) = (matured_journal IS NULL)),
  CHECK (yield = floor(principal::numeric * daily_rate * days / 100000000)),
  FOREIGN KEY (product, version) REFERENCES earning.version
);
CREATE INDEX lockup_open ON earning.lockup (product, number) WHERE matured_at IS NULL;
CREATE INDEX lockup_of_customer ON earning.lockup (customer_id, number);
GRANT SELECT ON earning.lockup TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (matured_at, matured_journal) ON earning.lockup TO sathorn_app;

-- The principal that is open in each lock-up.
CREATE TABLE earning.lockup_total (
  product smallint PRIMARY KEY REFERENCES earning.product,
  taken bigint NOT NULL CHECK (taken >= 0)
);
GRANT SELECT ON earning.lockup_total TO sathorn_app, sathorn_checker;
GRANT UPDATE (taken) ON earning.lockup_total TO sathorn_app;

-- A customer's liquidity position as of `day`. Later days follow from it until the next movement (`onDay` in
-- packages/settlement/src/liquidity-position.ts).
CREATE TABLE earning.liquidity (
  customer_id bigint PRIMARY KEY,
  day integer NOT NULL,
  earning bigint NOT NULL CHECK (earning >= 0),
  leaving bigint NOT NULL CHECK (leaving BETWEEN 0 AND earning),
  fresh bigint NOT NULL CHECK (fresh >= 0)
);
GRANT SELECT ON earning.liquidity TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (day, earning, leaving, fresh) ON earning.liquidity TO sathorn_app;

-- The positions as of earlier days on which there were movements.
CREATE TABLE earning.liquidity_past (
  customer_id bigint NOT NULL,
  day integer NOT NULL,
  earning bigint NOT NULL,
  leaving bigint NOT NULL,
  fresh bigint NOT NULL,
  PRIMARY KEY (customer_id, day)
);
GRANT SELECT ON earning.liquidity_past TO sathorn_app, sathorn_checker;
GRANT INSERT ON earning.liquidity_past TO sathorn_app;

-- Subscriptions and redemptions of liquidity. The id is that of the journal.
CREATE TABLE earning.movement (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  customer_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('subscription', 'quick', 'normal')),
  units bigint NOT NULL CHECK (units > 0),
  day integer NOT NULL,
  at timestamptz NOT NULL,
  -- For a redemption: the part that was fresh, which never earned.
  from_fresh bigint NOT NULL,
  -- For a normal redemption: its hold, and when it was issued.
  hold bigint,
  issued_at timestamptz,
  issued_journal uuid,
  CHECK ((kind = 'normal') = (hold IS NOT NULL)),
  CHECK ((issued_at IS NULL) = (issued_journal IS NULL) AND (kind = 'normal' OR issued_at IS NULL))
);
CREATE INDEX movement_of_customer ON earning.movement (customer_id, number);
CREATE INDEX movement_pending ON earning.movement (day, number) WHERE kind = 'normal' AND issued_at IS NULL;
GRANT SELECT ON earning.movement TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (issued_at, issued_journal) ON earning.movement TO sathorn_app;

-- The movements of each day. The quick redemptions of all customers together have a cap.
CREATE TABLE earning.day_total (
  day integer PRIMARY KEY,
  subscribed numeric(39, 0) NOT NULL DEFAULT 0,
  quick bigint NOT NULL DEFAULT 0 CONSTRAINT quick_cap CHECK (quick BETWEEN 0 AND 30000000000000),
  normal numeric(39, 0) NOT NULL DEFAULT 0
);
GRANT SELECT ON earning.day_total TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (subscribed, quick, normal) ON earning.day_total TO sathorn_app;

-- The work of one product and day: counted position by position, reserved in full, then paid chunk by chunk.
CREATE TABLE earning.accrual (
  product smallint NOT NULL REFERENCES earning.product,
  day integer NOT NULL,
  -- The terms of that day; null for lock-ups, which keep those of their subscription.
  version integer,
  state text NOT NULL CHECK (state IN ('counting', 'waiting', 'paying', 'paid')),
  -- The last position counted.
  counted_to bigint NOT NULL DEFAULT 0,
  positions bigint NOT NULL DEFAULT 0,
  units numeric(39, 0) NOT NULL DEFAULT 0,
  chunks integer NOT NULL DEFAULT 0,
  chunks_paid integer NOT NULL DEFAULT 0 CHECK (chunks_paid BETWEEN 0 AND chunks),
  -- The journal that reserved the day's income; null without income, and for lock-ups.
  reserved_journal uuid,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  paid_at timestamptz,
  PRIMARY KEY (product, day),
  CHECK ((state = 'paid') = (paid_at IS NOT NULL) AND (state <> 'paid' OR chunks_paid = chunks))
);
GRANT SELECT ON earning.accrual TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (state, counted_to, positions, units, chunks, chunks_paid, reserved_journal, paid_at)
  ON earning.accrual TO sathorn_app;

-- Positions that are paid together; the next chunk begins after `last_position`. A chunk is paid when
-- accrual.chunks_paid has reached it.
CREATE TABLE earning.chunk (
  product smallint NOT NULL,
  day integer NOT NULL,
  chunk integer NOT NULL,
  journal uuid NOT NULL UNIQUE,
  first_position bigint NOT NULL,
  last_position bigint NOT NULL,
  units numeric(39, 0) NOT NULL,
  PRIMARY KEY (product, day, chunk)
);
GRANT SELECT ON earning.chunk TO sathorn_app, sathorn_checker;
GRANT INSERT ON earning.chunk TO sathorn_app;

-- The income of one position on one day. Base and carry give the units, as packages/settlement/src/accrue-income.ts
-- computes them.
CREATE TABLE earning.income (
  product smallint NOT NULL,
  day integer NOT NULL,
  -- For liquidity, the customer's id; for a lock-up, the order's number.
  position bigint NOT NULL,
  customer_id bigint NOT NULL,
  base bigint NOT NULL CHECK (base > 0),
  carry_before bigint NOT NULL,
  carry_after bigint NOT NULL,
  units bigint NOT NULL CHECK (units >= 0),
  -- The total income of the position up to and including this day.
  total_after bigint NOT NULL,
  chunk integer NOT NULL,
  -- The index of its transfer in the chunk's journal; null if there is nothing to pay.
  leg integer CHECK ((leg IS NULL) = (units = 0)),
  PRIMARY KEY (product, day, position)
);
GRANT SELECT ON earning.income TO sathorn_app, sathorn_checker;
GRANT INSERT ON earning.income TO sathorn_app;

-- The remainder of a position that has stopped earning. It stays here until the position earns again.
CREATE TABLE earning.rest (
  customer_id bigint NOT NULL,
  day integer NOT NULL,
  carry bigint NOT NULL,
  total bigint NOT NULL,
  PRIMARY KEY (customer_id, day)
);
GRANT SELECT ON earning.rest TO sathorn_app, sathorn_checker;
GRANT INSERT ON earning.rest TO sathorn_app;

CREATE FUNCTION earning.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on earning.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EA001';
END $$;

-- Rejects a version that begins before a day that has been opened, so that a day is paid on the terms that customers
-- saw.
CREATE FUNCTION earning.refuse_past_version() RETURNS trigger LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM earning.accrual WHERE product = NEW.product AND day >= NEW.effective_day)
    OR EXISTS (SELECT FROM earning.version WHERE product = NEW.product AND effective_day > NEW.effective_day)
    OR NEW.version IS DISTINCT FROM 1 + coalesce((SELECT max(version) FROM earning.version WHERE product = NEW.product), 0) THEN
    RAISE EXCEPTION 'version % of product % does not follow', NEW.version, NEW.product USING ERRCODE = 'EA002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON earning.version FOR EACH ROW EXECUTE FUNCTION earning.refuse_past_version();

-- The terms of a product that are in force on a day.
CREATE FUNCTION earning.version_on(_product smallint, _day integer) RETURNS earning.version
LANGUAGE sql STABLE SET search_path = earning, pg_temp AS $$
  SELECT v FROM earning.version v WHERE product = _product AND effective_day <= _day ORDER BY effective_day DESC, version DESC LIMIT 1;
$$;

-- Writes subscriptions and redemptions of liquidity, in order, in the transaction of their transfers. Call it only
-- under the lock of ledger.head, so that the positions' locks never wait. Refuses a movement of a day whose income has
-- been counted.
CREATE FUNCTION earning.move_liquidity(_day integer, _at timestamptz, _ids uuid[], _customers bigint[], _kinds text[],
  _units bigint[], _holds bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
DECLARE
  move record;
  place earning.liquidity;
  fresh_taken bigint;
BEGIN
  FOR move IN SELECT * FROM unnest(_ids, _customers, _kinds, _units, _holds) WITH ORDINALITY AS t(id, customer_id, kind, units, hold, n) ORDER BY n LOOP
    INSERT INTO earning.liquidity (customer_id, day, earning, leaving, fresh) VALUES (move.customer_id, _day, 0, 0, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT place FROM earning.liquidity WHERE customer_id = move.customer_id FOR UPDATE;
    IF place.day < _day THEN
      INSERT INTO earning.liquidity_past (customer_id, day, earning, leaving, fresh)
      VALUES (place.customer_id, place.day, place.earning, place.leaving, place.fresh);
      place.earning := place.earning - place.leaving + place.fresh;
      place.leaving := 0;
      place.fresh := 0;
      place.day := _day;
    END IF;
    IF EXISTS (SELECT FROM earning.accrual WHERE product = 1 AND day >= place.day) THEN
      RAISE EXCEPTION 'the income of day % has been counted', place.day USING ERRCODE = 'EA003';
    END IF;
    fresh_taken := 0;
    IF move.kind = 'subscription' THEN
      place.fresh := place.fresh + move.units;
    ELSE
      fresh_taken := least(place.fresh, move.units);
      place.fresh := place.fresh - fresh_taken;
      IF move.kind = 'quick' THEN place.earning := place.earning - (move.units - fresh_taken);
      ELSE place.leaving := place.leaving + (move.units - fresh_taken);
      END IF;
    END IF;
    UPDATE earning.liquidity SET day = place.day, earning = place.earning, leaving = place.leaving, fresh = place.fresh WHERE customer_id = place.customer_id;
    INSERT INTO earning.movement (id, customer_id, kind, units, day, at, from_fresh, hold)
    VALUES (move.id, move.customer_id, move.kind, move.units, place.day, _at, fresh_taken, move.hold);
    INSERT INTO earning.day_total AS t (day, subscribed, quick, normal)
    VALUES (place.day, CASE move.kind WHEN 'subscription' THEN move.units ELSE 0 END, CASE move.kind WHEN 'quick' THEN move.units ELSE 0 END,
      CASE move.kind WHEN 'normal' THEN move.units ELSE 0 END)
    ON CONFLICT (day) DO UPDATE SET subscribed = t.subscribed + excluded.subscribed, quick = t.quick + excluded.quick, normal = t.normal + excluded.normal;
  END LOOP;
END $$;

-- Counts the income of liquidity positions. It reads the incomes of the previous day as one range beside the positions:
-- with older statistics, the planner would scan that whole day for each position.
CREATE FUNCTION earning.count_liquidity(_day integer, _limit integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = earning, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_mergejoin = off SET enable_material = off SET jit = off AS $$
DECLARE
  work earning.accrual;
  terms earning.version;
  -- What the stages below each stage come to when they are full.
  full_sums numeric[] := '{0}';
  seen bigint; last_seen bigint; earned_units numeric; earned_positions bigint;
BEGIN
  SELECT * INTO STRICT work FROM earning.accrual WHERE product = 1 AND day = _day FOR UPDATE;
  IF work.state <> 'counting' THEN RETURN true; END IF;
  SELECT * INTO STRICT terms FROM earning.version WHERE product = 1 AND version = work.version;
  FOR n IN 2 .. cardinality(terms.stage_froms) LOOP
    full_sums[n] := full_sums[n - 1] + (terms.stage_froms[n] - terms.stage_froms[n - 1])::numeric * terms.stage_rates[n - 1];
  END LOOP;

  WITH place AS MATERIALIZED (
    SELECT * FROM earning.liquidity WHERE customer_id > work.counted_to ORDER BY customer_id LIMIT _limit
  ), based AS MATERIALIZED (
    SELECT p.customer_id, CASE
        WHEN p.day = _day THEN p.earning
        WHEN p.day < _day THEN p.earning - p.leaving + p.fresh
        ELSE coalesce((SELECT CASE WHEN o.day = _day THEN o.earning ELSE o.earning - o.leaving + o.fresh END
          FROM earning.liquidity_past o WHERE o.customer_id = p.customer_id AND o.day <= _day ORDER BY o.day DESC LIMIT 1), 0)
      END AS base
    FROM place p
  ), before AS MATERIALIZED (
    SELECT i.position, i.carry_after, i.total_after FROM earning.income i
    WHERE i.product = 1 AND i.day = _day - 1 AND i.position > work.counted_to AND i.position <= (SELECT max(customer_id) FROM place)
  ), carried AS MATERIALIZED (
    SELECT b.customer_id, b.base, i.position IS NOT NULL AS has_earned,
      coalesce(i.carry_after, CASE WHEN b.base > 0 THEN (SELECT r.carry FROM earning.rest r WHERE r.customer_id = b.customer_id ORDER BY r.day DESC LIMIT 1) END, 0) AS carry,
      coalesce(i.total_after, CASE WHEN b.base > 0 THEN (SELECT r.total FROM earning.rest r WHERE r.customer_id = b.customer_id ORDER BY r.day DESC LIMIT 1) END, 0) AS total,
      width_bucket(b.base, terms.stage_froms) AS stage
    FROM based b LEFT JOIN before i ON i.position = b.customer_id
  ), earned AS MATERIALIZED (
    SELECT customer_id, base, carry, total, carry + full_sums[stage] + (base - terms.stage_froms[stage])::numeric * terms.stage_rates[stage] AS numerator
    FROM carried WHERE base > 0
  ), paid AS MATERIALIZED (
    SELECT *, div(numerator, 36500000000) AS units FROM earned
  ), written AS (
    INSERT INTO earning.income (product, day, position, customer_id, base, carry_before, carry_after, units, total_after, chunk, leg)
    SELECT 1, _day, customer_id, customer_id, base, carry, numerator - units * 36500000000, units, total + units, work.chunks + 1,
      CASE WHEN units > 0 THEN count(*) FILTER (WHERE units > 0) OVER (ORDER BY customer_id ROWS UNBOUNDED PRECEDING) END
    FROM paid
  ), rested AS (
    INSERT INTO earning.rest (customer_id, day, carry, total) SELECT customer_id, _day, carry, total FROM carried WHERE base = 0 AND has_earned
  )
  SELECT (SELECT count(*) FROM place), (SELECT max(customer_id) FROM place), (SELECT coalesce(sum(units), 0) FROM paid), (SELECT count(*) FROM paid)
  INTO seen, last_seen, earned_units, earned_positions;

  IF earned_positions > 0 THEN
    INSERT INTO earning.chunk (product, day, chunk, journal, first_position, last_position, units)
    VALUES (1, _day, work.chunks + 1, gen_random_uuid(), work.counted_to + 1, last_seen, earned_units);
  END IF;
  UPDATE earning.accrual SET counted_to = coalesce(last_seen, counted_to), positions = positions + earned_positions, units = units + earned_units,
    chunks = chunks + CASE WHEN earned_positions > 0 THEN 1 ELSE 0 END,
    state = CASE WHEN seen = _limit THEN 'counting' ELSE 'waiting' END
  WHERE product = 1 AND day = _day;
  RETURN seen < _limit;
END $$;

-- Counts the income of lock-ups: the n-th day of an order is the difference of two whole sums, so nothing is carried
-- that its terms don't define.
CREATE FUNCTION earning.count_lockup(_product smallint, _day integer, _limit integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = earning, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_mergejoin = off SET enable_hashjoin = off SET jit = off SET enable_material = off AS $$
DECLARE
  work earning.accrual;
  seen bigint; last_seen bigint; earned_units numeric;
BEGIN
  SELECT * INTO STRICT work FROM earning.accrual WHERE product = _product AND day = _day FOR UPDATE;
  IF work.state <> 'counting' THEN RETURN true; END IF;
  WITH place AS MATERIALIZED (
    SELECT number, customer_id, principal, principal::numeric * daily_rate AS daily, _day - start_day + 1 AS nth
    FROM earning.lockup
    WHERE product = _product AND matured_at IS NULL AND number > work.counted_to AND start_day <= _day AND end_day > _day
    ORDER BY number LIMIT _limit
  ), paid AS MATERIALIZED (
    SELECT *, div(daily * nth, 100000000) - div(daily * (nth - 1), 100000000) AS units FROM place
  ), written AS (
    INSERT INTO earning.income (product, day, position, customer_id, base, carry_before, carry_after, units, total_after, chunk, leg)
    SELECT _product, _day, number, customer_id, principal, mod(daily * (nth - 1), 100000000), mod(daily * nth, 100000000), units,
      div(daily * nth, 100000000), work.chunks + 1,
      CASE WHEN units > 0 THEN count(*) FILTER (WHERE units > 0) OVER (ORDER BY number ROWS UNBOUNDED PRECEDING) END
    FROM paid
  )
  SELECT (SELECT count(*) FROM place), (SELECT max(number) FROM place), (SELECT coalesce(sum(units), 0) FROM paid) INTO seen, last_seen, earned_units;
  IF seen > 0 THEN
    INSERT INTO earning.chunk (product, day, chunk, journal, first_position, last_position, units)
    VALUES (_product, _day, work.chunks + 1, gen_random_uuid(), work.counted_to + 1, last_seen, earned_units);
  END IF;
  UPDATE earning.accrual SET counted_to = coalesce(last_seen, counted_to), positions = positions + seen, units = units + earned_units,
    chunks = chunks + CASE WHEN seen > 0 THEN 1 ELSE 0 END, state = CASE WHEN seen = _limit THEN 'counting' ELSE 'paying' END
  WHERE product = _product AND day = _day;
  RETURN seen < _limit;
END $$;

-- Pays a chunk. Liquidity is paid by ledger.pay_owners: a customer has one position there, so each is paid once.
CREATE FUNCTION earning.pay_chunk(_product smallint, _day integer, _kind text) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = earning, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_mergejoin = off SET enable_hashjoin = off SET enable_material = off SET jit = off AS $$
DECLARE
  work earning.accrual;
  part earning.chunk;
  customers bigint[]; units numeric[];
  back_numbers bigint[]; back_customers bigint[]; back_units numeric[];
  paid integer; returned integer;
BEGIN
  SELECT * INTO STRICT work FROM earning.accrual WHERE product = _product AND day = _day FOR UPDATE;
  IF work.state = 'paid' THEN RETURN NULL; END IF;
  IF work.state <> 'paying' THEN RAISE EXCEPTION 'day % of product % is %', _day, _product, work.state USING ERRCODE = 'EA004'; END IF;
  IF work.chunks_paid = work.chunks THEN
    UPDATE earning.accrual SET state = 'paid', paid_at = clock_timestamp() WHERE product = _product AND day = _day;
    RETURN NULL;
  END IF;
  SELECT * INTO STRICT part FROM earning.chunk WHERE product = _product AND day = _day AND chunk = work.chunks_paid + 1;
  SELECT array_agg(i.customer_id ORDER BY i.leg), array_agg(i.units ORDER BY i.leg) INTO customers, units
  FROM earning.income i
  WHERE i.product = _product AND i.day = _day AND i.position BETWEEN part.first_position AND part.last_position AND i.leg IS NOT NULL;
  IF _product > 1 THEN
    SELECT array_agg(l.number ORDER BY l.number), array_agg(l.customer_id ORDER BY l.number), array_agg(l.principal ORDER BY l.number)
    INTO back_numbers, back_customers, back_units
    FROM earning.lockup l
    WHERE l.product = _product AND l.matured_at IS NULL AND l.number BETWEEN part.first_position AND part.last_position AND l.end_day = _day + 1;
  END IF;
  paid := coalesce(cardinality(customers), 0);
  returned := coalesce(cardinality(back_numbers), 0);
  IF _product = 1 AND paid > 0 THEN
    PERFORM ledger.pay_owners(part.journal, _kind, format('%s/%s/%s', _product, _day, part.chunk), 'USDT', 261::smallint, 1000::smallint, 76::smallint, customers, units);
  ELSIF paid + returned > 0 THEN
    PERFORM ledger.post_singles(part.journal, _kind, format('%s/%s/%s', _product, _day, part.chunk), 'USDT',
      array_fill(0::bigint, ARRAY[paid]) || coalesce(back_customers, '{}'),
      array_fill(261::smallint, ARRAY[paid]) || array_fill(1010::smallint, ARRAY[returned]),
      coalesce(customers, '{}') || coalesce(back_customers, '{}'), array_fill(1000::smallint, ARRAY[paid + returned]),
      coalesce(units, '{}') || coalesce(back_units, '{}'),
      array_fill(73::smallint, ARRAY[paid]) || array_fill(71::smallint, ARRAY[returned]));
  END IF;
  IF returned > 0 THEN
    UPDATE earning.lockup SET matured_at = clock_timestamp(), matured_journal = part.journal WHERE number = ANY (back_numbers);
    UPDATE earning.lockup_total SET taken = taken - (SELECT sum(u) FROM unnest(back_units) u) WHERE product = _product;
  END IF;
  UPDATE earning.accrual SET chunks_paid = chunks_paid + 1,
    state = CASE WHEN chunks_paid + 1 = chunks THEN 'paid' ELSE state END,
    paid_at = CASE WHEN chunks_paid + 1 = chunks THEN clock_timestamp() END
  WHERE product = _product AND day = _day;
  RETURN coalesce(customers, '{}') || coalesce(back_customers, '{}');
END $$;

-- Marks a counted day as reserved, in the same transaction; fails if the day is not waiting for that.
CREATE FUNCTION earning.begin_paying(_day integer, _units numeric, _journal uuid) RETURNS void
LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
BEGIN
  UPDATE earning.accrual SET state = 'paying', reserved_journal = _journal WHERE product = 1 AND day = _day AND state = 'waiting' AND units = _units;
  IF NOT FOUND THEN RAISE EXCEPTION 'day % does not wait for % units', _day, _units USING ERRCODE = 'EA005'; END IF;
END $$;

-- Allows the application to write only a copy of an approved version into a product's own table of terms.
CREATE FUNCTION earning.check_approved_version() RETURNS trigger LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
DECLARE
  f jsonb;
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'earning'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  SELECT v.fields::jsonb INTO f FROM offer.version v
  WHERE v.approval = NEW.approval AND v.stopped_at IS NULL AND (v.kind, v.subject) = (CASE WHEN NEW.product = 1 THEN 'liquidity' ELSE 'lockup' END, NEW.product::text);
  IF f IS NULL OR ((f ->> 'offered')::boolean = NEW.is_offered AND (f ->> 'min')::numeric * 1000000 = NEW.units_min AND CASE WHEN NEW.product = 1
      THEN (SELECT array_agg((s ->> 'from')::numeric * 1000000 ORDER BY n) FROM jsonb_array_elements(f -> 'stages') WITH ORDINALITY AS t(s, n)) = NEW.stage_froms::numeric[]
        AND (SELECT array_agg((s ->> 'rate')::numeric * 100000000 ORDER BY n) FROM jsonb_array_elements(f -> 'stages') WITH ORDINALITY AS t(s, n)) = NEW.stage_rates::numeric[]
      ELSE (f ->> 'max')::numeric * 1000000 = NEW.units_max AND (f ->> 'quota')::numeric * 1000000 = NEW.quota AND (f ->> 'daily_rate')::numeric * 100000000 = NEW.daily_rate
      END) IS NOT TRUE THEN
    RAISE EXCEPTION 'nobody approved these terms of product %', NEW.product USING ERRCODE = 'EA006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_approved BEFORE INSERT ON earning.version FOR EACH ROW
  EXECUTE FUNCTION earning.check_approved_version();

-- Adds each lock-up order to the product's total, and refuses what exceeds either limit of the order's own terms. The
-- application alone could miss a second order of the same batch.
CREATE FUNCTION earning.keep_limits() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = earning,
  pg_temp AS $$
BEGIN
  -- The total's row is locked from here on, so two transactions that add to a product count each other.
  INSERT INTO earning.lockup_total AS t (product, taken)
  SELECT product, sum(principal) FROM added GROUP BY product ORDER BY product
  ON CONFLICT (product) DO UPDATE SET taken = t.taken + excluded.taken;
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT product, version FROM added) a JOIN earning.version v USING (product, version)
    JOIN earning.lockup_total t USING (product) WHERE t.taken > v.quota
  ) THEN
    RAISE EXCEPTION 'a lock-up is above its quota' USING ERRCODE = 'EA007';
  END IF;
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT customer_id, product, version FROM added) a JOIN earning.version v USING (product, version)
    WHERE v.units_max < (SELECT sum(l.principal) FROM earning.lockup l
      WHERE l.customer_id = a.customer_id AND l.product = a.product AND l.matured_at IS NULL)
  ) THEN
    RAISE EXCEPTION 'a customer has more in a lock-up than its terms allow' USING ERRCODE = 'EA008';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_limits AFTER INSERT ON earning.lockup REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION earning.keep_limits();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['earning.product', 'earning.version', 'earning.liquidity_past', 'earning.chunk',
    'earning.income', 'earning.rest'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION earning.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION earning.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['earning.lockup', 'earning.lockup_total', 'earning.liquidity', 'earning.movement',
    'earning.day_total', 'earning.accrual'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION earning.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION earning.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA earning FROM PUBLIC;
GRANT EXECUTE ON FUNCTION earning.version_on, earning.begin_paying, earning.move_liquidity, earning.pay_chunk,
  earning.count_liquidity, earning.count_lockup TO sathorn_app, sathorn_checker;
