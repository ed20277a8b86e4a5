-- The index: signed ticks in one chain per coin, candles built from them, and the public keys that sign.
CREATE SCHEMA market;
GRANT USAGE ON SCHEMA market TO sathorn_app, sathorn_index, sathorn_checker;

-- The head of a coin's chain. Only the trigger on market.tick writes here.
CREATE TABLE market.head (
  coin text PRIMARY KEY,
  sequence bigint NOT NULL,
  at timestamptz NOT NULL,
  price bigint NOT NULL,
  hash bytea NOT NULL,
  environment text NOT NULL,
  -- The newest tick whose price moved by more than the breaker allows.
  jumped_at timestamptz
) WITH (fillfactor = 50, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
GRANT SELECT ON market.head TO sathorn_app, sathorn_index, sathorn_checker;

-- Every published price. `body` is the exact text that was hashed and signed; the columns repeat the fields that are
-- searched.
CREATE TABLE market.tick (
  coin text NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  at timestamptz NOT NULL CHECK (date_trunc('second', at) = at),
  -- Units of 10^-6 USDT.
  price bigint NOT NULL CHECK (price > 0),
  environment text NOT NULL CHECK (environment IN ('live', 'sim', 'replay')),
  jump boolean NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64),
  key text NOT NULL,
  PRIMARY KEY (coin, sequence),
  CONSTRAINT hash_of_body CHECK (hash = sha256(convert_to('tick/1' || chr(10) || body, 'UTF8')))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE market.tick ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE market.tick ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE market.tick ALTER COLUMN signature SET STATISTICS 0;
CREATE UNIQUE INDEX tick_at ON market.tick (coin, at);
GRANT SELECT ON market.tick TO sathorn_app, sathorn_index, sathorn_checker;
GRANT INSERT ON market.tick TO sathorn_index;

-- One row. Only the schema's owner can set it, and only for prices that are not live: a replay with its own clock.
CREATE TABLE market.guard (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  virtual_clock boolean NOT NULL DEFAULT false
);
INSERT INTO market.guard DEFAULT VALUES;
GRANT SELECT ON market.guard TO sathorn_app, sathorn_index, sathorn_checker;

-- Links a tick to its chain. It rejects one with a wrong time, one that does not extend its chain, and one whose
-- columns differ from its signed text. A tick that could not be published in time may follow up to a minute later, if
-- its signed text says so. The head is locked before the clock is read, so a settlement that holds the head knows that
-- no tick older than a minute can follow. A price that differs by a fifth from one of weeks ago is no sudden move:
-- purchases pause only if the previous tick is at most an hour older. It runs as the owner, so that no role needs the
-- right to write the head.
CREATE FUNCTION market.link_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  head market.head;
  said jsonb := NEW.body::jsonb;
  age interval;
BEGIN
  SELECT * INTO head FROM market.head WHERE coin = NEW.coin FOR UPDATE;
  age := clock_timestamp() - NEW.at;
  IF (age < interval '-1 second' OR age > CASE WHEN said ? 'late' THEN interval '62 seconds' ELSE interval '1 second' END)
    AND NOT (NEW.environment <> 'live' AND (SELECT virtual_clock FROM market.guard)) THEN
    RAISE EXCEPTION 'a tick of % is % from the database''s clock', NEW.coin, -age USING ERRCODE = 'MK001';
  END IF;
  IF NEW.sequence <> coalesce(head.sequence, 0) + 1 OR NEW.at <= coalesce(head.at, '-infinity')
    OR said->>'prev' IS DISTINCT FROM coalesce(encode(head.hash, 'hex'), repeat('0', 64)) THEN
    RAISE EXCEPTION 'tick % of % does not follow tick %', NEW.sequence, NEW.coin, coalesce(head.sequence, 0) USING ERRCODE = 'MK002';
  END IF;
  -- What was once simulated never becomes live, nor the other way round.
  IF head.environment IS NOT NULL AND (head.environment = 'live') <> (NEW.environment = 'live') THEN
    RAISE EXCEPTION 'the chain of % is %, not %', NEW.coin, head.environment, NEW.environment USING ERRCODE = 'MK003';
  END IF;
  IF said->>'v' IS DISTINCT FROM 'tick/1' OR said->>'sym' IS DISTINCT FROM NEW.coin || 'USDT' OR said->>'seq' IS DISTINCT FROM NEW.sequence::text
    OR said->>'px' IS DISTINCT FROM NEW.price::text OR said->>'t' IS DISTINCT FROM (extract(epoch FROM NEW.at) * 1000)::bigint::text
    OR said->>'env' IS DISTINCT FROM NEW.environment OR (said->>'flag' = 'jump') IS DISTINCT FROM NEW.jump THEN
    RAISE EXCEPTION 'the text of tick % of % says something else', NEW.sequence, NEW.coin USING ERRCODE = 'MK004';
  END IF;
  INSERT INTO market.head AS h (coin, sequence, at, price, hash, environment, jumped_at)
  VALUES (NEW.coin, NEW.sequence, NEW.at, NEW.price, NEW.hash, NEW.environment, 
    CASE WHEN NEW.jump AND NEW.at - head.at <= interval '1 hour' THEN NEW.at END)
  ON CONFLICT (coin) DO UPDATE SET sequence = excluded.sequence, at = excluded.at, price = excluded.price, hash = excluded.hash,
    environment = excluded.environment, jumped_at = coalesce(excluded.jumped_at, h.jumped_at);
  RETURN NEW;
END $$;
CREATE TRIGGER link_tick BEFORE INSERT ON market.tick FOR EACH ROW EXECUTE FUNCTION market.link_tick();

-- Candles built from the ticks; `simulated` if the prices were.
CREATE TABLE market.candle (
  coin text NOT NULL,
  interval text NOT NULL CHECK (interval IN ('1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w')),
  at timestamptz NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  -- In units of 10^-8 coins. A week's trades of a cheap coin on all venues exceed a bigint.
  volume numeric(38, 0) NOT NULL CHECK (volume >= 0),
  simulated boolean NOT NULL,
  PRIMARY KEY (coin, interval, at),
  CHECK (low > 0 AND low <= open AND low <= close AND high >= open AND high >= close)
) WITH (fillfactor = 80);
GRANT SELECT ON market.candle TO sathorn_app, sathorn_index, sathorn_checker;
GRANT INSERT, UPDATE ON market.candle TO sathorn_index;

-- The origin of this database's prices: the simulator's seed, or the moment at which a recording began to play.
CREATE TABLE market.origin (
  name text PRIMARY KEY,
  seed text NOT NULL,
  started_at timestamptz NOT NULL
);
GRANT SELECT ON market.origin TO sathorn_app, sathorn_index, sathorn_checker;
GRANT INSERT ON market.origin TO sathorn_index;

CREATE FUNCTION market.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'MK005';
END $$;

-- Segments of a few hundred ticks of one coin, packed to a thirtieth of their size; ticks move here after some minutes.
-- The chain continues through them. The signature of one tick per minute covers those before it, and ticks that decide
-- orders keep their own.
CREATE TABLE market.sealed_segment (
  coin text NOT NULL,
  first_sequence bigint NOT NULL CHECK (first_sequence > 0),
  last_sequence bigint NOT NULL CHECK (last_sequence >= first_sequence),
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL CHECK (last_at >= first_at),
  -- Hash of the tick before the first one (32 zeros at the beginning of the chain), and that of the last.
  previous_hash bytea NOT NULL CHECK (length(previous_hash) = 32),
  last_hash bytea NOT NULL CHECK (length(last_hash) = 32),
  -- Seconds since first_at, and prices, per tick, because settlements and the checker read only these.
  seconds integer[] NOT NULL CHECK (cardinality(seconds) = last_sequence - first_sequence + 1),
  prices bigint[] NOT NULL CHECK (cardinality(prices) = last_sequence - first_sequence + 1),
  -- The ticks (from 1) that have a signature here, their signatures of 64 bytes in that order, and the keys. The last
  -- tick always has one.
  signed integer[] NOT NULL CHECK (signed[cardinality(signed)] = last_sequence - first_sequence + 1),
  signatures bytea NOT NULL CHECK (length(signatures) = 64 * cardinality(signed)),
  keys text[] NOT NULL CHECK (cardinality(keys) = cardinality(signed)),
  -- The packed texts (apps/server/src/exchange/market/tick-segment.ts).
  bytes bytea NOT NULL,
  hash bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (coin, last_sequence),
  CONSTRAINT hash_of_bytes CHECK (hash = sha256(bytes))
);
ALTER TABLE market.sealed_segment ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX sealed_segment_at ON market.sealed_segment (last_at, coin);
GRANT SELECT ON market.sealed_segment TO sathorn_app, sathorn_index, sathorn_checker;

-- Keeps ticks from changing, and allows their removal only when a segment contains them.
CREATE FUNCTION market.refuse_unsealed() RETURNS trigger LANGUAGE plpgsql SET search_path = market, pg_temp AS $$
DECLARE
  sealed bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT first_sequence INTO sealed FROM market.sealed_segment WHERE coin = OLD.coin AND last_sequence >= OLD.sequence
    ORDER BY last_sequence LIMIT 1;
    IF sealed <= OLD.sequence THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'MK005';
END $$;

-- Seals the next ticks of a coin after its last segment, and removes them, except those that open orders need. The
-- caller gives the packed texts; everything else is taken from the rows. Refuses ticks younger than a minute, a gap,
-- and a broken link.
CREATE FUNCTION market.seal_ticks(_coin text, _first bigint, _last bigint, _bytes bytea) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  sealed market.sealed_segment;
  segment market.sealed_segment;
  next_at timestamptz;
  -- Whole seconds, as ticks are: the tick at or before a moment is the one at or before its second.
  moments bigint[];
  kept bigint[];
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
      AND accepted_ms >= coalesce(extract(epoch FROM sealed.last_at) * 1000, 0)::bigint AND accepted_ms < (extract(epoch FROM next_at) * 1000)::bigint
    UNION ALL
    SELECT ends_ms FROM options.orders WHERE coin = _coin
      AND ends_ms >= coalesce(extract(epoch FROM sealed.last_at) * 1000, 0)::bigint AND ends_ms < (extract(epoch FROM next_at) * 1000)::bigint
  ) of_orders;
  segment.previous_hash := coalesce(sealed.last_hash, decode(repeat('0', 64), 'hex'));

  WITH tick AS (
    SELECT at, extract(epoch FROM at)::bigint AS second, price, body, hash, signature, key, (sequence - _first + 1)::integer AS nth,
      lag(hash, 1, segment.previous_hash) OVER w AS hash_before,
      extract(epoch FROM lag(at, 1, coalesce(sealed.last_at, 'epoch')) OVER w)::bigint AS second_before, extract(epoch FROM lead(at, 1, next_at) OVER w)::bigint AS second_after
    FROM market.tick WHERE coin = _coin AND sequence BETWEEN _first AND _last WINDOW w AS (ORDER BY sequence)
  ), chosen AS (
    SELECT tick.*, second / 60 <> second_after / 60 OR nth = _last - _first + 1
      -- A moment between two ticks is decided by both.
      OR EXISTS (SELECT FROM unnest(moments) AS m WHERE m >= second_before AND m < second_after) AS is_signed
    FROM tick
  )
  SELECT count(*) FILTER (WHERE body::jsonb->>'prev' IS DISTINCT FROM encode(hash_before, 'hex')),
    array_agg((second - extract(epoch FROM segment.first_at))::integer ORDER BY nth), array_agg(price ORDER BY nth),
    array_agg(nth ORDER BY nth) FILTER (WHERE is_signed), string_agg(signature, '' ORDER BY nth) FILTER (WHERE is_signed),
    array_agg(key ORDER BY nth) FILTER (WHERE is_signed), (array_agg(hash ORDER BY nth DESC))[1]
  INTO faults, segment.seconds, segment.prices, segment.signed, segment.signatures, segment.keys, segment.last_hash FROM chosen;
  IF faults > 0 OR cardinality(segment.prices) <> _last - _first + 1 THEN
    RAISE EXCEPTION 'the ticks of % from % to % are no chain', _coin, _first, _last USING ERRCODE = 'MK006';
  END IF;

  INSERT INTO market.sealed_segment (coin, first_sequence, last_sequence, first_at, last_at, previous_hash, last_hash, seconds, prices, signed, signatures,
    keys, bytes, hash)
  VALUES (_coin, _first, _last, segment.first_at, segment.last_at, segment.previous_hash, segment.last_hash, segment.seconds, segment.prices,
    segment.signed, segment.signatures, segment.keys, _bytes, sha256(_bytes));

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

-- One tick, from the table or a segment; no row if there is none.
CREATE FUNCTION market.kept_tick(_coin text, _sequence bigint) RETURNS TABLE (at timestamptz, price bigint)
LANGUAGE sql STABLE SET search_path = market, pg_temp AS $$
  SELECT at, price FROM market.tick WHERE coin = _coin AND sequence = _sequence
  UNION ALL
  SELECT first_at + seconds[_sequence - first_sequence + 1] * interval '1 second', prices[_sequence - first_sequence + 1]
  FROM (SELECT * FROM market.sealed_segment WHERE coin = _coin AND last_sequence >= _sequence ORDER BY last_sequence LIMIT 1) s
  WHERE first_sequence <= _sequence
  LIMIT 1;
$$;

-- True if a tick lies in a span, in the table or a segment.
CREATE FUNCTION market.has_tick(_coin text, _after timestamptz, _upto timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = market, pg_temp AS $$
  SELECT EXISTS (SELECT FROM market.tick WHERE coin = _coin AND at > _after AND at <= _upto)
    OR EXISTS (SELECT FROM (SELECT * FROM market.sealed_segment WHERE coin = _coin AND last_at > _after ORDER BY last_at LIMIT 2) s
      CROSS JOIN LATERAL unnest(s.seconds) AS second
      WHERE s.first_at + second * interval '1 second' > _after AND s.first_at + second * interval '1 second' <= _upto);
$$;

-- Moves a coin's head to the newest of the ticks behind it. Each must be what the trigger accepts, except for the time
-- of its arrival. The caller verifies the signatures. Returns the number of ticks; raises at one that does not extend
-- the chain.
CREATE FUNCTION market.heal_head(_coin text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  head market.head;
  tick market.tick;
  said jsonb;
  moved bigint := 0;
BEGIN
  SELECT * INTO head FROM market.head WHERE coin = _coin FOR UPDATE;
  FOR tick IN SELECT * FROM market.tick WHERE coin = _coin AND sequence > coalesce(head.sequence, 0) ORDER BY sequence LOOP
    said := tick.body::jsonb;
    IF (tick.sequence = coalesce(head.sequence, 0) + 1 AND tick.at > coalesce(head.at, '-infinity') AND tick.hash = sha256(convert_to('tick/1' || chr(10) || tick.body, 'UTF8'))
      AND said->>'prev' = coalesce(encode(head.hash, 'hex'), repeat('0', 64)) AND (head.environment IS NULL OR (head.environment = 'live') = (tick.environment = 'live'))
      AND said->>'v' = 'tick/1' AND said->>'sym' = tick.coin || 'USDT' AND said->>'seq' = tick.sequence::text AND said->>'px' = tick.price::text
      AND said->>'t' = (extract(epoch FROM tick.at) * 1000)::bigint::text AND said->>'env' = tick.environment AND (said->>'flag' = 'jump') = tick.jump
      AND (tick.at <= clock_timestamp() + interval '1 second' OR (tick.environment <> 'live' AND (SELECT virtual_clock FROM market.guard)))) IS NOT TRUE THEN
      RAISE EXCEPTION 'tick % of % does not follow tick %: the head stays', tick.sequence, _coin, coalesce(head.sequence, 0) USING ERRCODE = 'MK007';
    END IF;
    head.coin := _coin; head.sequence := tick.sequence; head.at := tick.at; head.price := tick.price; head.hash := tick.hash; head.environment := tick.environment;
    head.jumped_at := CASE WHEN tick.jump THEN tick.at ELSE head.jumped_at END;
    moved := moved + 1;
  END LOOP;
  IF moved > 0 THEN
    INSERT INTO market.head SELECT head.*
    ON CONFLICT (coin) DO UPDATE SET sequence = excluded.sequence, at = excluded.at, price = excluded.price, hash = excluded.hash,
      environment = excluded.environment, jumped_at = excluded.jumped_at;
  END IF;
  RETURN moved;
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['market.origin', 'market.sealed_segment'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['market.tick'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_unsealed()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['market.head'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA market FROM PUBLIC;
GRANT EXECUTE ON FUNCTION market.kept_tick, market.has_tick TO sathorn_app, sathorn_index, sathorn_checker;
GRANT EXECUTE ON FUNCTION market.seal_ticks, market.heal_head TO sathorn_index;
