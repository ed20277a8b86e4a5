-- A price that differs by a fifth from one of weeks ago is no sudden move: purchases pause only if the tick before is at
-- most an hour older. The tick keeps its flag, because that follows from the chain alone.
CREATE OR REPLACE FUNCTION market.link_tick() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market, pg_temp AS $$
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
