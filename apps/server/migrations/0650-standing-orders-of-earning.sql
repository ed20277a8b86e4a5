-- Standing orders of earning: a lock-up that is renewed at its end, and deposits that are subscribed when they are
-- credited. What a customer ordered once, and what was made of it. Each subscription is an ordinary one, whose row names
-- its instruction and its source; the same transaction records it here, so that no source is used twice and nothing is
-- subscribed that the instruction does not cover.
CREATE SCHEMA standing;
GRANT USAGE ON SCHEMA standing TO sathorn_app, sathorn_checker;

CREATE TABLE standing.instruction (
  -- The id of the call that made it, which the device's signature names.
  id uuid PRIMARY KEY,
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  digest text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('renewal', 'deposits')),
  -- The lock-up with which a renewal begins.
  lockup uuid,
  -- 1 is liquidity, as in earning.product.
  product smallint NOT NULL REFERENCES earning.product,
  -- The lowest daily rate of a lock-up, in parts of 10^-8.
  rate_min bigint CHECK (rate_min BETWEEN 0 AND 1000000),
  -- Units of USDT: the least deposit, and the most that is subscribed of one.
  amount_min bigint CHECK (amount_min > 0),
  amount_max bigint CHECK (amount_max >= amount_min),
  created_ms bigint NOT NULL,
  -- As on contracts.orders.
  seal uuid,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ended', 'revoked')),
  changed_ms bigint NOT NULL,
  -- Subscriptions and skips; subscriptions alone.
  attempts integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND attempts),
  -- The lock-up that is renewed next, and the day of its end.
  current uuid,
  due_day integer,
  CHECK (CASE kind WHEN 'renewal' THEN num_nonnulls(lockup, current, due_day) = 3 AND num_nonnulls(amount_min, amount_max) = 0 AND product > 1
    ELSE num_nonnulls(lockup, current, due_day) = 0 AND num_nonnulls(amount_min, amount_max) = 2 END),
  CHECK ((product = 1) = (rate_min IS NULL))
);
CREATE INDEX instruction_of_customer ON standing.instruction (customer_id, arrival DESC);
CREATE INDEX instruction_due ON standing.instruction (due_day, arrival) WHERE state = 'active' AND kind = 'renewal';
-- A lock-up is renewed by one instruction, and a customer's deposits are subscribed by one.
CREATE UNIQUE INDEX instruction_of_lockup ON standing.instruction (current) WHERE state = 'active' AND kind = 'renewal';
CREATE UNIQUE INDEX instruction_of_deposits ON standing.instruction (customer_id) WHERE state = 'active' AND kind = 'deposits';
GRANT SELECT ON standing.instruction TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, digest, kind, lockup, product, rate_min, amount_min, amount_max, created_ms, seal, changed_ms),
  UPDATE (state, changed_ms) ON standing.instruction TO sathorn_app;

-- Once per number and per source, by a subscription or a skip.
CREATE TABLE standing.execution (
  instruction uuid NOT NULL REFERENCES standing.instruction,
  number integer NOT NULL CHECK (number > 0),
  -- A lock-up or a deposit, and the units of USDT that it has brought.
  source uuid NOT NULL UNIQUE,
  units bigint NOT NULL CHECK (units > 0),
  at_ms bigint NOT NULL,
  -- The lock-up or the movement of liquidity; its id.
  made uuid UNIQUE,
  -- Why it was skipped.
  refusal text CHECK (refusal ~ '^[a-z_]{1,40}$'),
  -- True once the customer has its notice.
  is_told boolean NOT NULL DEFAULT false,
  PRIMARY KEY (instruction, number),
  CHECK ((made IS NULL) <> (refusal IS NULL))
);
CREATE INDEX execution_untold ON standing.execution (at_ms) WHERE NOT is_told;
GRANT SELECT ON standing.execution TO sathorn_app, sathorn_checker;
-- Only a subscription makes an execution that has one: see `standing.execute`.
GRANT INSERT (instruction, number, source, units, at_ms, refusal), UPDATE (is_told) ON standing.execution TO sathorn_app;

-- What can be subscribed: the principal of a lock-up that is back, and a deposit that is credited.
CREATE VIEW standing.source AS
  SELECT id, 'renewal' AS kind, customer_id, principal AS units, product, end_day, NULL::timestamptz AS credited_at
  FROM earning.lockup WHERE matured_at IS NOT NULL
  UNION ALL
  SELECT id, 'deposits', customer_id, (amount - recovery_fee)::bigint, NULL::smallint, NULL::integer, finished_at
  FROM deposits.deposit WHERE step = 'credited' AND amount > recovery_fee;
CREATE INDEX deposit_credited ON deposits.deposit (finished_at) WHERE step = 'credited';
GRANT SELECT ON standing.source TO sathorn_app, sathorn_checker;

CREATE FUNCTION standing.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on standing.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'ST001';
END $$;

-- What was ordered never changes. It ends with an execution, or is revoked.
CREATE FUNCTION standing.keep_instruction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'active' AND NEW.state <> OLD.state OR NEW.state = 'ended' AND OLD.state = 'active' AND NEW.attempts = OLD.attempts THEN
    RAISE EXCEPTION 'standing order % does not go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'ST002';
  END IF;
  IF (NEW.id, NEW.customer_id, NEW.digest, NEW.kind, NEW.lockup, NEW.product, NEW.rate_min, NEW.amount_min, NEW.amount_max, NEW.created_ms)
      IS DISTINCT FROM (OLD.id, OLD.customer_id, OLD.digest, OLD.kind, OLD.lockup, OLD.product, OLD.rate_min, OLD.amount_min, OLD.amount_max, OLD.created_ms)
    OR NEW.attempts NOT BETWEEN OLD.attempts AND OLD.attempts + 1 OR NEW.done NOT BETWEEN OLD.done AND OLD.done + 1 THEN
    RAISE EXCEPTION 'standing order %: what was ordered does not change', OLD.id USING ERRCODE = 'ST003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_instruction BEFORE UPDATE ON standing.instruction FOR EACH ROW EXECUTE FUNCTION standing.keep_instruction();

-- A new one is sealed and begins with an open lock-up of its customer, or with none.
CREATE FUNCTION standing.check_instruction() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = standing, pg_temp AS $$
DECLARE
  l earning.lockup;
BEGIN
  IF NEW.seal IS NULL THEN
    RAISE EXCEPTION 'a standing order without a seal' USING ERRCODE = 'ST006';
  END IF;
  NEW.state := 'active';
  NEW.attempts := 0;
  NEW.done := 0;
  NEW.current := NULL;
  NEW.due_day := NULL;
  IF NEW.kind = 'renewal' THEN
    SELECT * INTO l FROM earning.lockup WHERE id = NEW.lockup;
    IF (l.customer_id = NEW.customer_id AND l.product = NEW.product AND l.matured_at IS NULL) IS NOT TRUE THEN
      RAISE EXCEPTION 'lock-up % of customer % cannot be renewed', NEW.lockup, NEW.customer_id USING ERRCODE = 'ST004';
    END IF;
    NEW.current := l.id;
    NEW.due_day := l.end_day;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_instruction BEFORE INSERT ON standing.instruction FOR EACH ROW EXECUTE FUNCTION standing.check_instruction();

-- An execution is the next one of an active instruction, from a source of its customer. It moves the number on, and a
-- renewal that is skipped has ended.
CREATE FUNCTION standing.count_execution() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = standing, pg_temp AS $$
DECLARE
  i instruction;
  s source;
BEGIN
  SELECT * INTO i FROM instruction WHERE id = NEW.instruction FOR UPDATE;
  SELECT * INTO s FROM source WHERE id = NEW.source;
  IF (i.state = 'active' AND NEW.number = i.attempts + 1 AND s.kind = i.kind AND s.customer_id = i.customer_id AND s.units = NEW.units
      AND coalesce(i.current = s.id, i.kind = 'deposits')
      AND coalesce(extract(epoch FROM s.credited_at) * 1000 >= i.created_ms, i.kind = 'renewal')) IS NOT TRUE THEN
    RAISE EXCEPTION 'standing order % does not cover source %', NEW.instruction, NEW.source USING ERRCODE = 'ST005';
  END IF;
  NEW.is_told := false;
  UPDATE instruction SET attempts = attempts + 1, done = done + CASE WHEN NEW.made IS NULL THEN 0 ELSE 1 END, changed_ms = NEW.at_ms,
    state = CASE WHEN NEW.made IS NULL AND kind = 'renewal' THEN 'ended' ELSE state END,
    current = CASE WHEN kind = 'renewal' THEN coalesce(NEW.made, current) END,
    due_day = coalesce((SELECT end_day FROM earning.lockup WHERE kind = 'renewal' AND id = NEW.made), due_day)
  WHERE id = NEW.instruction;
  RETURN NEW;
END $$;
CREATE TRIGGER count_execution BEFORE INSERT ON standing.execution FOR EACH ROW EXECUTE FUNCTION standing.count_execution();

CREATE FUNCTION standing.keep_execution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.is_told OR (NEW.instruction, NEW.number, NEW.source, NEW.units, NEW.at_ms, NEW.made, NEW.refusal)
      IS DISTINCT FROM (OLD.instruction, OLD.number, OLD.source, OLD.units, OLD.at_ms, OLD.made, OLD.refusal) THEN
    RAISE EXCEPTION 'execution %/%: what was done does not change', OLD.instruction, OLD.number USING ERRCODE = 'ST003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_execution BEFORE UPDATE ON standing.execution FOR EACH ROW EXECUTE FUNCTION standing.keep_execution();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['standing.instruction', 'standing.execution'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION standing.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION standing.refuse_change()', name);
  END LOOP;
END $$;

ALTER TABLE earning.lockup ADD COLUMN standing uuid;
ALTER TABLE earning.lockup ADD COLUMN source uuid;
ALTER TABLE earning.lockup ADD CONSTRAINT lockup_standing CHECK ((standing IS NULL) = (source IS NULL));
CREATE UNIQUE INDEX lockup_of_source ON earning.lockup (source) WHERE source IS NOT NULL;
ALTER TABLE earning.movement ADD COLUMN standing uuid;
ALTER TABLE earning.movement ADD COLUMN source uuid;
ALTER TABLE earning.movement ADD CONSTRAINT movement_standing CHECK ((standing IS NULL) = (source IS NULL) AND (standing IS NULL OR kind = 'subscription'));
CREATE UNIQUE INDEX movement_of_source ON earning.movement (source) WHERE source IS NOT NULL;

-- True if an instruction covers a subscription: in its customer's name, to its product, for its amount, at its rate or
-- a better one, from its source and in time. `_rate` and `_day` are null for liquidity.
CREATE FUNCTION standing.is_covered(i standing.instruction, s standing.source, _customer bigint, _product smallint, _units bigint, _rate bigint,
  _day integer, _at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = standing, pg_temp AS $$
  SELECT (i.customer_id = _customer AND s.customer_id = _customer AND i.product = _product AND s.kind = i.kind
    AND coalesce(_rate >= i.rate_min, i.rate_min IS NULL)
    AND CASE i.kind
      WHEN 'renewal' THEN s.product = _product AND _units = s.units AND _day BETWEEN s.end_day AND s.end_day + 1
      ELSE s.units >= i.amount_min AND _units = least(s.units, i.amount_max) AND extract(epoch FROM s.credited_at) * 1000 >= i.created_ms
        AND _at <= s.credited_at + interval '6 hours 10 seconds' END) IS TRUE
$$;

-- Records a subscription with its row, under the lock of its instruction.
CREATE FUNCTION standing.execute(_instruction uuid, _source uuid, _made uuid, _customer bigint, _product smallint, _units bigint, _rate bigint,
  _day integer, _at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = standing, pg_temp AS $$
DECLARE
  i instruction;
  s source;
BEGIN
  SELECT * INTO i FROM instruction WHERE id = _instruction FOR UPDATE;
  SELECT * INTO s FROM source WHERE id = _source;
  IF NOT is_covered(i, s, _customer, _product, _units, _rate, _day, _at) THEN
    RAISE EXCEPTION 'standing order % does not cover subscription %', _instruction, _made USING ERRCODE = 'ST005';
  END IF;
  INSERT INTO execution (instruction, number, source, units, at_ms, made)
  VALUES (_instruction, i.attempts + 1, _source, s.units, floor(extract(epoch FROM _at) * 1000)::bigint, _made);
END $$;

CREATE FUNCTION standing.execute_lockup() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = standing, pg_temp AS $$
BEGIN
  -- A lock-up starts on the day after its subscription.
  PERFORM execute(NEW.standing, NEW.source, NEW.id, NEW.customer_id, NEW.product, NEW.principal, NEW.daily_rate, NEW.start_day - 1, NEW.subscribed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER standing AFTER INSERT ON earning.lockup FOR EACH ROW WHEN (NEW.standing IS NOT NULL) EXECUTE FUNCTION standing.execute_lockup();

CREATE FUNCTION standing.execute_movement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = standing, pg_temp AS $$
BEGIN
  PERFORM execute(NEW.standing, NEW.source, NEW.id, NEW.customer_id, 1::smallint, NEW.units, NULL, NEW.day, NEW.at);
  RETURN NULL;
END $$;
CREATE TRIGGER standing AFTER INSERT ON earning.movement FOR EACH ROW WHEN (NEW.standing IS NOT NULL) EXECUTE FUNCTION standing.execute_movement();

-- A subscription's instruction and source are written with it and never change.
CREATE FUNCTION standing.keep_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'subscription %: its standing order does not change', OLD.id USING ERRCODE = 'ST003';
END $$;
CREATE TRIGGER keep_standing BEFORE UPDATE OF standing, source ON earning.lockup FOR EACH ROW EXECUTE FUNCTION standing.keep_name();
CREATE TRIGGER keep_standing BEFORE UPDATE OF standing, source ON earning.movement FOR EACH ROW EXECUTE FUNCTION standing.keep_name();

-- As before, with the standing order and the source of a subscription.
DROP FUNCTION earning.move_liquidity;
CREATE FUNCTION earning.move_liquidity(_day integer, _at timestamptz, _ids uuid[], _customers bigint[], _kinds text[],
  _units bigint[], _holds bigint[], _standings uuid[], _sources uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
DECLARE
  move record;
  place earning.liquidity;
  fresh_taken bigint;
BEGIN
  FOR move IN SELECT * FROM unnest(_ids, _customers, _kinds, _units, _holds, _standings, _sources)
      WITH ORDINALITY AS t(id, customer_id, kind, units, hold, standing, source, n) ORDER BY n LOOP
    INSERT INTO earning.liquidity (customer_id, day, earning, leaving, fresh) VALUES (move.customer_id, _day, 0, 0, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT place FROM earning.liquidity WHERE customer_id = move.customer_id FOR UPDATE;
    IF place.day < _day THEN
      INSERT INTO earning.liquidity_past (customer_id, day, earning, leaving, fresh)
      VALUES (place.customer_id, place.day, place.earning, place.leaving, place.fresh);
      place.earning := place.earning - place.leaving + place.fresh;
      place.leaving := 0;
      place.fresh := 0;
      place.day := _day;
    END IF;
    IF EXISTS (SELECT FROM earning.accrual WHERE product = 1 AND day >= place.day) THEN
      RAISE EXCEPTION 'the income of day % has been counted', place.day USING ERRCODE = 'EA003';
    END IF;
    fresh_taken := 0;
    IF move.kind = 'subscription' THEN
      place.fresh := place.fresh + move.units;
    ELSE
      fresh_taken := least(place.fresh, move.units);
      place.fresh := place.fresh - fresh_taken;
      IF move.kind = 'quick' THEN place.earning := place.earning - (move.units - fresh_taken);
      ELSE place.leaving := place.leaving + (move.units - fresh_taken);
      END IF;
    END IF;
    UPDATE earning.liquidity SET day = place.day, earning = place.earning, leaving = place.leaving, fresh = place.fresh WHERE customer_id = place.customer_id;
    INSERT INTO earning.movement (id, customer_id, kind, units, day, at, from_fresh, hold, standing, source)
    VALUES (move.id, move.customer_id, move.kind, move.units, place.day, _at, fresh_taken, move.hold, move.standing, move.source);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION earning.move_liquidity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION earning.move_liquidity TO sathorn_app, sathorn_checker;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA standing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION standing.is_covered TO sathorn_app, sathorn_checker;

-- As before, with standing orders of earning; what they subscribed was ordered with them.
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
    SELECT 'standing', id::text, id, customer_id, created_ms FROM standing.instruction
    UNION ALL
    SELECT 'lockup', id::text, id, customer_id, (extract(epoch FROM subscribed_at) * 1000)::bigint FROM earning.lockup WHERE standing IS NULL
    UNION ALL
    SELECT 'liquidity', id::text, id, customer_id, (extract(epoch FROM at) * 1000)::bigint FROM earning.movement WHERE standing IS NULL
    UNION ALL
    SELECT 'withdrawal', id::text, id, customer_id, (extract(epoch FROM created_at) * 1000)::bigint FROM withdrawals.withdrawal
    UNION ALL
    SELECT 'payee', id, intent, owner, (extract(epoch FROM added_at) * 1000)::bigint FROM payees.payee
  ) r
  LEFT JOIN LATERAL customers.signature_of(r.customer, r.intent) s ON true
  LEFT JOIN LATERAL customers.api_order_of(r.customer, r.intent) a ON true;
