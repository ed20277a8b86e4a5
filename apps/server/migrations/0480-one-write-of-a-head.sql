-- The head of a coin was locked, locked again and written for each tick: three entries in the log. The update alone
-- locks it as well. What is refused, and in which order, stays.
CREATE OR REPLACE FUNCTION market.link_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
DECLARE
  head market.head;
  said jsonb := NEW.body::jsonb;
  age interval;
  follows boolean;
BEGIN
  -- Locks the head before the clock is read. A refusal below takes it back.
  UPDATE market.head AS h SET sequence = NEW.sequence, at = NEW.at, price = NEW.price, hash = NEW.hash, environment = NEW.environment,
    jumped_at = CASE WHEN NEW.jump AND NEW.at - h.at <= interval '1 hour' THEN NEW.at ELSE h.jumped_at END
  WHERE h.coin = NEW.coin AND NEW.sequence = h.sequence + 1 AND NEW.at > h.at AND said->>'prev' = encode(h.hash, 'hex')
    AND (h.environment = 'live') = (NEW.environment = 'live');
  follows := FOUND;
  IF NOT follows THEN
    SELECT * INTO head FROM market.head WHERE coin = NEW.coin FOR UPDATE;
  END IF;
  age := clock_timestamp() - NEW.at;
  IF (age < interval '-1 second' OR age > CASE WHEN said ? 'late' THEN interval '62 seconds' ELSE interval '1 second' END)
    AND NOT (NEW.environment <> 'live' AND (SELECT virtual_clock FROM market.guard)) THEN
    RAISE EXCEPTION 'a tick of % is % from the database''s clock', NEW.coin, -age USING ERRCODE = 'MK001';
  END IF;
  IF NOT follows AND (NEW.sequence <> coalesce(head.sequence, 0) + 1 OR NEW.at <= coalesce(head.at, '-infinity')
    OR said->>'prev' IS DISTINCT FROM coalesce(encode(head.hash, 'hex'), repeat('0', 64))) THEN
    RAISE EXCEPTION 'tick % of % does not follow tick %', NEW.sequence, NEW.coin, coalesce(head.sequence, 0) USING ERRCODE = 'MK002';
  END IF;
  -- What was once simulated never becomes live, nor the other way round.
  IF NOT follows AND head.environment IS NOT NULL AND (head.environment = 'live') <> (NEW.environment = 'live') THEN
    RAISE EXCEPTION 'the chain of % is %, not %', NEW.coin, head.environment, NEW.environment USING ERRCODE = 'MK003';
  END IF;
  IF said->>'v' IS DISTINCT FROM 'tick/1' OR said->>'sym' IS DISTINCT FROM NEW.coin || 'USDT' OR said->>'seq' IS DISTINCT FROM NEW.sequence::text
    OR said->>'px' IS DISTINCT FROM NEW.price::text OR said->>'t' IS DISTINCT FROM (extract(epoch FROM NEW.at) * 1000)::bigint::text
    OR said->>'env' IS DISTINCT FROM NEW.environment OR (said->>'flag' = 'jump') IS DISTINCT FROM NEW.jump THEN
    RAISE EXCEPTION 'the text of tick % of % says something else', NEW.sequence, NEW.coin USING ERRCODE = 'MK004';
  END IF;
  IF NOT follows THEN
    INSERT INTO market.head AS h (coin, sequence, at, price, hash, environment, jumped_at)
    VALUES (NEW.coin, NEW.sequence, NEW.at, NEW.price, NEW.hash, NEW.environment, 
      CASE WHEN NEW.jump AND NEW.at - head.at <= interval '1 hour' THEN NEW.at END)
    ON CONFLICT (coin) DO UPDATE SET sequence = excluded.sequence, at = excluded.at, price = excluded.price, hash = excluded.hash,
      environment = excluded.environment, jumped_at = coalesce(excluded.jumped_at, h.jumped_at);
  END IF;
  RETURN NEW;
END $$;
