-- How late the ticks that settled an order were published, in ms, as their signed texts say; 0 on time. So anybody sees
-- how many orders late prices settled, and in whose favour.
ALTER TABLE options.orders ADD COLUMN start_late_ms integer NOT NULL DEFAULT 0;
ALTER TABLE options.orders ADD COLUMN end_late_ms integer NOT NULL DEFAULT 0;
ALTER TABLE options.orders ADD CONSTRAINT late_with_ticks CHECK (start_late_ms >= 0 AND end_late_ms >= 0
  AND (start_late_ms = 0 OR start_sequence IS NOT NULL) AND (end_late_ms = 0 OR end_sequence IS NOT NULL));
GRANT UPDATE (start_late_ms, end_late_ms) ON options.orders TO sathorn_app;

-- Orders that were settled by ticks whose texts are still in the table. Older ones stay at 0: their texts are packed.
ALTER TABLE options.orders DISABLE TRIGGER USER;
UPDATE options.orders o SET start_late_ms = coalesce((s.body::jsonb->>'late')::integer, 0) FROM market.tick s
WHERE o.status <> 'holding' AND s.coin = o.coin AND s.sequence = o.start_sequence AND s.body LIKE '%"late":%';
UPDATE options.orders o SET end_late_ms = coalesce((e.body::jsonb->>'late')::integer, 0) FROM market.tick e
WHERE o.status <> 'holding' AND e.coin = o.coin AND e.sequence = o.end_sequence AND e.body LIKE '%"late":%';
ALTER TABLE options.orders ENABLE TRIGGER USER;

-- As before, and the lateness is what the ticks say.
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
      FROM became WHERE end_sequence IS NOT NULL GROUP BY coin, end_sequence, end_price, end_late_ms
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

DROP FUNCTION options.settle_orders(uuid[], text[], text[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint, uuid);
-- As before, and stores how late the ticks were.
CREATE FUNCTION options.settle_orders(_ids uuid[], _statuses text[], _reasons text[], _start_sequences bigint[],
  _start_prices bigint[],
  _end_sequences bigint[], _end_prices bigint[], _profits bigint[], _fees bigint[], _credited bigint[],
  _start_late_ms integer[], _end_late_ms integer[], _settled_ms bigint, _journal uuid) RETURNS bigint
LANGUAGE plpgsql SET search_path = options, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  settled bigint;
BEGIN
  UPDATE options.orders o SET status = s.status, reason = s.reason, start_sequence = s.start_sequence, start_price = s.start_price,
    end_sequence = s.end_sequence, end_price = s.end_price, profit = s.profit, fee = s.fee, credited = s.credited, start_late_ms = s.start_late_ms, end_late_ms = s.end_late_ms, settled_ms = _settled_ms, journal = _journal
  FROM unnest(_ids, _statuses, _reasons, _start_sequences, _start_prices, _end_sequences, _end_prices, _profits, _fees, _credited, _start_late_ms, _end_late_ms)
    AS s(id, status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited, start_late_ms, end_late_ms)
  -- Not "=": the index of what is holding would be taken for a way to find them.
  WHERE o.id = s.id AND o.status IS NOT DISTINCT FROM 'holding';
  GET DIAGNOSTICS settled = ROW_COUNT;
  RETURN settled;
END $$;
REVOKE ALL ON FUNCTION options.settle_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.settle_orders TO sathorn_app;

-- The late ticks of a segment: their number in it (from 1) and their lateness in ms. Null in segments from before.
ALTER TABLE market.sealed_segment ADD COLUMN late jsonb;
ALTER TABLE market.sealed_segment ADD CONSTRAINT late_said CHECK (late IS NOT NULL) NOT VALID;
-- As before, and keeps which ticks were late.
CREATE OR REPLACE FUNCTION market.seal_ticks(_coin text, _first bigint, _last bigint, _bytes bytea) RETURNS integer
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
      AND accepted_ms >= coalesce(extract(epoch FROM sealed.last_at) * 1000 - 5000, 0)::bigint AND accepted_ms < (extract(epoch FROM next_at) * 1000 + 62000)::bigint
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

-- As before, and how late the tick was; null if its segment does not tell.
DROP FUNCTION market.kept_tick(text, bigint);
CREATE FUNCTION market.kept_tick(_coin text, _sequence bigint) RETURNS TABLE (at timestamptz, price bigint, late_ms integer)
LANGUAGE sql STABLE SET search_path = market, pg_temp AS $$
  SELECT at, price, coalesce((body::jsonb->>'late')::integer, 0) FROM market.tick WHERE coin = _coin AND sequence = _sequence
  UNION ALL
  SELECT first_at + seconds[_sequence - first_sequence + 1] * interval '1 second', prices[_sequence - first_sequence + 1],
    CASE WHEN late IS NOT NULL THEN coalesce((late->>(_sequence - first_sequence + 1)::text)::integer, 0) END
  FROM (SELECT * FROM market.sealed_segment WHERE coin = _coin AND last_sequence >= _sequence ORDER BY last_sequence LIMIT 1) s
  WHERE first_sequence <= _sequence
  LIMIT 1;
$$;
REVOKE ALL ON FUNCTION market.kept_tick FROM PUBLIC;
GRANT EXECUTE ON FUNCTION market.kept_tick TO sathorn_app, sathorn_index, sathorn_checker;
