-- Whoever had the application's login could write approved terms of long ago a second time, which put them back in force,
-- or write approved terms before their day. Terms are written once, while their version is due and not applied yet.
-- At most one version of a subject is in that state, so no older one can be.
CREATE UNIQUE INDEX version_of_approval ON earning.version (approval) WHERE approval IS NOT NULL;
CREATE UNIQUE INDEX terms_of_approval ON options.terms (approval, seconds) WHERE approval IS NOT NULL;
CREATE UNIQUE INDEX threshold_of_approval ON withdrawals.threshold (approval) WHERE approval IS NOT NULL;

-- The versions that take effect now, with their first day in the brand's time zone and today's date there.
CREATE VIEW offer.due AS
  SELECT v.kind, v.subject, v.approval, v.effective_from, v.fields::jsonb AS fields,
    (v.effective_from AT TIME ZONE c.time_zone)::date - date '1970-01-01' AS first_day,
    CASE WHEN g.virtual_clock THEN 2147483647 ELSE (clock_timestamp() AT TIME ZONE c.time_zone)::date - date '1970-01-01' END AS last_day,
    CASE WHEN g.virtual_clock THEN 'infinity' ELSE clock_timestamp() + interval '10 seconds' END AS until
  FROM offer.version v, market.guard g, (SELECT time_zone FROM withdrawals.calendar ORDER BY effective_from DESC LIMIT 1) c
  WHERE v.approval IS NOT NULL AND v.applied_at IS NULL AND v.stopped_at IS NULL AND (v.effective_from <= clock_timestamp() OR g.virtual_clock);
GRANT SELECT ON offer.due TO sathorn_app, sathorn_checker;

-- Where a product keeps its terms in a table of its own, the application writes only a copy of a version that is due.
CREATE OR REPLACE FUNCTION earning.check_approved_version() RETURNS trigger LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'earning'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM offer.due v
    WHERE v.approval = NEW.approval AND (v.kind, v.subject) = (CASE WHEN NEW.product = 1 THEN 'liquidity' ELSE 'lockup' END, NEW.product::text)
      AND v.first_day = NEW.effective_day AND (fields ->> 'offered')::boolean = NEW.is_offered AND (fields ->> 'min')::numeric * 1000000 = NEW.units_min
      AND CASE WHEN NEW.product = 1
        THEN (SELECT array_agg((s ->> 'from')::numeric * 1000000 ORDER BY n) FROM jsonb_array_elements(fields -> 'stages') WITH ORDINALITY AS t(s, n)) = NEW.stage_froms::numeric[]
          AND (SELECT array_agg((s ->> 'rate')::numeric * 100000000 ORDER BY n) FROM jsonb_array_elements(fields -> 'stages') WITH ORDINALITY AS t(s, n)) = NEW.stage_rates::numeric[]
        ELSE (fields ->> 'max')::numeric * 1000000 = NEW.units_max AND (fields ->> 'quota')::numeric * 1000000 = NEW.quota
          AND (fields ->> 'daily_rate')::numeric * 100000000 = NEW.daily_rate END) THEN
    RAISE EXCEPTION 'nobody approved these terms of product %', NEW.product USING ERRCODE = 'EA006';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION options.check_approved_offer() RETURNS trigger LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'options'), 'MEMBER') THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM offer.due v, jsonb_array_elements(v.fields -> 'durations') AS d
    WHERE v.approval = NEW.approval AND v.kind = 'option' AND v.subject = NEW.coin AND NEW.effective_from BETWEEN v.effective_from AND v.until
      AND (d ->> 'seconds')::integer = NEW.seconds AND (d ->> 'offered')::boolean = NEW.offered AND (d ->> 'payout')::numeric * 10000 = NEW.payout_bps
      AND (d ->> 'fee')::numeric * 10000 = NEW.fee_bps AND (v.fields ->> 'stake_min')::numeric * 1000000 = NEW.stake_min
      AND (v.fields ->> 'stake_max')::numeric * 1000000 = NEW.stake_max
      AND (v.fields ->> 'window_exposure_max')::numeric * 1000000 = NEW.window_exposure_max
      AND (v.fields ->> 'coin_exposure_max')::numeric * 1000000 = NEW.coin_exposure_max) THEN
    RAISE EXCEPTION 'nobody approved this offer of %', NEW.coin USING ERRCODE = 'OP009';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION withdrawals.check_approved_threshold() RETURNS trigger LANGUAGE plpgsql SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'withdrawals'), 'MEMBER') THEN RETURN NEW; END IF;
  NEW.effective_from := clock_timestamp();
  IF NOT EXISTS (
    SELECT FROM offer.due v
    WHERE v.approval = NEW.approval AND v.kind = 'threshold' AND (v.fields ->> 'one_person_from')::numeric * 1000000 = NEW.one_person_from
      AND (v.fields ->> 'two_people_from')::numeric * 1000000 = NEW.two_people_from) THEN
    RAISE EXCEPTION 'nobody approved these thresholds' USING ERRCODE = 'WD009';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION rewards.check_ladder() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM offer.due v
    WHERE v.approval = NEW.approval AND v.kind = 'ladder' AND NEW.effective_day BETWEEN v.first_day AND v.last_day
      AND (SELECT array_agg((d ->> 'points')::numeric ORDER BY n) FROM jsonb_array_elements(v.fields -> 'days') WITH ORDINALITY AS t(d, n)) = NEW.points::numeric[]
      AND (SELECT array_agg((d ->> 'usdt')::numeric * 1000000 ORDER BY n) FROM jsonb_array_elements(v.fields -> 'days') WITH ORDINALITY AS t(d, n)) = NEW.usdt::numeric[]) THEN
    RAISE EXCEPTION 'nobody approved this ladder' USING ERRCODE = 'RW003';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION boxes.check_decided() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM offer.due v WHERE v.approval = NEW.approval AND v.kind = 'box' AND v.fields = NEW.fields::jsonb) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;

-- Fees, limits, levels and switches are read from the version itself. It begins unannounced and not applied, otherwise
-- it would be in force before its day.
CREATE OR REPLACE FUNCTION offer.check_version() RETURNS trigger LANGUAGE plpgsql SET search_path = offer, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  IF NEW.version IS DISTINCT FROM 1 + coalesce((SELECT max(version) FROM offer.version WHERE kind = NEW.kind AND subject = NEW.subject), 0) THEN
    RAISE EXCEPTION 'version % of %/% does not follow', NEW.version, NEW.kind, NEW.subject USING ERRCODE = 'OF001';
  END IF;
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'offer'), 'MEMBER') THEN RETURN NEW; END IF;
  NEW.at := clock_timestamp();
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) = 'demo' THEN RETURN NEW; END IF;
  SELECT * INTO a FROM operators.approval WHERE id = NEW.approval;
  IF num_nonnulls(NEW.announced_at, NEW.applied_at) > 0 OR a.kind IS DISTINCT FROM 'offer' OR a.status <> 'approved' OR a.subject <> NEW.kind || '/' || NEW.subject OR a.made_by IS NULL
    OR NOT EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by)
    OR (a.content::jsonb -> 'after') IS DISTINCT FROM NEW.fields::jsonb OR a.content::jsonb ->> 'version' <> NEW.version::text
    OR (a.content::jsonb ->> 'effective_from')::timestamptz <> NEW.effective_from THEN
    RAISE EXCEPTION 'nobody approved version % of %/% as it is', NEW.version, NEW.kind, NEW.subject USING ERRCODE = 'OF002';
  END IF;
  IF NEW.effective_from < NEW.at + (SELECT notice FROM offer.kind WHERE name = NEW.kind) AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'version % of %/% gives too little notice', NEW.version, NEW.kind, NEW.subject USING ERRCODE = 'OF003';
  END IF;
  RETURN NEW;
END $$;
