-- Corrections of customers' balances: one operator proposes, another approves, and the money moves with that vote. A debit names the
-- wrong transfer, is announced a day before, and takes at most what is available.
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES (280, 'goodwill', 'c', true);

INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (1, '{s}', '{100}', '{280}', true, 'owner', false),
  (2, '{s}', '{100}', '{280}', true, 'owner', false),
  (2, '{s}', '{280}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{280}', true, 'app', true),
  (90, '{s}', '{200,210,220}', '{1000}', false, 'app', false),
  (91, '{s}', '{280}', '{1000}', false, 'app', false),
  (92, '{s}', '{1000}', '{200,210,220,280}', false, 'app', false);

INSERT INTO ledger.demo_capital (code, asset, units) VALUES (280, 'USDT', 2000000000);

CREATE SCHEMA corrections;

CREATE TABLE corrections.correction (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  -- refund: gives back what was taken wrongly. goodwill: pays without an error. reverse: takes back what was credited wrongly.
  kind text NOT NULL CHECK (kind IN ('refund', 'goodwill', 'reverse')),
  asset text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  -- The house's account: it pays, or is paid back.
  house smallint NOT NULL CHECK (house IN (200, 210, 220, 280)),
  -- The wrong transfer. A refund may name a deposit that was never credited instead.
  transfer bigint,
  deposit uuid,
  reason text NOT NULL CHECK (reason IN ('charged_twice', 'fee_wrong', 'credited_wrongly', 'settlement_fault', 'deposit_lost', 'goodwill', 'reorg')),
  words text NOT NULL CHECK (length(words) BETWEEN 1 AND 1000),
  case_kind text NOT NULL CHECK (case_kind IN ('dispute', 'journal', 'incident')),
  case_id uuid NOT NULL,
  approval uuid NOT NULL UNIQUE,
  made_by bigint NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  step text NOT NULL DEFAULT 'proposed' CHECK (step IN ('proposed', 'announced', 'done', 'stopped', 'rejected', 'withdrawn', 'expired')),
  version integer NOT NULL DEFAULT 0,
  -- When an announced debit is taken.
  due_at timestamptz,
  -- The units moved. If the account has less, a debit takes less; if it has nothing, there is no journal.
  moved bigint NOT NULL DEFAULT 0 CHECK (moved >= 0 AND moved <= units),
  journal uuid UNIQUE,
  ended_at timestamptz,
  stopped_by bigint,
  CHECK ((house = 280) >= (kind = 'goodwill')),
  CHECK (kind <> 'goodwill' OR (asset = 'USDT' AND units <= 200000000 AND transfer IS NULL AND deposit IS NULL)),
  CHECK (kind <> 'refund' OR (house <> 280 AND (transfer IS NULL) <> (deposit IS NULL))),
  CHECK (kind <> 'reverse' OR (transfer IS NOT NULL AND deposit IS NULL)),
  CHECK ((due_at IS NOT NULL) >= (step IN ('announced', 'stopped')) AND (kind = 'reverse' OR due_at IS NULL)),
  CHECK ((journal IS NOT NULL) = (moved > 0) AND (moved = 0 OR step = 'done')),
  CHECK (step <> 'done' OR kind = 'reverse' OR moved = units),
  CHECK ((step IN ('proposed', 'announced')) = (ended_at IS NULL)),
  CHECK ((step = 'stopped') = (stopped_by IS NOT NULL))
);
CREATE INDEX correction_open ON corrections.correction (made_at, id) WHERE step IN ('proposed', 'announced');
CREATE INDEX correction_of_customer ON corrections.correction (customer_id, number DESC);
CREATE INDEX correction_of_transfer ON corrections.correction (transfer) WHERE transfer IS NOT NULL;
CREATE INDEX correction_of_deposit ON corrections.correction (deposit) WHERE deposit IS NOT NULL;
CREATE INDEX correction_of_case ON corrections.correction (case_kind, case_id);

CREATE FUNCTION corrections.is_same(_c corrections.correction, _content jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = corrections, pg_temp AS $$
  SELECT (_content ->> 'customer' = _c.customer_id::text AND _content ->> 'kind' = _c.kind AND _content ->> 'asset' = _c.asset
    AND _content ->> 'units' = _c.units::text AND _content ->> 'house' = _c.house::text AND _content ->> 'transfer' IS NOT DISTINCT FROM _c.transfer::text
    AND _content ->> 'deposit' IS NOT DISTINCT FROM _c.deposit::text AND _content ->> 'reason' = _c.reason AND _content ->> 'words' = _c.words
    AND _content ->> 'case_kind' = _c.case_kind AND _content ->> 'case_id' = _c.case_id::text) IS TRUE
$$;
-- Two different people decided exactly what the row says.
CREATE FUNCTION corrections.is_agreed(_c corrections.correction) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a WHERE a.id = _c.approval AND a.kind = 'correction' AND a.subject = _c.id::text
    AND a.status = 'approved' AND a.made_by = _c.made_by AND corrections.is_same(_c, a.content::jsonb)
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))
$$;

-- The units of a transfer or lost deposit that corrections have used or wait to use. Refused and stopped ones don't count.
CREATE FUNCTION corrections.taken_of(_transfer bigint, _deposit uuid) RETURNS numeric
LANGUAGE sql STABLE SET search_path = corrections, pg_temp AS $$
  SELECT coalesce(sum(CASE WHEN step = 'done' THEN moved ELSE units END), 0) FROM corrections.correction
  WHERE (transfer = _transfer OR deposit = _deposit) AND step IN ('proposed', 'announced', 'done')
$$;

CREATE FUNCTION corrections.check_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
DECLARE
  a operators.approval;
  limit_of numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || coalesce(NEW.transfer::text, NEW.deposit::text, NEW.id::text), 0));
  SELECT * INTO a FROM operators.approval WHERE id = NEW.approval;
  IF (NEW.step = 'proposed' AND a.kind = 'correction' AND a.subject = NEW.id::text AND a.status = 'waiting' AND a.made_by = NEW.made_by
    AND NEW.customer_id = ANY (a.about) AND corrections.is_same(NEW, a.content::jsonb)) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: no such proposal', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.made_by AND o.customer = ANY (a.about)) THEN
    RAISE EXCEPTION 'correction %: by somebody whom it concerns', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF NEW.transfer IS NOT NULL THEN
    SELECT t.units INTO limit_of FROM ledger.transfer t
    JOIN ledger.account mine ON mine.id = CASE NEW.kind WHEN 'refund' THEN t.debit ELSE t.credit END
    WHERE t.sequence = NEW.transfer AND t.kind IN ('s', 'p') AND t.asset = NEW.asset AND mine.owner = NEW.customer_id AND mine.code = 1000;
  ELSIF NEW.deposit IS NOT NULL THEN
    SELECT d.amount INTO limit_of FROM deposits.deposit d
    WHERE d.id = NEW.deposit AND d.customer_id = NEW.customer_id AND NEW.asset = 'USDT' AND d.step IN ('returned', 'failed', 'reversed');
  ELSE
    limit_of := NEW.units;
  END IF;
  IF (corrections.taken_of(NEW.transfer, NEW.deposit) + NEW.units <= limit_of) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_made BEFORE INSERT ON corrections.correction FOR EACH ROW EXECUTE FUNCTION corrections.check_made();

CREATE FUNCTION corrections.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR to_jsonb(OLD) - '{step,version,due_at,moved,journal,ended_at,stopped_by}'::text[]
      <> to_jsonb(NEW) - '{step,version,due_at,moved,journal,ended_at,stopped_by}'::text[] OR NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'append-only: % on corrections.correction', TG_OP USING ERRCODE = 'CR003';
  END IF;
  IF NOT (OLD.step = 'proposed' AND NEW.step IN (CASE OLD.kind WHEN 'reverse' THEN 'announced' ELSE 'done' END, 'rejected', 'withdrawn', 'expired')
    OR OLD.step = 'announced' AND NEW.step IN ('done', 'stopped')) THEN
    RAISE EXCEPTION 'a correction can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'CR003';
  END IF;
  IF NEW.step IN ('announced', 'done') AND NOT corrections.is_agreed(NEW) THEN
    RAISE EXCEPTION 'nobody agreed to correction %', NEW.id USING ERRCODE = 'CR001';
  END IF;
  -- The customer can object for a day before money is taken.
  IF NEW.step = 'announced' AND NEW.due_at < clock_timestamp() + interval '23 hours 59 minutes'
    OR OLD.step = 'announced' AND NEW.due_at <> OLD.due_at OR OLD.step = 'announced' AND NEW.step = 'done' AND clock_timestamp() < OLD.due_at THEN
    RAISE EXCEPTION 'correction % is announced a day before', NEW.id USING ERRCODE = 'CR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE OR DELETE ON corrections.correction FOR EACH ROW EXECUTE FUNCTION corrections.check_move();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON corrections.correction FOR EACH STATEMENT EXECUTE FUNCTION corrections.check_move();

-- Follows the approvals that ended without effect; returns how many.
CREATE FUNCTION corrections.close_ended() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  WITH ended AS (
    UPDATE corrections.correction c SET version = c.version + 1, ended_at = coalesce(a.decided_at, clock_timestamp()),
      step = CASE a.status WHEN 'rejected' THEN 'rejected' WHEN 'withdrawn' THEN 'withdrawn' ELSE 'expired' END
    FROM operators.approval a WHERE c.step = 'proposed' AND a.id = c.approval AND a.status IN ('rejected', 'withdrawn', 'expired', 'stale') RETURNING 1)
  SELECT count(*) FROM ended
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA corrections FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.close_ended, corrections.taken_of TO sathorn_app;
GRANT EXECUTE ON FUNCTION corrections.is_agreed, corrections.is_same TO sathorn_app, sathorn_checker;
GRANT USAGE ON SCHEMA corrections TO sathorn_app, sathorn_checker;
GRANT SELECT ON corrections.correction TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, kind, asset, units, house, transfer, deposit, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at)
  ON corrections.correction TO sathorn_app;
GRANT UPDATE (step, version, due_at, moved, journal, ended_at, stopped_by) ON corrections.correction TO sathorn_app;
