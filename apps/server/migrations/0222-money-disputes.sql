-- Disputes about money: a deposit, a withdrawal or a correction. One person answers, another agrees; a correction that two people
-- agreed to is what says that something was wrong.
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
  CHECK ((first_by IS NULL) = (finding IS NULL) AND (first_by IS NULL) = (answer IS NULL) AND (first_by IS NULL) = (approval IS NULL)
    AND (first_by IS NULL) = (first_at IS NULL)),
  CHECK ((finding = 'corrected') IS TRUE = (correction IS NOT NULL)),
  CHECK ((state = 'closed') = (second_by IS NOT NULL) AND (second_by IS NULL) = (second_at IS NULL)),
  CHECK (second_by <> first_by)
);
CREATE UNIQUE INDEX money_dispute_one_open ON disputes.money_dispute (subject_kind, subject) WHERE state <> 'closed';
CREATE INDEX money_dispute_waiting ON disputes.money_dispute (opened_at, id) WHERE state <> 'closed';
CREATE INDEX money_dispute_of_customer ON disputes.money_dispute (customer, opened_at DESC, id);
CREATE INDEX money_dispute_closed ON disputes.money_dispute (second_at DESC, id) WHERE state = 'closed';

-- The customer's words and a given answer can't be changed. Both people have agreed to exactly that answer.
CREATE FUNCTION disputes.check_money() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = disputes, pg_temp AS $$
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
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON disputes.money_dispute FOR EACH ROW EXECUTE FUNCTION disputes.check_money();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON disputes.money_dispute FOR EACH STATEMENT EXECUTE FUNCTION disputes.check_money();

REVOKE ALL ON FUNCTION disputes.check_money FROM PUBLIC;
GRANT SELECT ON disputes.money_dispute TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, subject_kind, subject, statement, language, opened_at, deadline) ON disputes.money_dispute TO sathorn_app;
GRANT UPDATE (state, version, finding, answer, correction, approval, first_by, first_at, second_by, second_at) ON disputes.money_dispute TO sathorn_app;
