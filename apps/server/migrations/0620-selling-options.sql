-- Selling an option before its end. The house takes it back at a price that follows from the signed terms and one tick
-- (0094-selling-an-option.md), and the database computes that price again.

-- The terms of selling for a coin, from a moment on. A change is a new row. An option keeps those of its purchase.
CREATE TABLE options.sale_terms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coin text NOT NULL,
  effective_from timestamptz NOT NULL,
  offered boolean NOT NULL,
  -- The standard deviation of a year in bps of the price, and by which share of itself the true one may differ.
  vol_bps integer NOT NULL CHECK (vol_bps BETWEEN 100 AND 50000),
  band_bps integer NOT NULL CHECK (band_bps BETWEEN 0 AND 9000),
  -- What the house keeps, in bps of the stake.
  spread_bps integer NOT NULL CHECK (spread_bps BETWEEN 0 AND 2000),
  -- No sale in this time before the end. More than a tick, so that a sale never meets a settlement by the rules.
  closed_ms integer NOT NULL CHECK (closed_ms BETWEEN 2000 AND 3600000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  approval uuid,
  UNIQUE (coin, effective_from)
);
-- An approval makes one row.
CREATE UNIQUE INDEX sale_terms_of_approval ON options.sale_terms (approval) WHERE approval IS NOT NULL;
GRANT SELECT ON options.sale_terms TO sathorn_app, sathorn_checker;
GRANT INSERT (coin, effective_from, offered, vol_bps, band_bps, spread_bps, closed_ms, approval) ON options.sale_terms TO sathorn_app;

INSERT INTO offer.kind (name, notice) VALUES ('option_sale', '24 hours');

-- As for the offers of options: no row begins before it is written, a row of the application is exactly what two people
-- approved, and one that is worse for customers needs its published notice, whoever writes it.
CREATE FUNCTION options.check_sale_terms() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE
  before options.sale_terms;
  is_owner boolean := pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'options'), 'MEMBER');
  is_worse boolean;
BEGIN
  NEW.created_at := clock_timestamp();
  IF (SELECT virtual_clock FROM market.guard) AND is_owner THEN RETURN NEW; END IF;
  IF NEW.effective_from < NEW.created_at - interval '10 seconds' THEN
    RAISE EXCEPTION 'terms of selling can''t begin before they are made: %', NEW.coin USING ERRCODE = 'OP008';
  END IF;
  SELECT * INTO before FROM options.sale_terms t WHERE t.coin = NEW.coin AND t.effective_from <= NEW.effective_from ORDER BY t.effective_from DESC LIMIT 1;
  is_worse := FOUND AND before.offered AND NOT (NEW.offered AND NEW.vol_bps = before.vol_bps AND NEW.band_bps <= before.band_bps
    AND NEW.spread_bps <= before.spread_bps AND NEW.closed_ms <= before.closed_ms);
  IF is_owner AND NOT is_worse THEN RETURN NEW; END IF;
  -- The first terms of a demonstration are the program's.
  IF NEW.approval IS NULL AND before IS NULL AND (SELECT mode FROM ledger.deployment) = 'demo' THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM offer.version v JOIN offer.kind k ON k.name = v.kind CROSS JOIN LATERAL (SELECT v.fields::jsonb AS said) fields
    WHERE v.approval = NEW.approval AND v.kind = 'option_sale' AND v.subject = NEW.coin AND v.stopped_at IS NULL AND NEW.effective_from >= v.effective_from
      AND (NOT is_worse OR NEW.effective_from >= v.at + k.notice OR (SELECT virtual_clock FROM market.guard))
      AND (said ->> 'offered')::boolean = NEW.offered AND (said ->> 'volatility')::numeric * 10000 = NEW.vol_bps AND (said ->> 'band')::numeric * 10000 = NEW.band_bps
      AND (said ->> 'spread')::numeric * 10000 = NEW.spread_bps AND (said ->> 'closed_seconds')::numeric * 1000 = NEW.closed_ms) THEN
    RAISE EXCEPTION 'nobody approved these terms of selling %, with their notice', NEW.coin USING ERRCODE = 'OP009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_sale_terms BEFORE INSERT ON options.sale_terms FOR EACH ROW EXECUTE FUNCTION options.check_sale_terms();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON options.sale_terms FOR EACH ROW
  EXECUTE FUNCTION options.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON options.sale_terms FOR EACH STATEMENT
  EXECUTE FUNCTION options.refuse_change();

-- The terms of selling of an order, as its signed terms say them. Null for an option that can't be sold, as all that
-- were bought before.
ALTER TABLE options.orders ADD COLUMN sell_vol_bps integer;
ALTER TABLE options.orders ADD COLUMN sell_band_bps integer;
ALTER TABLE options.orders ADD COLUMN sell_spread_bps integer;
ALTER TABLE options.orders ADD COLUMN sell_closed_ms integer;
GRANT INSERT (sell_vol_bps, sell_band_bps, sell_spread_bps, sell_closed_ms) ON options.orders TO sathorn_app;
ALTER TABLE options.orders ADD CONSTRAINT sale_whole CHECK (num_nonnulls(sell_vol_bps, sell_band_bps, sell_spread_bps, sell_closed_ms) IN (0, 4)
  AND sell_vol_bps > 0 AND sell_band_bps BETWEEN 0 AND 9999 AND sell_spread_bps BETWEEN 0 AND 10000 AND sell_closed_ms >= 2000);

-- A sold order has its start, and for an end the tick of which its price was made.
INSERT INTO options.move VALUES ('holding', 'sold');
ALTER TABLE options.orders DROP CONSTRAINT orders_status_check;
ALTER TABLE options.orders ADD CONSTRAINT orders_status_check CHECK (status IN ('holding', 'won', 'lost', 'tie', 'void', 'sold'));
ALTER TABLE options.orders DROP CONSTRAINT status_by_prices;
ALTER TABLE options.orders ADD CONSTRAINT status_by_prices CHECK ( CASE status WHEN 'holding' THEN start_sequence IS NULL AND end_sequence IS NULL
    AND reason IS NULL WHEN 'void' THEN reason IS NOT NULL AND end_sequence IS NULL
    AND (start_sequence IS NULL) = (reason = 'no_start_tick') WHEN 'sold' THEN reason IS NULL AND sell_vol_bps IS NOT NULL AND start_price IS NOT NULL
    AND end_price IS NOT NULL AND start_sequence <= end_sequence ELSE reason IS NULL AND start_price IS NOT NULL
    AND end_price IS NOT NULL AND start_sequence <= end_sequence AND status = CASE WHEN end_price = start_price
    THEN 'tie' WHEN (end_price > start_price) = (direction = 'up') THEN 'won' ELSE 'lost' END END );
ALTER TABLE options.orders DROP CONSTRAINT money_by_status;
ALTER TABLE options.orders ADD CONSTRAINT money_by_status CHECK ( CASE status WHEN 'won' THEN profit = promised
    AND fee = (promised * fee_bps + 9999) / 10000 AND credited = stake + profit - fee WHEN 'lost' THEN profit = -stake
    AND fee = 0 AND credited = 0 WHEN 'holding' THEN true WHEN 'sold' THEN fee = 0 AND profit = credited - stake
    AND credited BETWEEN 1 AND stake + promised - 1 ELSE profit = 0 AND fee = 0 AND credited = stake END );
-- Finds the ticks whose signatures sold options need.
CREATE INDEX orders_sold ON options.orders (coin, end_sequence) WHERE status = 'sold';
-- Finds the order of a sale that a device or a program signed.
CREATE INDEX orders_sold_by ON options.orders (journal) WHERE status = 'sold';

-- The smallest step of a coin's index under a rule, in units of 10^-6 USDT.
CREATE FUNCTION options.index_step(_coin text, _rule text) RETURNS bigint LANGUAGE sql IMMUTABLE SET search_path = options, pg_temp AS $$
  SELECT CASE _rule WHEN 'families/1' THEN CASE WHEN _coin IN ('BTC', 'ETH', 'BNB', 'SOL') THEN 10000 WHEN _coin IN ('XRP', 'ADA') THEN 100 WHEN _coin IN ('DOGE', 'TRX') THEN 10 END
    WHEN 'families/2' THEN CASE WHEN _coin IN ('BTC', 'ETH') THEN 10000 WHEN _coin = 'BNB' THEN 1000 WHEN _coin = 'SOL' THEN 100 WHEN _coin = 'XRP' THEN 10
      WHEN _coin IN ('DOGE', 'ADA', 'TRX') THEN 1 END END;
$$;

-- The probability between the middle of the normal distribution and _z deviations, both in 10^-18 (verification.md).
CREATE FUNCTION options.half_of(_z numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE SET search_path = options, pg_temp AS $$
DECLARE
  one CONSTANT numeric := 1e18;
  term numeric := _z;
  total numeric := _z;
  power numeric := 1e18;
  exponential numeric := 1e18;
  n numeric := 3;
BEGIN
  IF _z >= 8 * one THEN RETURN one / 2; END IF;
  WHILE term > 0 LOOP
    term := div(term * _z * _z, one * one * n);
    total := total + term;
    n := n + 2;
  END LOOP;
  n := 2;
  WHILE power > 0 LOOP
    power := div(power * _z * _z, one * one * n);
    exponential := exponential + power;
    n := n + 2;
  END LOOP;
  RETURN div(total * one * one, exponential * 2506628274631000502);
END $$;

-- The least probability of being beyond a boundary: _ahead is twice the distance.
CREATE FUNCTION options.least_probability(_ahead numeric, _price numeric, _left_ms numeric, _vol_bps numeric, _band_bps numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE SET search_path = options, pg_temp AS $$
DECLARE
  one CONSTANT numeric := 1e18;
  wide numeric := _vol_bps * CASE WHEN _ahead >= 0 THEN 10000 + _band_bps ELSE 10000 - _band_bps END;
  square numeric := div(_ahead * _ahead * one * one * 31536000000 * 1e16, 4 * _price * wide * _price * wide * _left_ms);
  z numeric := trunc(sqrt(square));
BEGIN
  -- The root of a number of so many digits may be rounded up.
  IF z * z > square THEN z := z - 1; END IF;
  IF (z + 1) * (z + 1) <= square THEN z := z + 1; END IF;
  RETURN greatest(0, CASE WHEN _ahead >= 0 THEN one / 2 + options.half_of(z) ELSE one / 2 - options.half_of(z + 1) END - 1000);
END $$;

-- What a sale pays, in units of 10^-6 USDT; null if nothing is left. The database's own copy of the formula.
CREATE FUNCTION options.bid(_is_up boolean, _stake bigint, _gain bigint, _start bigint, _price bigint, _step bigint, _left_ms bigint, _vol_bps integer,
  _band_bps integer, _spread_bps integer) RETURNS bigint LANGUAGE sql IMMUTABLE SET search_path = options, pg_temp AS $$
  SELECT nullif(greatest(0, trunc(div(options.least_probability(ahead - _step, _price, _left_ms, _vol_bps, _band_bps) * _gain
      + options.least_probability(ahead + _step, _price, _left_ms, _vol_bps, _band_bps) * _stake, 1e18))
    - greatest(1, div(_stake::numeric * _spread_bps + 9999, 10000))), 0)::bigint
  FROM (SELECT 2 * (CASE WHEN _is_up THEN _price::numeric - _start ELSE _start::numeric - _price END) AS ahead) index;
$$;

-- Requires of a sold order the price of the formula for its tick, which is stored, is one of the option's, and was one of
-- the newest: within ten seconds, also for an application that chooses among older ones.
CREATE FUNCTION options.check_sale() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM became WHERE status = 'sold') THEN RETURN NULL; END IF;
  IF EXISTS (
    SELECT FROM became o LEFT JOIN market.tick t ON t.coin = o.coin AND t.sequence = o.end_sequence LEFT JOIN market.head h ON h.coin = o.coin
    WHERE o.status = 'sold' AND (t.price = o.end_price AND o.end_late_ms = coalesce((t.body::jsonb->>'late')::integer, 0)
      AND t.at <= options.at(o.ends_ms - o.sell_closed_ms) AND t.at >= h.at - interval '10 seconds' AND h.at < options.at(o.ends_ms)
      AND o.credited = options.bid(o.direction = 'up', o.stake, o.promised - (o.promised * o.fee_bps + 9999) / 10000, o.start_price, o.end_price,
        options.index_step(o.coin, t.body::jsonb->>'rule'), o.ends_ms - (extract(epoch FROM t.at) * 1000)::bigint, o.sell_vol_bps, o.sell_band_bps, o.sell_spread_bps)) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'an option was not sold at the price of its tick' USING ERRCODE = 'OP013';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_sale AFTER UPDATE ON options.orders REFERENCING NEW TABLE AS became FOR EACH STATEMENT
  EXECUTE FUNCTION options.check_sale();

-- As before; the end of a sold order is the tick of its sale, which `check_sale` looks at.
CREATE OR REPLACE FUNCTION options.check_settlement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE
  gap CONSTANT interval := interval '3 seconds';
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT coin, start_sequence, start_price, start_late_ms, options.at(min(accepted_ms)) AS earliest, options.at(max(accepted_ms)) AS latest
      FROM became WHERE start_sequence IS NOT NULL GROUP BY coin, start_sequence, start_price, start_late_ms
    ) o
    LEFT JOIN market.tick before_start ON before_start.coin = o.coin AND before_start.sequence = o.start_sequence - 1
    LEFT JOIN market.tick start_tick ON start_tick.coin = o.coin AND start_tick.sequence = o.start_sequence
    WHERE (start_tick.price = o.start_price AND o.start_late_ms = coalesce((start_tick.body::jsonb->>'late')::integer, 0) AND start_tick.at > o.latest AND start_tick.at <= o.earliest + gap
      AND (before_start.at IS NULL OR before_start.at <= o.earliest)) IS NOT TRUE
  ) OR EXISTS (
    SELECT FROM (
      SELECT coin, end_sequence, end_price, end_late_ms, options.at(min(ends_ms)) AS earliest, options.at(max(ends_ms)) AS latest
      FROM became WHERE end_sequence IS NOT NULL AND status <> 'sold' GROUP BY coin, end_sequence, end_price, end_late_ms
    ) o
    LEFT JOIN market.tick end_tick ON end_tick.coin = o.coin AND end_tick.sequence = o.end_sequence
    LEFT JOIN market.tick after_end ON after_end.coin = o.coin AND after_end.sequence = o.end_sequence + 1
    WHERE (end_tick.price = o.end_price AND o.end_late_ms = coalesce((end_tick.body::jsonb->>'late')::integer, 0) AND end_tick.at <= o.earliest AND end_tick.at >= o.latest - gap
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

-- Writes sales. Fails unless each order was still holding: its settlement may not have been written in between.
CREATE FUNCTION options.sell_orders(_ids uuid[], _start_sequences bigint[], _start_prices bigint[], _start_late_ms integer[], _end_sequences bigint[],
  _end_prices bigint[], _end_late_ms integer[], _credited bigint[], _settled_ms bigint, _journals uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
DECLARE
  sold bigint;
BEGIN
  UPDATE options.orders o SET status = 'sold', start_sequence = s.start_sequence, start_price = s.start_price, start_late_ms = s.start_late_ms,
    end_sequence = s.end_sequence, end_price = s.end_price, end_late_ms = s.end_late_ms, profit = s.credited - o.stake, fee = 0, credited = s.credited,
    settled_ms = _settled_ms, journal = s.journal
  FROM unnest(_ids, _start_sequences, _start_prices, _start_late_ms, _end_sequences, _end_prices, _end_late_ms, _credited, _journals)
    AS s(id, start_sequence, start_price, start_late_ms, end_sequence, end_price, end_late_ms, credited, journal)
  WHERE o.id = s.id AND o.status IS NOT DISTINCT FROM 'holding';
  GET DIAGNOSTICS sold = ROW_COUNT;
  IF sold <> cardinality(_ids) THEN RAISE EXCEPTION 'an option that is sold was settled' USING ERRCODE = 'OP001'; END IF;
END $$;

-- As before, and counts the terms of selling that the application reads.
CREATE OR REPLACE FUNCTION options.refuse_overtaken(_offers bigint, _coins text[], _accepted_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM options.terms) + (SELECT count(*) FROM options.sale_terms) <> _offers THEN
    RAISE EXCEPTION 'what is offered has changed' USING ERRCODE = 'OP005';
  END IF;
  IF EXISTS (SELECT FROM unnest(_coins, _accepted_ms) AS accepted(coin, ms) JOIN market.head USING (coin) WHERE head.at > timestamptz 'epoch' + accepted.ms * interval '1 millisecond') THEN
    RAISE EXCEPTION 'a tick came before the purchase' USING ERRCODE = 'OP006';
  END IF;
END $$;

REVOKE ALL ON FUNCTION options.check_sale_terms, options.check_sale, options.index_step, options.half_of, options.least_probability, options.bid,
  options.sell_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.sell_orders TO sathorn_app;

-- As before, and a tick at which an option was sold keeps its signature.
CREATE OR REPLACE FUNCTION market.seal_ticks(_coin text, _first bigint, _last bigint, _bytes bytea) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  sealed market.sealed_segment;
  segment market.sealed_segment;
  next_at timestamptz;
  -- Whole seconds, as ticks are: the tick at or before a moment is the one at or before its second.
  moments bigint[];
  kept bigint[];
  sold bigint[];
  faults integer;
  removed integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal:' || _coin, 0));
  SELECT * INTO sealed FROM market.sealed_segment WHERE coin = _coin ORDER BY last_sequence DESC LIMIT 1;
  IF _first IS DISTINCT FROM coalesce(sealed.last_sequence, 0) + 1 THEN
    RAISE EXCEPTION 'the next tick of % to seal is %, not %', _coin, coalesce(sealed.last_sequence, 0) + 1, _first USING ERRCODE = 'MK006';
  END IF;
  SELECT at INTO segment.first_at FROM market.tick WHERE coin = _coin AND sequence = _first;
  SELECT at INTO segment.last_at FROM market.tick WHERE coin = _coin AND sequence = _last;
  SELECT at INTO next_at FROM market.tick WHERE coin = _coin AND sequence = _last + 1;
  IF (_last - _first BETWEEN 0 AND 3599 AND segment.last_at <= (SELECT at FROM market.head WHERE coin = _coin) - interval '1 minute') IS NOT TRUE THEN
    RAISE EXCEPTION 'the ticks of % up to % are not to be sealed now', _coin, _last USING ERRCODE = 'MK006';
  END IF;

  SELECT array_agg(DISTINCT ms / 1000) INTO moments FROM (
    SELECT accepted_ms AS ms FROM options.orders WHERE coin = _coin
      AND accepted_ms >= coalesce(extract(epoch FROM sealed.last_at) * 1000 - 5000, 0)::bigint AND accepted_ms < (extract(epoch FROM next_at) * 1000 + 62000)::bigint
    UNION ALL
    SELECT ends_ms FROM options.orders WHERE coin = _coin
      AND ends_ms >= coalesce(extract(epoch FROM sealed.last_at) * 1000, 0)::bigint AND ends_ms < (extract(epoch FROM next_at) * 1000)::bigint
  ) of_orders;
  SELECT array_agg(DISTINCT end_sequence) INTO sold FROM options.orders
  WHERE coin = _coin AND status = 'sold' AND end_sequence BETWEEN _first AND _last;
  segment.previous_hash := coalesce(sealed.last_hash, decode(repeat('0', 64), 'hex'));

  WITH tick AS (
    SELECT at, extract(epoch FROM at)::bigint AS second, price, body, hash, signature, key, (sequence - _first + 1)::integer AS nth,
      lag(hash, 1, segment.previous_hash) OVER w AS hash_before,
      extract(epoch FROM lag(at, 1, coalesce(sealed.last_at, 'epoch')) OVER w)::bigint AS second_before, extract(epoch FROM lead(at, 1, next_at) OVER w)::bigint AS second_after
    FROM market.tick WHERE coin = _coin AND sequence BETWEEN _first AND _last WINDOW w AS (ORDER BY sequence)
  ), chosen AS (
    SELECT tick.*, second / 60 <> second_after / 60 OR nth = _last - _first + 1
      -- The price of a sold option was made of this tick.
      OR _first + nth - 1 = ANY (sold)
      -- A moment between two ticks is decided by both.
      OR EXISTS (SELECT FROM unnest(moments) AS m WHERE m >= second_before AND m < second_after)
      -- An order's receipt shows the tick that names its terms, at most four seconds after its acceptance.
      OR (body LIKE '%"promises":%' AND EXISTS (SELECT FROM unnest(moments) AS m WHERE m >= second - 5 AND m <= second + 62)) AS is_signed
    FROM tick
  )
  SELECT count(*) FILTER (WHERE body::jsonb->>'prev' IS DISTINCT FROM encode(hash_before, 'hex')),
    array_agg((second - extract(epoch FROM segment.first_at))::integer ORDER BY nth), array_agg(price ORDER BY nth),
    array_agg(nth ORDER BY nth) FILTER (WHERE is_signed), string_agg(signature, '' ORDER BY nth) FILTER (WHERE is_signed),
    array_agg(key ORDER BY nth) FILTER (WHERE is_signed), (array_agg(hash ORDER BY nth DESC))[1],
    coalesce(jsonb_object_agg(nth, (body::jsonb->>'late')::integer) FILTER (WHERE body::jsonb ? 'late'), '{}')
  INTO faults, segment.seconds, segment.prices, segment.signed, segment.signatures, segment.keys, segment.last_hash, segment.late FROM chosen;
  IF faults > 0 OR cardinality(segment.prices) <> _last - _first + 1 THEN
    RAISE EXCEPTION 'the ticks of % from % to % are no chain', _coin, _first, _last USING ERRCODE = 'MK006';
  END IF;

  INSERT INTO market.sealed_segment (coin, first_sequence, last_sequence, first_at, last_at, previous_hash, last_hash, seconds, prices, signed, signatures,
    keys, bytes, hash, late)
  VALUES (_coin, _first, _last, segment.first_at, segment.last_at, segment.previous_hash, segment.last_hash, segment.seconds, segment.prices,
    segment.signed, segment.signatures, segment.keys, _bytes, sha256(_bytes), segment.late);

  SELECT array_agg(DISTINCT sequence) INTO kept FROM (
    SELECT DISTINCT ms / 1000 AS second FROM options.orders CROSS JOIN LATERAL (VALUES (accepted_ms), (ends_ms)) AS moment(ms)
    WHERE coin = _coin AND status = 'holding' AND ms < (extract(epoch FROM next_at) * 1000)::bigint
  ) open_orders CROSS JOIN LATERAL (
    (SELECT sequence FROM market.tick WHERE coin = _coin AND at <= to_timestamp(second) ORDER BY at DESC LIMIT 1)
    UNION ALL (SELECT sequence FROM market.tick WHERE coin = _coin AND at > to_timestamp(second) ORDER BY at LIMIT 1)
  ) around;
  DELETE FROM market.tick t WHERE coin = _coin AND sequence <= _last AND NOT EXISTS (SELECT FROM unnest(kept) AS k WHERE k = t.sequence);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

-- A receipt that a device kept over a restoration may be of a sale. Its price follows from its tick, which the checker
-- verifies (CR7); here it is less than a win pays.
ALTER TABLE corrections.kept_text DROP CONSTRAINT kept_text_ended_check;
ALTER TABLE corrections.kept_text ADD CONSTRAINT kept_text_ended_check CHECK (ended IN ('won', 'lost', 'tie', 'void', 'sold'));
ALTER TABLE corrections.kept_text DROP CONSTRAINT kept_text_booked_check;
ALTER TABLE corrections.kept_text ADD CONSTRAINT kept_text_booked_check CHECK (booked IN ('unknown', 'won', 'lost', 'tie', 'void', 'sold'));
ALTER TABLE corrections.kept_text DROP CONSTRAINT kept_text_check3;
ALTER TABLE corrections.kept_text ADD CONSTRAINT kept_text_check3 CHECK (CASE ended
  WHEN 'sold' THEN (terms::jsonb ->> 'sell_vol_bps' <> '' AND credited > 0 AND credited < corrections.credited_by(terms::jsonb, 'won')) IS TRUE
  ELSE credited IS NOT DISTINCT FROM corrections.credited_by(terms::jsonb, ended) END);

-- As before, with the sales of options.
CREATE OR REPLACE VIEW customers.given AS
  SELECT r.about, r.id, r.customer, r.at_ms, s.key, s.body, s.signature,
    CASE WHEN r.about NOT IN ('withdrawal', 'payee') THEN a.key END AS api_key
  FROM (
    SELECT 'option' AS about, id::text AS id, id AS intent, customer_id AS customer, accepted_ms AS at_ms FROM options.orders
    UNION ALL
    SELECT 'sale', id::text, journal, customer_id, settled_ms FROM options.orders WHERE status = 'sold'
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
