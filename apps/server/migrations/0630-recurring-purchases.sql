-- Regular purchases: what a customer orders once, and what was done in its name. Each purchase is an ordinary order of
-- the book, whose row names its instruction; the same transaction records it here, so that no number is used twice and
-- nothing is bought that the instruction does not cover.
CREATE SCHEMA recurring;
GRANT USAGE ON SCHEMA recurring TO sathorn_app, sathorn_checker;

CREATE TABLE recurring.instruction (
  -- The id of the call that made it, which the device's signature names.
  id uuid PRIMARY KEY,
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  digest text NOT NULL,
  coin text NOT NULL,
  -- Smallest units of USDT.
  amount bigint NOT NULL CHECK (amount > 0),
  every text NOT NULL CHECK (every IN ('day', 'week', 'month')),
  -- 1 (Monday) to 7, or 1 to 28.
  day integer,
  hour integer NOT NULL CHECK (hour BETWEEN 0 AND 23),
  price_max bigint CHECK (price_max > 0),
  times integer CHECK (times BETWEEN 1 AND 1000),
  time_zone text NOT NULL,
  created_ms bigint NOT NULL,
  -- As on contracts.orders.
  seal uuid,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'ended', 'revoked')),
  changed_ms bigint NOT NULL,
  -- The newest local day that was dealt with, counted from 1970-01-01.
  last_day integer NOT NULL,
  -- Purchases and skipped times; purchases alone.
  attempts integer NOT NULL DEFAULT 0,
  bought integer NOT NULL DEFAULT 0 CHECK (bought BETWEEN 0 AND attempts AND bought <= times IS NOT FALSE),
  -- The next time; null until it is computed after the last one, and when there is none.
  next_ms bigint,
  CHECK (CASE every WHEN 'day' THEN day IS NULL WHEN 'week' THEN (day BETWEEN 1 AND 7) IS TRUE ELSE (day BETWEEN 1 AND 28) IS TRUE END),
  CHECK (state = 'active' OR next_ms IS NULL),
  CHECK (state <> 'active' OR bought < times IS NOT FALSE)
);
CREATE INDEX instruction_of_customer ON recurring.instruction (customer_id, arrival DESC);
CREATE INDEX instruction_due ON recurring.instruction (coalesce(next_ms, 0)) WHERE state = 'active';
GRANT SELECT ON recurring.instruction TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, digest, coin, amount, every, day, hour, price_max, times, time_zone, created_ms, seal, changed_ms, last_day, next_ms),
  UPDATE (state, changed_ms, last_day, attempts, next_ms) ON recurring.instruction TO sathorn_app;

-- Once per number and per day.
CREATE TABLE recurring.execution (
  instruction uuid NOT NULL REFERENCES recurring.instruction,
  number integer NOT NULL CHECK (number > 0),
  day integer NOT NULL,
  at_ms bigint NOT NULL,
  order_sequence bigint,
  -- Why it was skipped.
  refusal text CHECK (refusal ~ '^[a-z_]{1,40}$'),
  PRIMARY KEY (instruction, number),
  UNIQUE (instruction, day),
  CHECK ((order_sequence IS NULL) <> (refusal IS NULL))
);
GRANT SELECT ON recurring.execution TO sathorn_app, sathorn_checker;
-- Only an order makes an execution that has one: see `recurring.execute`.
GRANT INSERT (instruction, number, day, at_ms, refusal) ON recurring.execution TO sathorn_app;

CREATE FUNCTION recurring.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on recurring.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'RC001';
END $$;

-- What was ordered never changes, and a day that was dealt with stays dealt with.
CREATE FUNCTION recurring.keep_instruction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('ended', 'revoked') AND NEW.state <> OLD.state THEN
    RAISE EXCEPTION 'regular purchase % has ended', OLD.id USING ERRCODE = 'RC002';
  END IF;
  IF (NEW.id, NEW.customer_id, NEW.digest, NEW.coin, NEW.amount, NEW.every, NEW.day, NEW.hour, NEW.price_max, NEW.times, NEW.time_zone, NEW.created_ms)
      IS DISTINCT FROM (OLD.id, OLD.customer_id, OLD.digest, OLD.coin, OLD.amount, OLD.every, OLD.day, OLD.hour, OLD.price_max, OLD.times, OLD.time_zone, OLD.created_ms)
    OR NEW.last_day < OLD.last_day OR NEW.attempts < OLD.attempts OR NEW.attempts > OLD.attempts + 1 OR NEW.bought < OLD.bought THEN
    RAISE EXCEPTION 'regular purchase %: what was ordered does not change', OLD.id USING ERRCODE = 'RC003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_instruction BEFORE UPDATE ON recurring.instruction FOR EACH ROW EXECUTE FUNCTION recurring.keep_instruction();

-- At most ten of a customer at a time, each sealed.
CREATE FUNCTION recurring.check_instruction() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = recurring, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('recurring ' || NEW.customer_id::text, 0));
  IF NEW.seal IS NULL THEN
    RAISE EXCEPTION 'a regular purchase without a seal' USING ERRCODE = 'RC006';
  END IF;
  IF (SELECT count(*) FROM instruction WHERE customer_id = NEW.customer_id AND state IN ('active', 'paused')) > 9 THEN
    RAISE EXCEPTION 'customer % has ten regular purchases', NEW.customer_id USING ERRCODE = 'RC004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_instruction BEFORE INSERT ON recurring.instruction FOR EACH ROW EXECUTE FUNCTION recurring.check_instruction();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['recurring.instruction', 'recurring.execution'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION recurring.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION recurring.refuse_change()', name);
  END LOOP;
END $$;
CREATE TRIGGER no_update BEFORE UPDATE ON recurring.execution FOR EACH ROW EXECUTE FUNCTION recurring.refuse_change();

-- The moment of a local day's hour.
CREATE FUNCTION recurring.due_ms(_day integer, _hour integer, _time_zone text) RETURNS bigint
LANGUAGE sql STABLE SET search_path = recurring, pg_temp AS $$
  SELECT (extract(epoch FROM (date '1970-01-01' + _day + make_interval(hours => _hour)) AT TIME ZONE _time_zone) * 1000)::bigint
$$;

-- True if a purchase falls on this day.
CREATE FUNCTION recurring.is_day(_every text, _day integer, _of integer) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = recurring, pg_temp AS $$
  SELECT CASE _every WHEN 'day' THEN true
    WHEN 'week' THEN extract(isodow FROM date '1970-01-01' + _of) = _day
    ELSE extract(day FROM date '1970-01-01' + _of) = _day END
$$;

ALTER TABLE contracts.orders ADD COLUMN recurring uuid;
ALTER TABLE contracts.orders ADD COLUMN recurring_number integer;
ALTER TABLE contracts.orders ADD COLUMN recurring_day integer;
ALTER TABLE contracts.orders ADD CONSTRAINT orders_recurring CHECK ((recurring IS NULL) = (recurring_number IS NULL)
  AND (recurring IS NULL) = (recurring_day IS NULL)
  AND (recurring IS NULL OR (side = 'buy' AND type = 'market' AND amount IS NOT NULL AND waiting IS NULL))) NOT VALID;
CREATE UNIQUE INDEX orders_recurring_once ON contracts.orders (recurring, recurring_number) WHERE recurring IS NOT NULL;

-- Records a purchase with its order, under the lock of its instruction: in the customer's name, of the coin, for no more
-- than its amount and price, on one of its days, while it is active.
CREATE FUNCTION recurring.execute() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = recurring, pg_temp AS $$
DECLARE
  i instruction;
  -- A clock change moves the hour by one.
  hour_ms CONSTANT bigint := 3600000;
  due bigint;
BEGIN
  SELECT * INTO i FROM instruction WHERE id = NEW.recurring FOR UPDATE;
  due := due_ms(NEW.recurring_day, i.hour, i.time_zone);
  IF (i.state = 'active' AND i.customer_id = NEW.customer_id AND i.coin = NEW.coin AND NEW.amount <= i.amount
      AND NEW.dealt_value <= coalesce(i.price_max * NEW.dealt_quantity::numeric, NEW.dealt_value)
      AND NEW.recurring_number = i.attempts + 1 AND NEW.recurring_day > i.last_day
      AND is_day(i.every, i.day, NEW.recurring_day)
      AND NEW.accepted_ms BETWEEN due - hour_ms AND due + 7 * hour_ms) IS NOT TRUE THEN
    RAISE EXCEPTION 'regular purchase % does not cover order %-%', NEW.recurring, NEW.coin, NEW.sequence USING ERRCODE = 'RC005';
  END IF;
  INSERT INTO execution (instruction, number, day, at_ms, order_sequence)
  VALUES (NEW.recurring, NEW.recurring_number, NEW.recurring_day, NEW.accepted_ms, NEW.sequence);
  UPDATE instruction SET attempts = attempts + 1, bought = bought + 1, last_day = NEW.recurring_day, next_ms = NULL,
    state = CASE WHEN bought + 1 = times THEN 'ended' ELSE state END, changed_ms = NEW.accepted_ms
  WHERE id = NEW.recurring;
  RETURN NULL;
END $$;
CREATE TRIGGER recurring AFTER INSERT ON contracts.orders FOR EACH ROW WHEN (NEW.recurring IS NOT NULL)
  EXECUTE FUNCTION recurring.execute();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA recurring FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recurring.due_ms, recurring.is_day TO sathorn_app, sathorn_checker;

-- As before, with regular purchases; what they bought was ordered with them.
CREATE OR REPLACE VIEW customers.given AS
  SELECT r.about, r.id, r.customer, r.at_ms, s.key, s.body, s.signature,
    CASE WHEN r.about NOT IN ('withdrawal', 'payee') THEN a.key END AS api_key
  FROM (
    SELECT 'option' AS about, id::text AS id, id AS intent, customer_id AS customer, accepted_ms AS at_ms FROM options.orders
    UNION ALL
    SELECT 'sale', id::text, journal, customer_id, settled_ms FROM options.orders WHERE status = 'sold'
    UNION ALL
    SELECT 'order', coin || '-' || sequence, journal, customer_id, accepted_ms FROM contracts.orders
    WHERE customer_id <> 0 AND waiting IS NULL AND recurring IS NULL
    UNION ALL
    SELECT 'waiting', coin || '-' || sequence, journal, customer_id, accepted_ms FROM contracts.waiting
    UNION ALL
    SELECT 'recurring', id::text, id, customer_id, created_ms FROM recurring.instruction
    UNION ALL
    SELECT 'lockup', id::text, id, customer_id, (extract(epoch FROM subscribed_at) * 1000)::bigint FROM earning.lockup
    UNION ALL
    SELECT 'liquidity', id::text, id, customer_id, (extract(epoch FROM at) * 1000)::bigint FROM earning.movement
    UNION ALL
    SELECT 'withdrawal', id::text, id, customer_id, (extract(epoch FROM created_at) * 1000)::bigint FROM withdrawals.withdrawal
    UNION ALL
    SELECT 'payee', id, intent, owner, (extract(epoch FROM added_at) * 1000)::bigint FROM payees.payee
  ) r
  LEFT JOIN LATERAL customers.signature_of(r.customer, r.intent) s ON true
  LEFT JOIN LATERAL customers.api_order_of(r.customer, r.intent) a ON true;
