-- Price alerts. Ticks are processed in order and once, in one transaction with the alerts that they trigger. So a
-- restart or a second process neither delays an alert nor sends it twice.
CREATE SCHEMA alerts;
GRANT USAGE ON SCHEMA alerts TO sathorn_app, sathorn_checker;

-- A price that a customer waits for.
CREATE TABLE alerts.alert (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  coin text NOT NULL,
  side text NOT NULL CHECK (side IN ('above', 'below')),
  -- Units of 10^-6 USDT.
  price bigint NOT NULL CHECK (price > 0),
  mode text NOT NULL CHECK (mode IN ('once', 'each')),
  is_on boolean NOT NULL DEFAULT true,
  -- False from when it was triggered until the price has returned, an hour later at the earliest.
  is_armed boolean NOT NULL DEFAULT true,
  -- Only later ticks count.
  after_sequence bigint NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  fired_at timestamptz,
  fired_price bigint,
  fired_sequence bigint
);
CREATE INDEX alert_armed ON alerts.alert (coin, side, price) WHERE is_on AND removed_at IS NULL;
CREATE INDEX alert_customer ON alerts.alert (customer, created_at DESC) WHERE removed_at IS NULL;
GRANT SELECT ON alerts.alert TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (is_on, is_armed, after_sequence, removed_at, fired_at, fired_price, fired_sequence)
  ON alerts.alert TO sathorn_app;

-- One row per time that an alert was triggered.
CREATE TABLE alerts.firing (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert uuid NOT NULL REFERENCES alerts.alert,
  customer bigint NOT NULL,
  coin text NOT NULL,
  side text NOT NULL,
  price bigint NOT NULL,
  sequence bigint NOT NULL,
  tick_price bigint NOT NULL,
  at timestamptz NOT NULL,
  -- When the notice was sent to the customer; null while that is due.
  notified_at timestamptz,
  UNIQUE (alert, sequence)
);
CREATE INDEX firing_due ON alerts.firing (id) WHERE notified_at IS NULL;
GRANT SELECT ON alerts.firing TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (notified_at) ON alerts.firing TO sathorn_app;

-- The newest tick of a coin that was processed.
CREATE TABLE alerts.cursor (
  coin text PRIMARY KEY,
  sequence bigint NOT NULL,
  at timestamptz NOT NULL
);
GRANT SELECT ON alerts.cursor TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (sequence, at) ON alerts.cursor TO sathorn_app;

-- Processes ticks in order, each once, with the alerts that they trigger. Returns the number of triggered alerts.
CREATE FUNCTION alerts.take_ticks(_coin text, _sequences bigint[], _prices bigint[], _ats timestamptz[])
  RETURNS integer
LANGUAGE plpgsql SET search_path = alerts, pg_temp AS $$
DECLARE
  t record;
  fired integer := 0;
  n integer;
BEGIN
  FOR t IN SELECT * FROM unnest(_sequences, _prices, _ats) AS taken(sequence, price, at) ORDER BY sequence LOOP
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA alerts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION alerts.take_ticks TO sathorn_app;
