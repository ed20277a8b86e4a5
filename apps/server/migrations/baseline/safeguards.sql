-- Limits that customers set for themselves, breaks and self-exclusion. The database itself refuses a limit that is
-- raised within a day, an exclusion that is shortened, and an accepted order beyond a limit, whatever the application
-- says.
CREATE SCHEMA safeguards;
GRANT USAGE ON SCHEMA safeguards TO sathorn_app, sathorn_checker;

-- One row per customer who has ever set a limit; all others cost one look-up per batch. A change locks the row.
CREATE TABLE safeguards.guard (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  -- The time zone of the limits' days, weeks and months: the brand's when the customer first set something.
  zone text NOT NULL,
  -- Minutes of use between two reality checks; null for none.
  reality_minutes integer CHECK (reality_minutes IN (15, 30, 60, 120)),
  -- Minutes of use since the last reality check that the customer has answered.
  unseen_minutes integer NOT NULL DEFAULT 0 CHECK (unseen_minutes >= 0)
);
GRANT SELECT ON safeguards.guard TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (reality_minutes, unseen_minutes) ON safeguards.guard TO sathorn_app;

-- All requested changes. The newest one that has begun and was not cancelled is in force.
CREATE TABLE safeguards.limit_change (
  id uuid PRIMARY KEY,
  sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer bigint NOT NULL REFERENCES safeguards.guard,
  kind text NOT NULL CHECK (kind IN ('loss_day', 'loss_week', 'loss_month', 'stake_option', 'stake_day', 'time_day')),
  -- Units of 10^-6 USDT, or minutes for time; null for no limit.
  value bigint CHECK (value > 0),
  asked_at timestamptz NOT NULL,
  from_at timestamptz NOT NULL CHECK (from_at >= asked_at),
  cancelled_at timestamptz
);
CREATE INDEX limit_change_customer ON safeguards.limit_change (customer, kind, from_at DESC, sequence DESC);
GRANT SELECT ON safeguards.limit_change TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (cancelled_at) ON safeguards.limit_change TO sathorn_app;

-- Breaks and self-exclusions, which nobody can end.
CREATE TABLE safeguards.pause (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES safeguards.guard,
  kind text NOT NULL CHECK (kind IN ('time_out', 'self_exclusion')),
  starts_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  CHECK (until > starts_at AND until <= starts_at + interval '61 months'),
  CONSTRAINT half_a_year CHECK (kind <> 'self_exclusion' OR until >= starts_at + interval '6 months'),
  CHECK (kind <> 'time_out' OR until <= starts_at + interval '31 days')
);
CREATE INDEX pause_customer ON safeguards.pause (customer, until);
GRANT SELECT ON safeguards.pause TO sathorn_app, sathorn_checker;
GRANT INSERT ON safeguards.pause TO sathorn_app;

-- Minutes in which the app was in use, or an order was accepted, for customers who want them counted.
CREATE TABLE safeguards.day_time (
  customer bigint NOT NULL REFERENCES safeguards.guard,
  -- When the brand's day began, in ms since 1970.
  day bigint NOT NULL,
  minutes integer NOT NULL CHECK (minutes > 0),
  -- The newest counted minute, since 1970. A minute counts once, on however many devices.
  last_minute bigint NOT NULL,
  PRIMARY KEY (customer, day)
);
GRANT SELECT ON safeguards.day_time TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE (minutes, last_minute) ON safeguards.day_time TO sathorn_app;

-- Milliseconds since 1970.
CREATE FUNCTION safeguards.ms(_at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT floor(extract(epoch FROM _at) * 1000)::bigint $$;

-- The limit of one kind that applied to a customer at a moment.
CREATE FUNCTION safeguards.in_force(_customer bigint, _kind text, _at timestamptz) RETURNS bigint
LANGUAGE sql STABLE SET search_path = safeguards, pg_temp AS $$
  SELECT value FROM safeguards.limit_change
  WHERE customer = _customer AND kind = _kind AND from_at <= _at AND (cancelled_at IS NULL OR cancelled_at > _at)
  ORDER BY from_at DESC, sequence DESC LIMIT 1
$$;

-- Makes a stricter limit effective at once, and a looser one after a day. Times are the database's, so the
-- application's clock cannot shorten the wait.
CREATE FUNCTION safeguards.check_limit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = safeguards, pg_temp AS $$
DECLARE
  current bigint;
BEGIN
  PERFORM FROM safeguards.guard WHERE customer = NEW.customer FOR UPDATE;
  NEW.asked_at := clock_timestamp();
  NEW.cancelled_at := NULL;
  -- What waits is replaced by what was asked for last, so a raise that was forgotten can't undo a limit that was lowered since.
  UPDATE safeguards.limit_change SET cancelled_at = NEW.asked_at
  WHERE customer = NEW.customer AND kind = NEW.kind AND from_at > NEW.asked_at AND cancelled_at IS NULL;
  current := safeguards.in_force(NEW.customer, NEW.kind, NEW.asked_at);
  NEW.from_at := CASE WHEN current IS NULL OR NEW.value <= current THEN NEW.asked_at ELSE NEW.asked_at + interval '24 hours' END;
  RETURN NEW;
END $$;
CREATE TRIGGER check_limit BEFORE INSERT ON safeguards.limit_change FOR EACH ROW
  EXECUTE FUNCTION safeguards.check_limit();

-- Allows only the cancellation of a raise that still waits.
CREATE FUNCTION safeguards.check_limit_change() RETURNS trigger LANGUAGE plpgsql SET search_path = safeguards, pg_temp AS $$
BEGIN
  IF (NEW.id, NEW.customer, NEW.kind, NEW.asked_at, NEW.from_at) IS DISTINCT FROM (OLD.id, OLD.customer, OLD.kind, OLD.asked_at, OLD.from_at)
    OR NEW.value IS DISTINCT FROM OLD.value OR OLD.cancelled_at IS NOT NULL OR NEW.cancelled_at IS NULL OR OLD.from_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'only a raise that still waits can be cancelled' USING ERRCODE = 'SG002';
  END IF;
  NEW.cancelled_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER check_limit_change BEFORE UPDATE ON safeguards.limit_change FOR EACH ROW
  EXECUTE FUNCTION safeguards.check_limit_change();

-- Starts a pause at the transaction's time, under the customer's lock.
CREATE FUNCTION safeguards.check_pause() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = safeguards, pg_temp AS $$
BEGIN
  PERFORM FROM safeguards.guard WHERE customer = NEW.customer FOR UPDATE;
  -- The time of the transaction, from which `until` is reckoned too.
  NEW.starts_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER check_pause BEFORE INSERT ON safeguards.pause FOR EACH ROW EXECUTE FUNCTION safeguards.check_pause();

-- Refuses to end a pause or to delete a limit.
CREATE FUNCTION safeguards.never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'nobody lifts a pause or forgets a limit' USING ERRCODE = 'SG003';
END $$;
CREATE TRIGGER pause_stays BEFORE UPDATE OR DELETE ON safeguards.pause FOR EACH ROW
  EXECUTE FUNCTION safeguards.never();
CREATE TRIGGER limit_stays BEFORE DELETE ON safeguards.limit_change FOR EACH ROW EXECUTE FUNCTION safeguards.never();
CREATE TRIGGER pause_not_truncated BEFORE TRUNCATE ON safeguards.pause EXECUTE FUNCTION safeguards.never();
CREATE TRIGGER limit_not_truncated BEFORE TRUNCATE ON safeguards.limit_change EXECUTE FUNCTION safeguards.never();

-- The state of customers with a guard: the limits in force, and how much of them is used. An order counts in the period
-- of its acceptance, with its whole stake until it is settled, so the loss of a period can't exceed a limit, however
-- its open orders end. Only periods with a limit are summed. Periods follow the brand's calendar and the database's
-- clock; a week begins on Monday.
CREATE FUNCTION safeguards.standing(_customers bigint[]) RETURNS TABLE (
  customer bigint, pause_kind text, pause_until timestamptz, stake_option bigint, stake_day bigint, loss_day bigint,
    loss_week bigint,
  loss_month bigint, time_day bigint, staked bigint, largest bigint, lost_day bigint, lost_week bigint,
    lost_month bigint, minutes integer,
  is_counted boolean, day bigint, day_ends timestamptz, week_ends timestamptz, month_ends timestamptz,
  open_stakes bigint, open_orders integer
) LANGUAGE sql STABLE SET search_path = safeguards, pg_temp AS $$
  WITH period AS (
    SELECT zones.zone, safeguards.ms(date_trunc('day', moment, zones.zone)) AS day, safeguards.ms(date_trunc('week', moment, zones.zone)) AS week,
      safeguards.ms(date_trunc('month', moment, zones.zone)) AS month,
      (date_trunc('day', moment AT TIME ZONE zones.zone) + interval '1 day') AT TIME ZONE zones.zone AS day_ends,
      (date_trunc('week', moment AT TIME ZONE zones.zone) + interval '1 week') AT TIME ZONE zones.zone AS week_ends,
      (date_trunc('month', moment AT TIME ZONE zones.zone) + interval '1 month') AT TIME ZONE zones.zone AS month_ends
    FROM (SELECT DISTINCT zone FROM safeguards.guard WHERE customer = ANY (_customers)) zones CROSS JOIN clock_timestamp() moment
  )
  SELECT g.customer, p.kind, p.until, l.stake_option, l.stake_day, l.loss_day, l.loss_week, l.loss_month, l.time_day,
    coalesce(u.staked, 0), coalesce(u.largest, 0), coalesce(u.lost_day, 0), coalesce(u.lost_week, 0), coalesce(u.lost_month, 0),
    coalesce(t.minutes, 0), coalesce(t.last_minute >= safeguards.ms(clock_timestamp()) / 60000, false),
    period.day, period.day_ends, period.week_ends, period.month_ends, coalesce(u.open_stakes, 0), coalesce(u.open_orders, 0)
  FROM safeguards.guard g JOIN period USING (zone)
  LEFT JOIN LATERAL (SELECT q.kind, q.until FROM safeguards.pause q WHERE q.customer = g.customer AND q.until > clock_timestamp() ORDER BY q.until DESC LIMIT 1) p ON true
  CROSS JOIN LATERAL (SELECT
    max(value) FILTER (WHERE kind = 'stake_option') AS stake_option, max(value) FILTER (WHERE kind = 'stake_day') AS stake_day,
    max(value) FILTER (WHERE kind = 'loss_day') AS loss_day, max(value) FILTER (WHERE kind = 'loss_week') AS loss_week,
    max(value) FILTER (WHERE kind = 'loss_month') AS loss_month, max(value) FILTER (WHERE kind = 'time_day') AS time_day
    FROM (SELECT DISTINCT ON (c.kind) c.kind, c.value FROM safeguards.limit_change c
      WHERE c.customer = g.customer AND c.from_at <= clock_timestamp() AND c.cancelled_at IS NULL
      ORDER BY c.kind, c.from_at DESC, c.sequence DESC) newest) l
  CROSS JOIN LATERAL (SELECT
    sum(o.stake) FILTER (WHERE o.accepted_ms >= period.day)::bigint AS staked,
    max(o.stake) FILTER (WHERE o.accepted_ms >= period.day)::bigint AS largest,
    sum(o.stake - coalesce(o.credited, 0)) FILTER (WHERE o.accepted_ms >= period.day)::bigint AS lost_day,
    sum(o.stake - coalesce(o.credited, 0)) FILTER (WHERE o.accepted_ms >= period.week)::bigint AS lost_week,
    sum(o.stake - coalesce(o.credited, 0)) FILTER (WHERE o.accepted_ms >= period.month)::bigint AS lost_month,
    sum(o.stake) FILTER (WHERE o.accepted_ms >= period.day AND o.status = 'holding')::bigint AS open_stakes,
    (count(*) FILTER (WHERE o.status = 'holding'))::integer AS open_orders
    FROM options.orders o WHERE o.customer_id = g.customer AND o.accepted_ms >= least(period.day,
      CASE WHEN l.loss_week IS NOT NULL THEN period.week END, CASE WHEN l.loss_month IS NOT NULL THEN period.month END)) u
  LEFT JOIN safeguards.day_time t ON t.customer = g.customer AND t.day = period.day
  WHERE g.customer = ANY (_customers)
$$;

-- Counts a minute of use; false if this minute was counted before.
CREATE FUNCTION safeguards.count_minute(_customer bigint, _day bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = safeguards, pg_temp AS $$
BEGIN
  INSERT INTO safeguards.day_time AS t (customer, day, minutes, last_minute) VALUES (_customer, _day, 1, safeguards.ms(clock_timestamp()) / 60000)
  ON CONFLICT (customer, day) DO UPDATE SET minutes = t.minutes + 1, last_minute = EXCLUDED.last_minute WHERE t.last_minute < EXCLUDED.last_minute;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE safeguards.guard SET unseen_minutes = unseen_minutes + 1 WHERE customer = _customer;
  RETURN true;
END $$;

-- Called by every batch that accepted orders, after its rows are written. It fails if one of them is beyond a limit of
-- its customer. A stake of 0 is an order that only a pause and the time limit can stop.
CREATE FUNCTION safeguards.refuse_stopped(_customers bigint[], _stakes bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = safeguards, pg_temp AS $$
DECLARE
  s record;
BEGIN
  IF NOT EXISTS (SELECT FROM safeguards.guard WHERE customer = ANY (_customers)) THEN RETURN; END IF;
  FOR s IN SELECT stands.*, played.stake FROM safeguards.standing(_customers) stands
    JOIN unnest(_customers, _stakes) AS played(customer, stake) ON played.customer = stands.customer
  LOOP
    IF s.pause_until IS NOT NULL OR s.minutes + (NOT s.is_counted)::integer > s.time_day OR (s.stake > 0 AND (s.stake > s.stake_option
      OR s.staked > s.stake_day OR s.lost_day > s.loss_day OR s.lost_week > s.loss_week OR s.lost_month > s.loss_month)) THEN
      RAISE EXCEPTION 'an order is beyond a limit that its customer has set' USING ERRCODE = 'SG001';
    END IF;
    IF s.time_day IS NOT NULL THEN PERFORM safeguards.count_minute(s.customer, s.day); END IF;
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA safeguards FROM PUBLIC;
GRANT EXECUTE ON FUNCTION safeguards.ms, safeguards.in_force TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION safeguards.standing, safeguards.count_minute, safeguards.refuse_stopped TO sathorn_app;
