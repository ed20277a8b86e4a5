-- Due orders are read page by page while the pages before are settled, so each needs a place of its own among those that end together.
DROP INDEX options.orders_due;
CREATE INDEX orders_due ON options.orders (coin, ends_ms, stake_hold) WHERE status = 'holding';

-- The check of a settlement looked for the ticks of orders that lack none: a reason that is NULL made its condition neither true nor false.
CREATE OR REPLACE FUNCTION options.check_settlement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
DECLARE
  gap CONSTANT interval := interval '3 seconds';
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT coin, start_sequence, start_price, options.at(min(accepted_ms)) AS earliest, options.at(max(accepted_ms)) AS latest
      FROM became WHERE start_sequence IS NOT NULL GROUP BY coin, start_sequence, start_price
    ) o
    LEFT JOIN market.tick before_start ON before_start.coin = o.coin AND before_start.sequence = o.start_sequence - 1
    LEFT JOIN market.tick start_tick ON start_tick.coin = o.coin AND start_tick.sequence = o.start_sequence
    WHERE (start_tick.price = o.start_price AND start_tick.at > o.latest AND start_tick.at <= o.earliest + gap
      AND (before_start.at IS NULL OR before_start.at <= o.earliest)) IS NOT TRUE
  ) OR EXISTS (
    SELECT FROM (
      SELECT coin, end_sequence, end_price, options.at(min(ends_ms)) AS earliest, options.at(max(ends_ms)) AS latest
      FROM became WHERE end_sequence IS NOT NULL GROUP BY coin, end_sequence, end_price
    ) o
    LEFT JOIN market.tick end_tick ON end_tick.coin = o.coin AND end_tick.sequence = o.end_sequence
    LEFT JOIN market.tick after_end ON after_end.coin = o.coin AND after_end.sequence = o.end_sequence + 1
    WHERE (end_tick.price = o.end_price AND end_tick.at <= o.earliest AND end_tick.at >= o.latest - gap
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
