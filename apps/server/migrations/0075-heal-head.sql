-- While the trigger on market.tick was off, ticks came and the head stood still: from then on no tick followed it, until somebody mended it by hand.
/*
 * Moves the head of a coin on to the newest of the ticks behind it, each of which has to be what the trigger lets pass, but for the hour of its coming.
 * Signatures are verified by the caller (market/heal-head.ts). Returns how many ticks it moved on. Throws at one that does not follow.
 */
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
REVOKE ALL ON FUNCTION market.heal_head FROM PUBLIC;
GRANT EXECUTE ON FUNCTION market.heal_head TO sathorn_app;
