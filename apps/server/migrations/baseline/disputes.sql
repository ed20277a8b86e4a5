-- Disputes about settled options, and what two people do about each. The finding is computed from the stored ticks and
-- never chosen.
CREATE SCHEMA disputes;
GRANT USAGE ON SCHEMA disputes TO sathorn_app, sathorn_checker;

-- One dispute about one order.
CREATE TABLE disputes.dispute (
  -- The id of the dispute in the module `options`.
  id uuid PRIMARY KEY,
  customer bigint NOT NULL CHECK (customer > 0),
  order_id uuid NOT NULL,
  statement text NOT NULL CHECK (statement <> ''),
  -- The language of the answer.
  language text NOT NULL CHECK (language IN ('en', 'zh', 'th', 'jp', 'ar', 'hi')),
  opened_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL CHECK (deadline > opened_at),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'second_look', 'closed')),
  version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
  finding text CHECK (finding IN ('recomputed_same', 'void_by_rule', 'fault_confirmed')),
  answer text CHECK (length(answer) BETWEEN 1 AND 1000),
  -- The approval of the proposal that waits, or was agreed to.
  approval uuid,
  first_by bigint,
  first_at timestamptz,
  second_by bigint,
  second_at timestamptz,
  -- The operator of compliance who stopped the product because of this case.
  fault_by bigint,
  fault_at timestamptz,
  CHECK ((state = 'open') = (first_by IS NULL)),
  CHECK ((first_by IS NULL) = (finding IS NULL) AND (first_by IS NULL) = (answer IS NULL)
    AND (first_by IS NULL) = (approval IS NULL) AND (first_by IS NULL) = (first_at IS NULL)),
  CHECK ((state = 'closed') = (second_by IS NOT NULL) AND (second_by IS NULL) = (second_at IS NULL)),
  CHECK (second_by <> first_by),
  CHECK ((fault_by IS NULL) = (fault_at IS NULL))
);
CREATE UNIQUE INDEX dispute_one_open ON disputes.dispute (order_id) WHERE state <> 'closed';
CREATE INDEX dispute_waiting ON disputes.dispute (opened_at, id) WHERE state <> 'closed';
CREATE INDEX dispute_of_customer ON disputes.dispute (customer, opened_at DESC);
CREATE INDEX dispute_closed ON disputes.dispute (second_at DESC, id) WHERE state = 'closed';
GRANT SELECT ON disputes.dispute TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, order_id, statement, language, opened_at, deadline),
  UPDATE (state, version, finding, answer, approval, first_by, first_at, second_by, second_at, fault_by, fault_at)
  ON disputes.dispute TO sathorn_app;

-- Keeps a customer's statement and a given answer from changing.
CREATE FUNCTION disputes.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.state <> 'closed' AND NEW.version = OLD.version + 1
    AND (NEW.id, NEW.customer, NEW.order_id, NEW.statement, NEW.opened_at, NEW.deadline)
      = (OLD.id, OLD.customer, OLD.order_id, OLD.statement, OLD.opened_at, OLD.deadline) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'kept for ever: % on disputes.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'DI001';
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON disputes.dispute FOR EACH ROW
  EXECUTE FUNCTION disputes.refuse_change();

-- Disputes about money: a deposit, a withdrawal or a correction. One person answers and another agrees. A correction
-- that two people agreed to is what states an error.
CREATE TABLE disputes.money_dispute (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL CHECK (customer > 0),
  subject_kind text NOT NULL CHECK (subject_kind IN ('deposit', 'withdrawal', 'correction')),
  subject uuid NOT NULL,
  statement text NOT NULL CHECK (statement <> ''),
  -- The language of the answer.
  language text NOT NULL CHECK (language IN ('en', 'zh', 'th', 'jp', 'ar', 'hi')),
  opened_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL CHECK (deadline > opened_at),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'second_look', 'closed')),
  version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
  finding text CHECK (finding IN ('as_recorded', 'corrected')),
  answer text CHECK (length(answer) BETWEEN 1 AND 1000),
  correction uuid,
  approval uuid,
  first_by bigint,
  first_at timestamptz,
  second_by bigint,
  second_at timestamptz,
  CHECK ((state = 'open') = (first_by IS NULL)),
  CHECK ((first_by IS NULL) = (finding IS NULL) AND (first_by IS NULL) = (answer IS NULL)
    AND (first_by IS NULL) = (approval IS NULL) AND (first_by IS NULL) = (first_at IS NULL)),
  CHECK ((finding = 'corrected') IS TRUE = (correction IS NOT NULL)),
  CHECK ((state = 'closed') = (second_by IS NOT NULL) AND (second_by IS NULL) = (second_at IS NULL)),
  CHECK (second_by <> first_by)
);
CREATE UNIQUE INDEX money_dispute_one_open ON disputes.money_dispute (subject_kind, subject) WHERE state <> 'closed';
CREATE INDEX money_dispute_waiting ON disputes.money_dispute (opened_at, id) WHERE state <> 'closed';
CREATE INDEX money_dispute_of_customer ON disputes.money_dispute (customer, opened_at DESC, id);
CREATE INDEX money_dispute_closed ON disputes.money_dispute (second_at DESC, id) WHERE state = 'closed';
GRANT SELECT ON disputes.money_dispute TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, subject_kind, subject, statement, language, opened_at, deadline),
  UPDATE (state, version, finding, answer, correction, approval, first_by, first_at, second_by, second_at)
  ON disputes.money_dispute TO sathorn_app;

-- Keeps the customer's words and a given answer from changing, and requires that two people agreed to exactly that
-- answer.
CREATE FUNCTION disputes.check_money() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = disputes,
  pg_temp AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.state = 'closed' OR NEW.version <> OLD.version + 1
    OR (NEW.id, NEW.customer, NEW.subject_kind, NEW.subject, NEW.statement, NEW.language, NEW.opened_at, NEW.deadline)
      <> (OLD.id, OLD.customer, OLD.subject_kind, OLD.subject, OLD.statement, OLD.language, OLD.opened_at, OLD.deadline) THEN
    RAISE EXCEPTION 'kept for ever: % on disputes.money_dispute', TG_OP USING ERRCODE = 'DI001';
  END IF;
  IF NEW.state = 'closed' AND NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve'
      WHERE a.id = NEW.approval AND a.kind = 'money_dispute_answer' AND a.subject = NEW.id::text AND a.status = 'approved'
        AND a.made_by = NEW.first_by AND v.operator = NEW.second_by AND v.operator <> a.made_by
        AND a.content::jsonb ->> 'answer' = NEW.answer AND a.content::jsonb ->> 'finding' = NEW.finding
        AND a.content::jsonb ->> 'correction' IS NOT DISTINCT FROM NEW.correction::text) THEN
    RAISE EXCEPTION 'dispute %: nobody agreed to its answer', NEW.id USING ERRCODE = 'DI002';
  END IF;
  IF NEW.state = 'closed' AND NEW.correction IS NOT NULL AND NOT EXISTS (SELECT FROM corrections.correction c
      WHERE c.id = NEW.correction AND c.customer_id = NEW.customer AND c.case_kind = 'dispute' AND c.case_id = NEW.id AND c.step IN ('announced', 'done')) THEN
    RAISE EXCEPTION 'dispute %: its correction was not agreed to', NEW.id USING ERRCODE = 'DI002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON disputes.money_dispute FOR EACH ROW
  EXECUTE FUNCTION disputes.check_money();

-- Allows a customer at most five open disputes about money, even for simultaneous requests, because each takes two
-- people's time.
CREATE FUNCTION disputes.limit_money() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = disputes,
  pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('money-disputes:' || NEW.customer, 0));
  IF (SELECT count(*) FROM disputes.money_dispute WHERE customer = NEW.customer AND state <> 'closed') >= 5 THEN
    RAISE EXCEPTION 'customer % has five open disputes', NEW.customer USING ERRCODE = 'DI003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER limit_open BEFORE INSERT ON disputes.money_dispute FOR EACH ROW
  EXECUTE FUNCTION disputes.limit_money();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['disputes.dispute'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION disputes.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['disputes.money_dispute'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION disputes.check_money()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA disputes FROM PUBLIC;
