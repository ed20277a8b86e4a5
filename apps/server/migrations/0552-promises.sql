-- The chain of promises: trees of signed terms are collected each second into one link, and ticks name the newest link.
-- So terms are provably older than every tick after their link. Trees from before this migration have no number.
CREATE SEQUENCE options.terms_tree_n;
-- The application has no right to set the sequence.
CREATE FUNCTION options.next_tree() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = options, pg_temp AS $$
  SELECT nextval('options.terms_tree_n');
$$;
REVOKE ALL ON FUNCTION options.next_tree FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.next_tree TO sathorn_app;
ALTER TABLE options.terms_tree ADD COLUMN n bigint;
ALTER TABLE options.terms_tree ALTER COLUMN n SET DEFAULT options.next_tree();
CREATE UNIQUE INDEX terms_tree_stored ON options.terms_tree (n);

CREATE TABLE proofs.promise_link (
  sequence bigint PRIMARY KEY,
  -- The second of the ticks that name it first.
  at timestamptz NOT NULL,
  -- The exact text (promises/1), whose hash the ticks name.
  body text NOT NULL,
  hash bytea NOT NULL,
  -- The largest number of a tree in this link or an earlier one.
  up_to bigint NOT NULL,
  CONSTRAINT hash_of_body CHECK (hash = sha256(convert_to('promises/1' || chr(10) || body, 'UTF8'))),
  UNIQUE (hash)
);
GRANT SELECT ON proofs.promise_link TO sathorn_app, sathorn_index, sathorn_checker;

-- The place of a tree in the chain.
CREATE TABLE proofs.promised_tree (
  tree uuid PRIMARY KEY,
  link bigint NOT NULL,
  index integer NOT NULL CHECK (index >= 0),
  -- The hash of the tree's head, hex.
  head text NOT NULL,
  UNIQUE (link, index)
);
GRANT SELECT ON proofs.promised_tree TO sathorn_app, sathorn_index, sathorn_checker;

CREATE FUNCTION proofs.refuse_other_promises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'PF003';
END $$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['proofs.promise_link', 'proofs.promised_tree'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION proofs.refuse_other_promises()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION proofs.refuse_other_promises()', name);
  END LOOP;
END $$;

-- Trees that are in no link yet. Numbers are given before the commit, so one may appear after a larger one: the newest
-- 10,000 are compared.
CREATE FUNCTION proofs.unpromised_trees(_most integer) RETURNS TABLE (id uuid, head text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = proofs, pg_temp AS $$
  SELECT t.id, t.hash FROM options.terms_tree t
  WHERE t.n > coalesce((SELECT up_to FROM proofs.promise_link ORDER BY sequence DESC LIMIT 1), 0) - 10000
    AND NOT EXISTS (SELECT FROM proofs.promised_tree p WHERE p.tree = t.id)
  ORDER BY t.n LIMIT _most;
$$;

-- Appends a link over these trees, in the order of its leaves. The checker computes the root (PR1).
CREATE FUNCTION proofs.append_promises(_body text, _trees uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = proofs, pg_temp AS $$
DECLARE
  last proofs.promise_link;
  said jsonb := _body::jsonb;
  link proofs.promise_link;
  added integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('proofs.promise_link', 0));
  SELECT * INTO last FROM proofs.promise_link ORDER BY sequence DESC LIMIT 1;
  link.sequence := coalesce(last.sequence, 0) + 1;
  link.at := to_timestamp((said->>'t')::bigint / 1000.0);
  IF said->>'v' IS DISTINCT FROM 'promises/1' OR said->>'seq' IS DISTINCT FROM link.sequence::text
    OR said->>'prev' IS DISTINCT FROM coalesce(encode(last.hash, 'hex'), repeat('0', 64))
    OR said->>'size' IS DISTINCT FROM cardinality(_trees)::text OR (link.at > coalesce(last.at, '-infinity')) IS NOT TRUE THEN
    RAISE EXCEPTION 'link % of promises does not follow', said->>'seq' USING ERRCODE = 'PF004';
  END IF;
  INSERT INTO proofs.promised_tree (tree, link, index, head)
  SELECT given.id, link.sequence, given.n - 1, t.hash
  FROM unnest(_trees) WITH ORDINALITY AS given(id, n) JOIN options.terms_tree t USING (id);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added <> cardinality(_trees) THEN RAISE EXCEPTION 'no such tree of terms' USING ERRCODE = 'PF004'; END IF;
  INSERT INTO proofs.promise_link (sequence, at, body, hash, up_to)
  VALUES (link.sequence, link.at, _body, sha256(convert_to('promises/1' || chr(10) || _body, 'UTF8')),
    greatest(coalesce(last.up_to, 0), (SELECT max(n) FROM options.terms_tree WHERE id = ANY (_trees))));
END $$;
REVOKE ALL ON FUNCTION proofs.refuse_other_promises, proofs.unpromised_trees, proofs.append_promises FROM PUBLIC;
GRANT EXECUTE ON FUNCTION proofs.unpromised_trees, proofs.append_promises TO sathorn_index;

-- As before, and a tick that names promises keeps its signature near an order.
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
