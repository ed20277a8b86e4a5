-- Ticks that are some minutes old move into segments: a few hundred of one coin, packed, at a thirtieth of their size. The chain goes on through
-- them; the signature of one tick a minute stands for those before it, and those that orders are decided by keep their own.
CREATE TABLE market.sealed_segment (
  coin text NOT NULL,
  first_sequence bigint NOT NULL CHECK (first_sequence > 0),
  last_sequence bigint NOT NULL CHECK (last_sequence >= first_sequence),
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL CHECK (last_at >= first_at),
  -- Hash of the tick before the first (32 zeros before the very first), and that of the last.
  previous_hash bytea NOT NULL CHECK (length(previous_hash) = 32),
  last_hash bytea NOT NULL CHECK (length(last_hash) = 32),
  -- Seconds since first_at, and prices, tick by tick: settlements and the checker ask for these alone.
  seconds integer[] NOT NULL CHECK (cardinality(seconds) = last_sequence - first_sequence + 1),
  prices bigint[] NOT NULL CHECK (cardinality(prices) = last_sequence - first_sequence + 1),
  -- Which ticks (from 1) have a signature here, 64 bytes each in that order, and the keys that made them. The last one always has.
  signed integer[] NOT NULL CHECK (signed[cardinality(signed)] = last_sequence - first_sequence + 1),
  signatures bytea NOT NULL CHECK (length(signatures) = 64 * cardinality(signed)),
  keys text[] NOT NULL CHECK (cardinality(keys) = cardinality(signed)),
  -- The texts (apps/server/src/market/tick-segment.ts).
  bytes bytea NOT NULL,
  hash bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (coin, last_sequence),
  CONSTRAINT hash_of_bytes CHECK (hash = sha256(bytes))
);
ALTER TABLE market.sealed_segment ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX sealed_segment_at ON market.sealed_segment (last_at, coin);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON market.sealed_segment FOR EACH ROW EXECUTE FUNCTION market.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON market.sealed_segment FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change();

-- A tick is never changed, and leaves its table only when a segment has it.
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
DROP TRIGGER append_only ON market.tick;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON market.tick FOR EACH ROW EXECUTE FUNCTION market.refuse_unsealed();

-- Orders are found by the moments that decide them; a day's worth of them is a few blocks of this.
CREATE INDEX orders_moments ON options.orders USING brin (accepted_ms, ends_ms) WITH (pages_per_range = 16, autosummarize = on);

/*
 * Seals the next ticks of a coin, all of them behind the last segment, and removes them, but those that open orders will be settled by.
 * The caller brings the packed texts; all else is taken from the rows. Refuses ticks younger than a minute, a gap, and a link that does not hold.
 */
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

-- One tick, wherever it is kept; no row when there is none.
CREATE FUNCTION market.kept_tick(_coin text, _sequence bigint) RETURNS TABLE (at timestamptz, price bigint)
LANGUAGE sql STABLE SET search_path = market, pg_temp AS $$
  SELECT at, price FROM market.tick WHERE coin = _coin AND sequence = _sequence
  UNION ALL
  SELECT first_at + seconds[_sequence - first_sequence + 1] * interval '1 second', prices[_sequence - first_sequence + 1]
  FROM (SELECT * FROM market.sealed_segment WHERE coin = _coin AND last_sequence >= _sequence ORDER BY last_sequence LIMIT 1) s
  WHERE first_sequence <= _sequence
  LIMIT 1;
$$;

-- Whether any tick lies in a span, wherever it is kept.
CREATE FUNCTION market.has_tick(_coin text, _after timestamptz, _upto timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = market, pg_temp AS $$
  SELECT EXISTS (SELECT FROM market.tick WHERE coin = _coin AND at > _after AND at <= _upto)
    OR EXISTS (SELECT FROM (SELECT * FROM market.sealed_segment WHERE coin = _coin AND last_at > _after ORDER BY last_at LIMIT 2) s
      CROSS JOIN LATERAL unnest(s.seconds) AS second
      WHERE s.first_at + second * interval '1 second' > _after AND s.first_at + second * interval '1 second' <= _upto);
$$;

REVOKE ALL ON FUNCTION market.seal_ticks, market.kept_tick, market.has_tick, market.refuse_unsealed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION market.seal_ticks TO sathorn_app;
GRANT EXECUTE ON FUNCTION market.kept_tick, market.has_tick TO sathorn_app, sathorn_checker;
GRANT SELECT ON market.sealed_segment TO sathorn_app, sathorn_checker;

-- What left is reused at once: the table stays as large as some minutes of ticks.
ALTER TABLE market.tick SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_threshold = -1,
  -- It is always the same few thousand rows; its statistics, each minute anew, were a twentieth of the log.
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE market.tick ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN hash SET STATISTICS 0, ALTER COLUMN signature SET STATISTICS 0;
