-- Versions of every rate, fee, limit and duration that customers are subject to. One person proposes a change, another
-- approves it, customers are notified, and it takes effect at its time. Earlier versions stay.
CREATE SCHEMA offer;
GRANT USAGE ON SCHEMA offer TO sathorn_app, sathorn_checker;

-- The kinds of terms that have versions, with the notice period before a change.
CREATE TABLE offer.kind (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z_]{1,20}$'),
  -- Time between the approval, which is announced, and the effect. A week if open positions change too.
  notice interval NOT NULL
);
INSERT INTO offer.kind (name, notice) VALUES
  ('lockup', '24 hours'), ('liquidity', '7 days'), ('option', '24 hours'), ('coin', '24 hours'), ('fee', '7 days'),
  ('withdrawal', '7 days'), ('level', '7 days'), ('switch', '24 hours'), ('threshold', '24 hours'), ('box', '0'),
  ('ladder', '24 hours');
GRANT SELECT ON offer.kind TO sathorn_app, sathorn_checker;

-- One version of the terms of one subject.
CREATE TABLE offer.version (
  kind text NOT NULL REFERENCES offer.kind,
  subject text NOT NULL CHECK (subject ~ '^[A-Za-z0-9_-]{1,32}$'),
  version integer NOT NULL CHECK (version > 0),
  effective_from timestamptz NOT NULL,
  -- Canonical JSON: amounts and rates are decimal texts.
  fields text NOT NULL,
  -- The approval that created it; null for the first version.
  approval uuid UNIQUE,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the customers concerned were notified, and when it took effect.
  announced_at timestamptz,
  applied_at timestamptz,
  -- When one person stopped it, which is possible until it takes effect.
  stopped_at timestamptz,
  stopped_by bigint REFERENCES operators.operator,
  stop_reason text,
  PRIMARY KEY (kind, subject, version),
  CHECK (stopped_at IS NULL OR applied_at IS NULL),
  CHECK ((stopped_at IS NULL) = (stopped_by IS NULL) AND (stopped_at IS NULL) = (stop_reason IS NULL))
);
-- At most one change of a product may wait, because a second one would be compared with terms that are not in force
-- yet.
CREATE UNIQUE INDEX version_scheduled ON offer.version (kind, subject) WHERE applied_at IS NULL
  AND stopped_at IS NULL;
CREATE INDEX version_unannounced ON offer.version (at) WHERE announced_at IS NULL;
-- The terms with which a new platform begins.
INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
SELECT kind, subject, 1, 'epoch', fields, 'epoch', 'epoch' FROM (VALUES
  ('level', 'vip',
    '{"levels":[{"daily_max":"50000.000000","from":"20.000000"},{"daily_max":"75000.000000","from":"1000.000000"},'
    '{"daily_max":"100000.000000","from":"5000.000000"},{"daily_max":"150000.000000","from":"20000.000000"},'
    '{"daily_max":"250000.000000","from":"60000.000000"},{"daily_max":"500000.000000","from":"200000.000000"}]}'),
  ('fee', 'contracts',
    '{"levels":[{"maker":"0.001","taker":"0.0015"},{"maker":"0.0009","taker":"0.0014"},{"maker":"0.0008",'
    '"taker":"0.0012"},{"maker":"0.0006","taker":"0.001"},{"maker":"0.0004","taker":"0.0008"},{"maker":"0.0002",'
    '"taker":"0.0006"},{"maker":"0.0001","taker":"0.0005"}]}'),
  ('withdrawal', 'all',
    '{"bank_fixed":"0.000000","bank_rate":"0.002","chain_fixed":"1.000000","chain_rate":"0.001",'
    '"daily_advanced":"50000.000000","daily_none":"1000.000000","daily_primary":"10000.000000",'
    '"max":"50000.000000","min":"10.000000","spread":"0.005"}'),
  ('threshold', 'withdrawals', '{"one_person_from":"1000.000000","two_people_from":"10000.000000"}'),
  ('switch', 'options', '{"jurisdiction":"","licence":"","on_offer":true}'),
  ('switch', 'contracts', '{"jurisdiction":"","licence":"","on_offer":true}'),
  ('switch', 'earning', '{"jurisdiction":"","licence":"","on_offer":true}'),
  ('switch', 'reward_lock', '{"jurisdiction":"","licence":"","on_offer":false}')
) AS t(kind, subject, fields);
INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
SELECT kind, subject, 1, 'epoch', fields, 'epoch', 'epoch'
FROM unnest(ARRAY['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX']) AS subject, (VALUES
  ('coin', '{"amount_max":"1000000.000000","amount_min":"1.000000","contracts":true}'),
  ('option',
    '{"coin_exposure_max":"1000000.000000","durations":[{"fee":"0.02","offered":true,"payout":"0.75",'
    '"seconds":"30"},{"fee":"0.02","offered":true,"payout":"0.78","seconds":"60"},{"fee":"0.02","offered":true,'
    '"payout":"0.8","seconds":"120"},{"fee":"0.02","offered":true,"payout":"0.82","seconds":"180"},{"fee":"0.02",'
    '"offered":true,"payout":"0.85","seconds":"300"}],"stake_max":"10000.000000","stake_min":"1.000000",'
    '"window_exposure_max":"250000.000000"}')
) AS t(kind, fields);
GRANT SELECT ON offer.version TO sathorn_app, sathorn_checker;
GRANT INSERT (kind, subject, version, effective_from, fields, approval, announced_at, applied_at),
  UPDATE (announced_at, applied_at, stopped_at, stopped_by, stop_reason) ON offer.version TO sathorn_app;

-- Accepts only rows that two people approved literally, with the promised notice. The owner may insert others, for
-- migrations.
CREATE FUNCTION offer.check_version() RETURNS trigger LANGUAGE plpgsql SET search_path = offer, pg_temp AS $$
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
  IF a.kind IS DISTINCT FROM 'offer' OR a.status <> 'approved' OR a.subject <> NEW.kind || '/' || NEW.subject OR a.made_by IS NULL
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
CREATE TRIGGER check_version BEFORE INSERT ON offer.version FOR EACH ROW EXECUTE FUNCTION offer.check_version();

-- A version can be announced, applied or stopped, each once. Nothing else in it changes.
CREATE FUNCTION offer.keep_version() RETURNS trigger LANGUAGE plpgsql SET search_path = offer, pg_temp AS $$
BEGIN
  IF (to_jsonb(NEW) - 'announced_at' - 'applied_at' - 'stopped_at' - 'stopped_by' - 'stop_reason')
      IS DISTINCT FROM (to_jsonb(OLD) - 'announced_at' - 'applied_at' - 'stopped_at' - 'stopped_by' - 'stop_reason')
    OR (OLD.announced_at IS NOT NULL AND NEW.announced_at IS DISTINCT FROM OLD.announced_at)
    OR (OLD.applied_at IS NOT NULL AND NEW.applied_at IS DISTINCT FROM OLD.applied_at)
    OR (OLD.stopped_at IS NOT NULL AND (NEW.stopped_at, NEW.stopped_by, NEW.stop_reason) IS DISTINCT FROM (OLD.stopped_at, OLD.stopped_by, OLD.stop_reason)) THEN
    RAISE EXCEPTION 'terms are not changed' USING ERRCODE = 'OF004';
  END IF;
  IF OLD.applied_at IS NULL AND NEW.applied_at IS NOT NULL AND NEW.effective_from > clock_timestamp() AND NOT (SELECT virtual_clock FROM market.guard) THEN
    RAISE EXCEPTION 'version % of %/% is not due', NEW.version, NEW.kind, NEW.subject USING ERRCODE = 'OF005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_version BEFORE UPDATE ON offer.version FOR EACH ROW EXECUTE FUNCTION offer.keep_version();

CREATE FUNCTION offer.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'OF004';
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['offer.version'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION offer.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION offer.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA offer FROM PUBLIC;
