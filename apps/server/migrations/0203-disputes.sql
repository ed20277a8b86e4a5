-- Disputes about settled options: what two people do about each. What is found is recomputed from the kept ticks and never chosen.
CREATE SCHEMA disputes;

CREATE TABLE disputes.dispute (
  -- The id of the dispute in the room `options`.
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
  -- The proposal that waits, or was agreed to.
  approval uuid,
  first_by bigint,
  first_at timestamptz,
  second_by bigint,
  second_at timestamptz,
  -- Compliance paused the product because of this case.
  fault_by bigint,
  fault_at timestamptz,
  CHECK ((state = 'open') = (first_by IS NULL)),
  CHECK ((first_by IS NULL) = (finding IS NULL) AND (first_by IS NULL) = (answer IS NULL) AND (first_by IS NULL) = (approval IS NULL)
    AND (first_by IS NULL) = (first_at IS NULL)),
  CHECK ((state = 'closed') = (second_by IS NOT NULL) AND (second_by IS NULL) = (second_at IS NULL)),
  CHECK (second_by <> first_by),
  CHECK ((fault_by IS NULL) = (fault_at IS NULL))
);
CREATE UNIQUE INDEX dispute_one_open ON disputes.dispute (order_id) WHERE state <> 'closed';
CREATE INDEX dispute_waiting ON disputes.dispute (opened_at, id) WHERE state <> 'closed';
CREATE INDEX dispute_of_customer ON disputes.dispute (customer, opened_at DESC);
CREATE INDEX dispute_closed ON disputes.dispute (second_at DESC, id) WHERE state = 'closed';

INSERT INTO disputes.dispute (id, customer, order_id, statement, language, opened_at, deadline)
SELECT id, customer_id, order_id, reason, 'th', opened_at, deadline FROM options.dispute WHERE state = 'open';

-- What a customer said stays, and so does an answer that was given.
CREATE FUNCTION disputes.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.state <> 'closed' AND NEW.version = OLD.version + 1
    AND (NEW.id, NEW.customer, NEW.order_id, NEW.statement, NEW.opened_at, NEW.deadline)
      = (OLD.id, OLD.customer, OLD.order_id, OLD.statement, OLD.opened_at, OLD.deadline) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'kept for ever: % on disputes.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'DI001';
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON disputes.dispute FOR EACH ROW EXECUTE FUNCTION disputes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON disputes.dispute FOR EACH STATEMENT EXECUTE FUNCTION disputes.refuse_change();

-- Ends the dispute on the order, by an approval of two people about exactly this dispute.
CREATE FUNCTION options.close_dispute(_dispute uuid, _state text, _approval uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
DECLARE agreed operators.approval;
DECLARE checker bigint;
BEGIN
  SELECT * INTO agreed FROM operators.approval WHERE id = _approval;
  IF (agreed.kind = 'dispute_answer' AND agreed.subject = _dispute::text AND agreed.status = 'approved' AND agreed.made_by IS NOT NULL) IS NOT TRUE THEN
    RAISE EXCEPTION 'dispute %: nobody agreed to its answer', _dispute USING ERRCODE = 'DI002';
  END IF;
  SELECT operator INTO checker FROM operators.vote WHERE approval = _approval AND decision = 'approve';
  UPDATE options.dispute SET state = _state, reviewer = agreed.made_by::text, second_reviewer = checker::text
  WHERE id = _dispute AND state = 'open' AND _state IN ('upheld', 'rejected');
  IF NOT FOUND THEN RAISE EXCEPTION 'dispute % is not open', _dispute USING ERRCODE = 'DI002'; END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA disputes FROM PUBLIC;
REVOKE ALL ON FUNCTION options.close_dispute FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.close_dispute TO sathorn_app;
GRANT USAGE ON SCHEMA disputes TO sathorn_app, sathorn_checker;
GRANT SELECT ON disputes.dispute TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer, order_id, statement, language, opened_at, deadline) ON disputes.dispute TO sathorn_app;
GRANT UPDATE (state, version, finding, answer, approval, first_by, first_at, second_by, second_at, fault_by, fault_at)
  ON disputes.dispute TO sathorn_app;
