-- Blind boxes: what was published before the sale, each draw in its order, and the budget that pays its prizes.
CREATE SCHEMA boxes;
GRANT USAGE ON SCHEMA boxes TO sathorn_app, sathorn_checker;

-- A box as it was published and signed, its budgets, and when it is sold.
CREATE TABLE boxes.box (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- The signed text, which contains the price, the table, the budget, the times and the root over all seeds.
  body text NOT NULL,
  hash text NOT NULL UNIQUE,
  signature text NOT NULL,
  key text NOT NULL,
  -- The box's name by language, at least English and Thai.
  names jsonb NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  draws_max integer NOT NULL CHECK (draws_max BETWEEN 1 AND 20000),
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL CHECK (closes_at > opens_at),
  -- The largest prize of each asset, which every open draw holds.
  usdt_max bigint NOT NULL CHECK (usdt_max >= 0),
  points_max bigint NOT NULL CHECK (points_max >= 0),
  usdt_budget bigint NOT NULL CHECK (usdt_budget >= usdt_max),
  points_budget bigint NOT NULL CHECK (points_budget >= points_max),
  funded_journal uuid NOT NULL UNIQUE,
  published_at timestamptz NOT NULL,
  approval uuid,
  CHECK (published_at <= opens_at)
);
CREATE UNIQUE INDEX box_of_approval ON boxes.box (approval);
GRANT SELECT ON boxes.box TO sathorn_app, sathorn_checker;
GRANT INSERT ON boxes.box TO sathorn_app;

-- The state of a box's sale. Written only with the transfers, under the ledger's lock.
CREATE TABLE boxes.standing (
  box uuid PRIMARY KEY REFERENCES boxes.box,
  -- Number of the last draw.
  drawn integer NOT NULL DEFAULT 0,
  open integer NOT NULL DEFAULT 0 CHECK (open >= 0),
  usdt_paid bigint NOT NULL DEFAULT 0,
  points_paid bigint NOT NULL DEFAULT 0,
  -- The journal that returned the rest of the budget; null until then.
  returned_journal uuid,
  CHECK (returned_journal IS NULL OR open = 0)
);
GRANT SELECT ON boxes.standing TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (drawn, open, usdt_paid, points_paid, returned_journal) ON boxes.standing TO sathorn_app;

-- One draw: reserved, seeded by the customer, resolved.
CREATE TABLE boxes.draw (
  -- Id of the journal that reserved it.
  id uuid PRIMARY KEY,
  box uuid NOT NULL REFERENCES boxes.box,
  i integer NOT NULL CHECK (i > 0),
  customer_id bigint NOT NULL,
  reserved_at timestamptz NOT NULL,
  -- 0 if the box has no beacon.
  round bigint NOT NULL,
  -- The signed reservation.
  body text NOT NULL,
  signature text NOT NULL,
  key text NOT NULL,
  usdt_hold bigint,
  points_hold bigint,
  client_seed text CHECK (client_seed ~ '^[0-9a-f]{64}$'),
  seeded_at timestamptz,
  resolved_at timestamptz,
  resolved_journal uuid,
  beacon text,
  seed text CHECK (seed ~ '^[0-9a-f]{64}$'),
  number bigint,
  -- Row of the prize table, from 0.
  prize integer,
  UNIQUE (box, i),
  CHECK ((client_seed IS NULL) = (seeded_at IS NULL)),
  CHECK (num_nulls(resolved_at, resolved_journal, seed, number, prize) IN (0, 5))
);
CREATE INDEX draw_open ON boxes.draw (reserved_at) WHERE resolved_at IS NULL;
CREATE INDEX draw_of_customer ON boxes.draw (customer_id, reserved_at DESC, id);
GRANT SELECT ON boxes.draw TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (client_seed, seeded_at, resolved_at, resolved_journal, beacon, seed, number, prize)
  ON boxes.draw TO sathorn_app;

CREATE FUNCTION boxes.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on boxes.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'BX001';
END $$;

-- Ensures that a draw gets its seed once, before it is resolved, and its result once.
CREATE FUNCTION boxes.refuse_second_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.resolved_at IS NOT NULL THEN RAISE EXCEPTION 'draw % is resolved', OLD.id USING ERRCODE = 'BX002'; END IF;
  IF OLD.client_seed IS NOT NULL AND (NEW.client_seed, NEW.seeded_at) IS DISTINCT FROM (OLD.client_seed, OLD.seeded_at) THEN
    RAISE EXCEPTION 'draw % has its seed', OLD.id USING ERRCODE = 'BX002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER once BEFORE UPDATE ON boxes.draw FOR EACH ROW EXECUTE FUNCTION boxes.refuse_second_result();

-- Writes reserved draws. Each must be the next of its box, and the budget must cover all open draws.
CREATE FUNCTION boxes.reserve(
  _ids uuid[], _boxes uuid[], _is integer[], _customers bigint[], _at timestamptz, _rounds bigint[], _bodies text[],
    _signatures text[], _keys text[],
  _usdt_holds bigint[], _points_holds bigint[]
) RETURNS void LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
DECLARE
  d record;
  b boxes.box;
  s boxes.standing;
BEGIN
  FOR d IN SELECT * FROM unnest(_ids, _boxes, _is, _customers, _rounds, _bodies, _signatures, _keys, _usdt_holds, _points_holds) WITH ORDINALITY
      AS t(id, box, i, customer_id, round, body, signature, key, usdt_hold, points_hold, n) ORDER BY n LOOP
    SELECT * INTO STRICT b FROM boxes.box WHERE id = d.box;
    SELECT * INTO STRICT s FROM boxes.standing WHERE box = d.box FOR UPDATE;
    IF d.i <> s.drawn + 1 OR d.i > b.draws_max OR s.returned_journal IS NOT NULL OR _at < b.opens_at OR _at >= b.closes_at
      OR s.usdt_paid + (s.open + 1) * b.usdt_max > b.usdt_budget OR s.points_paid + (s.open + 1) * b.points_max > b.points_budget
    THEN RAISE EXCEPTION 'draw % of box % does not follow', d.i, d.box USING ERRCODE = 'BX003'; END IF;
    UPDATE boxes.standing SET drawn = d.i, open = s.open + 1 WHERE box = d.box;
    INSERT INTO boxes.draw (id, box, i, customer_id, reserved_at, round, body, signature, key, usdt_hold, points_hold)
    VALUES (d.id, d.box, d.i, d.customer_id, _at, d.round, d.body, d.signature, d.key, d.usdt_hold, d.points_hold);
  END LOOP;
END $$;

-- Writes the results of draws, computed with the client seed that is stored now.
CREATE FUNCTION boxes.resolve(
  _ids uuid[], _journals uuid[], _at timestamptz, _client_seeds text[], _beacons text[], _seeds text[],
    _numbers bigint[], _prizes integer[],
  _usdt bigint[], _points bigint[]
) RETURNS void LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
DECLARE
  d record;
  of_box uuid;
BEGIN
  FOR d IN SELECT * FROM unnest(_ids, _journals, _client_seeds, _beacons, _seeds, _numbers, _prizes, _usdt, _points) WITH ORDINALITY
      AS t(id, journal, client_seed, beacon, seed, number, prize, usdt, points, n) ORDER BY n LOOP
    UPDATE boxes.draw SET resolved_at = _at, resolved_journal = d.journal, beacon = d.beacon, seed = d.seed, number = d.number, prize = d.prize
    WHERE id = d.id AND client_seed IS NOT DISTINCT FROM d.client_seed RETURNING box INTO of_box;
    IF NOT FOUND THEN RAISE EXCEPTION 'draw % was computed with another seed', d.id USING ERRCODE = 'BX003'; END IF;
    UPDATE boxes.standing SET open = open - 1, usdt_paid = usdt_paid + d.usdt, points_paid = points_paid + d.points WHERE box = of_box;
  END LOOP;
END $$;

-- Approved boxes that wait until their budget is reserved and they are published, or until the reward account turns out
-- too small.
CREATE TABLE boxes.decided (
  approval uuid PRIMARY KEY,
  -- Canonical JSON, as approved.
  fields text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The published box, or the reason why it could not be published.
  box uuid,
  fault text,
  CHECK (box IS NULL OR fault IS NULL)
);
CREATE INDEX decided_waiting ON boxes.decided (at) WHERE box IS NULL AND fault IS NULL;
GRANT SELECT ON boxes.decided TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (box, fault) ON boxes.decided TO sathorn_app;

-- A decided box never changes.
CREATE FUNCTION boxes.keep_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.approval, NEW.fields, NEW.at) IS DISTINCT FROM (OLD.approval, OLD.fields, OLD.at) OR OLD.box IS NOT NULL OR OLD.fault IS NOT NULL THEN
    RAISE EXCEPTION 'a decided box is not changed' USING ERRCODE = 'BX001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_decided BEFORE UPDATE ON boxes.decided FOR EACH ROW EXECUTE FUNCTION boxes.keep_decided();

-- Requires the approval of two people for a box or a ladder, which the application's password alone does not replace.
CREATE FUNCTION boxes.check_decided() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM offer.version v WHERE v.approval = NEW.approval AND v.kind = 'box' AND v.stopped_at IS NULL AND v.fields::jsonb = NEW.fields::jsonb) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON boxes.decided FOR EACH ROW EXECUTE FUNCTION boxes.check_decided();

-- Requires an approval for a box of a live deployment.
CREATE FUNCTION boxes.check_box() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM boxes.decided d WHERE d.approval = NEW.approval AND d.box IS NULL AND d.fault IS NULL AND boxes.is_as_decided(NEW, d.fields)) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON boxes.box FOR EACH ROW EXECUTE FUNCTION boxes.check_box();

-- True if a box is sold as it was decided, with its price, table, budget and times. One box per approval.
CREATE FUNCTION boxes.is_as_decided(_box boxes.box, _fields text) RETURNS boolean LANGUAGE sql IMMUTABLE
  SET search_path = boxes, pg_temp AS $$
  SELECT (f ->> 'price' = _box.price::text AND f ->> 'draws_max' = _box.draws_max::text AND f -> 'names' = _box.names
    AND (f ->> 'usdt_budget')::numeric * 1000000 = _box.usdt_budget AND (f ->> 'points_budget')::numeric = _box.points_budget
    AND extract(epoch FROM _box.closes_at - _box.opens_at) = (f ->> 'days')::integer * 86400
    AND t ->> 'price' = _box.price::text AND t ->> 'draws_max' = _box.draws_max::text AND t ->> 'beacon' = f ->> 'beacon'
    AND (t -> 'budget' ->> 'USDT', t -> 'budget' ->> 'POINTS') = (_box.usdt_budget::text, _box.points_budget::text)
    AND (SELECT jsonb_agg(jsonb_build_array(r -> 'prize', (r ->> 'amount')::numeric, r -> 'weight') ORDER BY n) FROM jsonb_array_elements(t -> 'table') WITH ORDINALITY AS x(r, n))
      = (SELECT jsonb_agg(jsonb_build_array(r -> 'prize', trim_scale((r ->> 'amount')::numeric * CASE r ->> 'prize' WHEN 'usdt' THEN 1000000 ELSE 1 END), r -> 'weight') ORDER BY n)
         FROM jsonb_array_elements(f -> 'table') WITH ORDINALITY AS y(r, n))
    AND (_box.usdt_max, _box.points_max) = (SELECT coalesce(max((r ->> 'amount')::bigint) FILTER (WHERE r ->> 'prize' = 'usdt'), 0),
      coalesce(max((r ->> 'amount')::bigint) FILTER (WHERE r ->> 'prize' = 'points'), 0) FROM jsonb_array_elements(t -> 'table') AS z(r))) IS TRUE
  FROM (SELECT _fields::jsonb AS f, _box.body::jsonb AS t) said
$$;

-- The commitments of a box to each of its draws: the leaves of the tree whose root is in its signed text. They let a
-- process without the key of the seeds sell draws. Readers must check the root first.
CREATE TABLE boxes.promise (
  box uuid PRIMARY KEY REFERENCES boxes.box,
  -- 32 bytes per draw.
  commitments bytea NOT NULL CHECK (length(commitments) > 0 AND length(commitments) % 32 = 0)
);
GRANT SELECT ON boxes.promise TO sathorn_app, sathorn_checker;
GRANT INSERT ON boxes.promise TO sathorn_app;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['boxes.box', 'boxes.promise'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION boxes.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION boxes.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['boxes.draw', 'boxes.standing', 'boxes.decided'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION boxes.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION boxes.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION boxes.reserve, boxes.resolve, boxes.is_as_decided FROM PUBLIC;
GRANT EXECUTE ON FUNCTION boxes.reserve, boxes.resolve TO sathorn_app;
GRANT EXECUTE ON FUNCTION boxes.is_as_decided TO sathorn_app, sathorn_checker;
