-- An offer that is worse for customers than the one it replaces could begin one second before an order, if the tables'
-- owner wrote it. Now it begins only as a version that two people published, after the notice of its kind: whoever
-- writes. A better offer, and the first one of a duration, may begin at once.
CREATE FUNCTION options.refuse_worse_at_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE
  -- Compared with the last one that was offered: a pause between the two is no notice.
  before options.terms;
BEGIN
  SELECT * INTO before FROM options.terms t WHERE t.coin = NEW.coin AND t.seconds = NEW.seconds AND t.effective_from <= NEW.effective_from AND t.offered
  ORDER BY t.effective_from DESC LIMIT 1;
  IF NOT FOUND OR (SELECT virtual_clock FROM market.guard) THEN RETURN NEW; END IF;
  IF (CASE WHEN NEW.offered
      THEN NEW.payout_bps >= before.payout_bps AND NEW.fee_bps <= before.fee_bps AND NEW.stake_min <= before.stake_min AND NEW.stake_max >= before.stake_max
        AND NEW.window_exposure_max >= before.window_exposure_max AND NEW.coin_exposure_max >= before.coin_exposure_max
      ELSE EXISTS (SELECT FROM options.terms t WHERE t.coin = NEW.coin AND t.seconds = NEW.seconds AND t.effective_from <= NEW.effective_from
        AND t.effective_from > before.effective_from) END) THEN
    RETURN NEW;
  END IF;
  IF NOT EXISTS (
    SELECT FROM offer.version v JOIN offer.kind k ON k.name = v.kind CROSS JOIN LATERAL (SELECT v.fields::jsonb AS said) fields
    CROSS JOIN LATERAL jsonb_array_elements(said -> 'durations') AS d
    WHERE v.approval = NEW.approval AND v.kind = 'option' AND v.subject = NEW.coin AND v.stopped_at IS NULL
      AND NEW.effective_from >= v.effective_from AND NEW.effective_from >= v.at + k.notice
      AND (d ->> 'seconds')::integer = NEW.seconds AND (d ->> 'offered')::boolean = NEW.offered AND (d ->> 'payout')::numeric * 10000 = NEW.payout_bps
      AND (d ->> 'fee')::numeric * 10000 = NEW.fee_bps AND (said ->> 'stake_min')::numeric * 1000000 = NEW.stake_min
      AND (said ->> 'stake_max')::numeric * 1000000 = NEW.stake_max AND (said ->> 'window_exposure_max')::numeric * 1000000 = NEW.window_exposure_max
      AND (said ->> 'coin_exposure_max')::numeric * 1000000 = NEW.coin_exposure_max) THEN
    RAISE EXCEPTION 'a worse offer of % needs its published notice', NEW.coin USING ERRCODE = 'OP010';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION options.refuse_worse_at_once FROM PUBLIC;
-- After the others, which set when the row was made.
CREATE TRIGGER refuse_worse_at_once BEFORE INSERT ON options.terms FOR EACH ROW
  EXECUTE FUNCTION options.refuse_worse_at_once();

-- As before, and nobody back-dates a version: its notice counts from when it was written.
CREATE OR REPLACE FUNCTION offer.check_version() RETURNS trigger LANGUAGE plpgsql SET search_path = offer, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  IF NEW.version IS DISTINCT FROM 1 + coalesce((SELECT max(version) FROM offer.version WHERE kind = NEW.kind AND subject = NEW.subject), 0) THEN
    RAISE EXCEPTION 'version % of %/% does not follow', NEW.version, NEW.kind, NEW.subject USING ERRCODE = 'OF001';
  END IF;
  NEW.at := clock_timestamp();
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'offer'), 'MEMBER') THEN RETURN NEW; END IF;
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
