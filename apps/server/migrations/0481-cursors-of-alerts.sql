-- A cursor moved with every tick of every coin, though hardly any tick sets off an alert. Ticks that change no alert may
-- be taken again, so the cursor moves only once a minute, and with those that change one.
CREATE OR REPLACE FUNCTION alerts.take_ticks(_coin text, _sequences bigint[], _prices bigint[], _ats timestamptz[])
  RETURNS integer
LANGUAGE plpgsql SET search_path = alerts, pg_temp AS $$
DECLARE
  t record;
  fired integer := 0;
  n integer;
BEGIN
  FOR t IN SELECT * FROM unnest(_sequences, _prices, _ats) AS taken(sequence, price, at) ORDER BY sequence LOOP
    CONTINUE WHEN EXISTS (SELECT FROM alerts.cursor WHERE coin = _coin AND (sequence >= t.sequence OR at > t.at - interval '1 minute'))
      AND NOT EXISTS (SELECT FROM alerts.alert WHERE coin = _coin AND is_on AND removed_at IS NULL AND CASE WHEN is_armed
        THEN after_sequence < t.sequence AND ((side = 'above' AND price <= t.price) OR (side = 'below' AND price >= t.price))
        ELSE mode = 'each' AND fired_at <= t.at - interval '1 hour' AND ((side = 'above' AND price > t.price) OR (side = 'below' AND price < t.price)) END);
    -- A process that is no longer the leader finds the cursor moved on.
    INSERT INTO alerts.cursor AS c (coin, sequence, at) VALUES (_coin, t.sequence, t.at)
    ON CONFLICT (coin) DO UPDATE SET sequence = EXCLUDED.sequence, at = EXCLUDED.at WHERE c.sequence < EXCLUDED.sequence;
    CONTINUE WHEN NOT FOUND;
    UPDATE alerts.alert SET is_armed = true
    WHERE coin = _coin AND is_on AND removed_at IS NULL AND NOT is_armed AND mode = 'each' AND fired_at <= t.at - interval '1 hour'
      AND ((side = 'above' AND price > t.price) OR (side = 'below' AND price < t.price));
    WITH gone_off AS (
      UPDATE alerts.alert SET is_armed = false, is_on = (mode = 'each'), fired_at = t.at, fired_price = t.price, fired_sequence = t.sequence
      WHERE coin = _coin AND is_on AND removed_at IS NULL AND is_armed AND after_sequence < t.sequence
        AND ((side = 'above' AND price <= t.price) OR (side = 'below' AND price >= t.price))
      RETURNING id, customer, coin, side, price
    )
    INSERT INTO alerts.firing (alert, customer, coin, side, price, sequence, tick_price, at)
    SELECT id, customer, coin, side, price, t.sequence, t.price, t.at FROM gone_off;
    GET DIAGNOSTICS n = ROW_COUNT;
    fired := fired + n;
  END LOOP;
  RETURN fired;
END $$;

-- Tables of a few rows that change all the time: their statistics were written again each minute and change no plan.
ALTER TABLE alerts.cursor SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
ALTER TABLE contracts.book SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
ALTER TABLE deposits.cursor SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
ALTER TABLE ledger.head SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
