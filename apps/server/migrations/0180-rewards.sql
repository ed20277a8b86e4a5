-- Rewards: points and small sums of USDT, paid from an account of the house that is funded beforehand; the daily sign-in.
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES (270, 'rewards', 'c', true), (271, 'boxes', 'c', true), (272, 'coupons', 'c', true);

INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (1, '{s}', '{100}', '{270}', true, 'owner', false),
  (2, '{s}', '{100}', '{270}', true, 'owner', false),
  (2, '{s}', '{270}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{270}', true, 'app', true),
  (80, '{s}', '{270}', '{1000}', false, 'app', false),
  (81, '{s}', '{270}', '{1000}', false, 'app', false),
  -- Blind boxes: the budget before the sale, what is left of it afterwards, the price, and the prize, held at its largest.
  (82, '{s}', '{270}', '{271}', true, 'app', false),
  (83, '{s}', '{271}', '{270}', true, 'app', false),
  (84, '{s}', '{1000}', '{270}', false, 'app', false),
  (85, '{h,p,v}', '{271}', '{1000}', false, 'app', false),
  -- Fee coupons: set aside when won, then paid on fees, or given back when the coupon expires.
  (86, '{s}', '{271}', '{272}', true, 'app', false),
  (87, '{s}', '{272}', '{1000}', false, 'app', false),
  (88, '{s}', '{272}', '{270}', true, 'app', false);

INSERT INTO ledger.demo_capital (code, asset, units) VALUES (270, 'USDT', 5000000000), (270, 'POINTS', 10000000);

CREATE SCHEMA rewards;

-- Terms of the ladder by the local day from which they apply; earlier terms are kept. Days are whole numbers, as in earning.
CREATE TABLE rewards.ladder (
  version integer PRIMARY KEY CHECK (version > 0),
  effective_day integer NOT NULL,
  -- Points and units of USDT for each of the seven days.
  points bigint[] NOT NULL CHECK (cardinality(points) = 7 AND 0 <= ALL (points)),
  usdt bigint[] NOT NULL CHECK (cardinality(usdt) = 7 AND 0 <= ALL (usdt)),
  -- The approval that created it; null for a demo's first one.
  approval bigint,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- One row per customer and local day. The id is the journal's.
CREATE TABLE rewards.sign_in (
  customer_id bigint NOT NULL,
  day integer NOT NULL,
  id uuid NOT NULL UNIQUE,
  -- The day of the ladder, from 1.
  rung smallint NOT NULL CHECK (rung BETWEEN 1 AND 7),
  version integer NOT NULL REFERENCES rewards.ladder,
  points bigint NOT NULL CHECK (points >= 0),
  -- The USDT paid; zero if the account had too little.
  usdt bigint NOT NULL CHECK (usdt >= 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, day)
);

-- Points for something else; once for each reference.
CREATE TABLE rewards.grant_of_points (
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL,
  points bigint NOT NULL CHECK (points > 0),
  reason text NOT NULL CHECK (reason IN ('invite', 'activity')),
  ref text NOT NULL,
  at timestamptz NOT NULL,
  UNIQUE (customer_id, reason, ref)
);

CREATE FUNCTION rewards.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on rewards.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'RW001';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ladder', 'sign_in', 'grant_of_points'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON rewards.%I FOR EACH ROW EXECUTE FUNCTION rewards.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON rewards.%I FOR EACH STATEMENT EXECUTE FUNCTION rewards.refuse_change()', name);
  END LOOP;
END $$;

-- A consecutive day climbs one rung; after the seventh or a missed day the ladder begins again. Days only increase per customer, so that neither
-- a clock set back nor another time zone pays a day twice.
CREATE FUNCTION rewards.refuse_wrong_rung() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
DECLARE last rewards.sign_in;
BEGIN
  SELECT * INTO last FROM rewards.sign_in WHERE customer_id = NEW.customer_id ORDER BY day DESC LIMIT 1;
  IF last.day >= NEW.day THEN RAISE EXCEPTION 'day % comes after day %', NEW.day, last.day USING ERRCODE = 'RW002'; END IF;
  IF NEW.rung <> (CASE WHEN last.day = NEW.day - 1 THEN last.rung % 7 + 1 ELSE 1 END) THEN
    RAISE EXCEPTION 'rung % does not follow', NEW.rung USING ERRCODE = 'RW002';
  END IF;
  IF NOT EXISTS (SELECT FROM rewards.ladder l WHERE l.version = NEW.version AND l.effective_day <= NEW.day
      AND l.points[NEW.rung] = NEW.points AND (l.usdt[NEW.rung] = NEW.usdt OR NEW.usdt = 0)) THEN
    RAISE EXCEPTION 'a reward that is not of its ladder' USING ERRCODE = 'RW002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON rewards.sign_in FOR EACH ROW EXECUTE FUNCTION rewards.refuse_wrong_rung();

GRANT USAGE ON SCHEMA rewards TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA rewards TO sathorn_app, sathorn_checker;
GRANT INSERT ON ALL TABLES IN SCHEMA rewards TO sathorn_app;
