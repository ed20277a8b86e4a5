-- Rewards: points and small sums of USDT, paid from an account of the house that is funded in advance; the daily
-- sign-in.
CREATE SCHEMA rewards;
GRANT USAGE ON SCHEMA rewards TO sathorn_app, sathorn_checker;

-- Terms of the ladder by the local day from which they apply; earlier terms stay. Days are whole numbers, as in
-- earning.
CREATE TABLE rewards.ladder (
  version integer PRIMARY KEY CHECK (version > 0),
  effective_day integer NOT NULL,
  -- Points and units of USDT for each of the seven days.
  points bigint[] NOT NULL CHECK (cardinality(points) = 7 AND 0 <= ALL (points)),
  usdt bigint[] NOT NULL CHECK (cardinality(usdt) = 7 AND 0 <= ALL (usdt)),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  approval uuid
);
GRANT SELECT ON rewards.ladder TO sathorn_app, sathorn_checker;
GRANT INSERT ON rewards.ladder TO sathorn_app;

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
GRANT SELECT ON rewards.sign_in TO sathorn_app, sathorn_checker;
GRANT INSERT ON rewards.sign_in TO sathorn_app;

-- Points for other events; once per reference.
CREATE TABLE rewards.grant_of_points (
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL,
  points bigint NOT NULL CHECK (points > 0),
  reason text NOT NULL CHECK (reason IN ('invite', 'activity')),
  ref text NOT NULL,
  at timestamptz NOT NULL,
  UNIQUE (customer_id, reason, ref)
);
GRANT SELECT ON rewards.grant_of_points TO sathorn_app, sathorn_checker;
GRANT INSERT ON rewards.grant_of_points TO sathorn_app;

CREATE FUNCTION rewards.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on rewards.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'RW001';
END $$;

-- Requires the right rung: a consecutive day climbs one, and after the seventh or a missed day the ladder begins again.
-- Days only increase per customer, so that neither a clock set back nor another time zone pays a day twice.
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

-- Requires an approval for a ladder of a live deployment.
CREATE FUNCTION rewards.check_ladder() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM offer.version v WHERE v.approval = NEW.approval AND v.kind = 'ladder' AND v.stopped_at IS NULL) THEN
    RAISE EXCEPTION 'nobody approved this ladder' USING ERRCODE = 'RW003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON rewards.ladder FOR EACH ROW EXECUTE FUNCTION rewards.check_ladder();

-- Locked rewards that were paid out after their customer was certified.
CREATE TABLE rewards.release (
  -- Also the id of the journal.
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  asset text NOT NULL CHECK (asset IN ('USDT', 'POINTS')),
  units numeric(39, 0) NOT NULL CHECK (units > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON rewards.release TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, asset, units) ON rewards.release TO sathorn_app;

-- True if the customer is certified.
CREATE FUNCTION rewards.is_certified(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = rewards, pg_temp AS $$
  SELECT EXISTS (SELECT FROM certifications.application WHERE customer = _customer AND state = 'verified')
$$;

-- Refuses to pay locked rewards without a certification, whoever posts them and through whichever function of the
-- ledger.
CREATE FUNCTION rewards.refuse_locked() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = rewards,
  pg_temp AS $$
BEGIN
  IF NOT rewards.is_certified(NEW.owner) THEN
    RAISE EXCEPTION 'the rewards of customer % are locked until the certification', NEW.owner USING ERRCODE = 'RW003';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER stays_locked AFTER UPDATE OF debits_posted, debits_held ON ledger.account FOR EACH ROW
  WHEN (NEW.code = 1040 AND (NEW.debits_posted > OLD.debits_posted OR NEW.debits_held > OLD.debits_held))
  EXECUTE FUNCTION rewards.refuse_locked();

-- Rewards that wait for their customer's certification.
CREATE VIEW rewards.locked AS
  SELECT owner AS customer_id, asset, credits_posted - debits_posted AS units FROM ledger.account WHERE code = 1040
    AND credits_posted > debits_posted;
GRANT SELECT ON rewards.locked TO sathorn_app, sathorn_checker;

-- Makes a customer's locked rewards available. It does nothing while money is halted; the next round repeats it.
CREATE FUNCTION rewards.release_locked(_customer bigint) RETURNS boolean LANGUAGE plpgsql SET search_path = rewards,
  pg_temp AS $$
DECLARE
  one record;
  journal uuid;
  is_moved boolean := false;
BEGIN
  IF (SELECT halted FROM ledger.head) IS NOT NULL THEN RETURN false; END IF;
  FOR one IN SELECT asset, units FROM rewards.locked WHERE customer_id = _customer ORDER BY asset LOOP
    journal := gen_random_uuid();
    PERFORM ledger.open_accounts(ARRAY[_customer], ARRAY[1000::smallint], ARRAY[one.asset]);
    INSERT INTO rewards.release (id, customer_id, asset, units) VALUES (journal, _customer, one.asset, one.units);
    PERFORM ledger.post_singles(journal, 'rewards.release', _customer::text, one.asset,
      ARRAY[_customer], ARRAY[1040::smallint], ARRAY[_customer], ARRAY[1000::smallint], ARRAY[one.units], ARRAY[89::smallint]);
    is_moved := true;
  END LOOP;
  RETURN is_moved;
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['rewards.ladder', 'rewards.sign_in', 'rewards.grant_of_points', 'rewards.release'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION rewards.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION rewards.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION rewards.refuse_locked, rewards.release_locked, rewards.is_certified FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rewards.release_locked TO sathorn_app;
GRANT EXECUTE ON FUNCTION rewards.is_certified TO sathorn_checker;
