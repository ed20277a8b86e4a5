-- A process that the app's role is stolen from must not be able to set a price: ticks come from a role of the index's own, keys from the owner.
REVOKE INSERT ON market.tick, market.origin, proofs.key FROM sathorn_app;
REVOKE INSERT, UPDATE ON market.candle FROM sathorn_app;
GRANT USAGE ON SCHEMA market, proofs TO sathorn_index;
GRANT SELECT ON ALL TABLES IN SCHEMA market, proofs TO sathorn_index;
GRANT INSERT ON market.tick, market.origin TO sathorn_index;
GRANT INSERT, UPDATE ON market.candle TO sathorn_index;
REVOKE EXECUTE ON FUNCTION market.seal_ticks, market.heal_head FROM sathorn_app;
GRANT EXECUTE ON FUNCTION market.seal_ticks, market.heal_head, market.kept_tick, market.has_tick TO sathorn_index;

/*
 * As before, but for two things. A second that could not be published in time may come up to a minute later, when its signed text says so.
 * And the head is locked before the clock is read: a settlement that holds the head (options.check_settlement) knows that no tick
 * older than a minute can come behind it.
 */
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
  VALUES (NEW.coin, NEW.sequence, NEW.at, NEW.price, NEW.hash, NEW.environment, CASE WHEN NEW.jump THEN NEW.at END)
  ON CONFLICT (coin) DO UPDATE SET sequence = excluded.sequence, at = excluded.at, price = excluded.price, hash = excluded.hash,
    environment = excluded.environment, jumped_at = coalesce(excluded.jumped_at, h.jumped_at);
  RETURN NEW;
END $$;

/*
 * A void is final only when no tick can change it any more: a later tick of the coin is kept, since ticks only follow each other, or the moment is
 * so long ago that the database takes none of it. The coin's head is locked first, so a tick that is being written is waited for.
 */
CREATE FUNCTION options.check_void() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
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
REVOKE ALL ON FUNCTION options.check_void FROM PUBLIC;
CREATE TRIGGER check_void AFTER UPDATE ON options.orders REFERENCING NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION options.check_void();
