-- What the checker found is kept, what its owner answers to it as well, and whoever opens money again leaves a trace.

ALTER TABLE ledger.halt ADD COLUMN event text NOT NULL DEFAULT 'halted' CHECK (event IN ('halted', 'resumed')),
  -- Whoever said so when money was opened again; null when it was opened by hand.
  ADD COLUMN by_name text;
INSERT INTO ledger.halt (reason, by_role, event, by_name)
SELECT 'opened again before traces were kept', session_user, 'resumed', 'migration 0073' FROM ledger.head
WHERE halted IS NULL AND EXISTS (SELECT FROM ledger.halt);

CREATE FUNCTION ledger.trace_halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  IF NEW.halted IS NOT NULL THEN
    INSERT INTO ledger.halt (reason, by_role) VALUES (NEW.halted, session_user);
  ELSE
    INSERT INTO ledger.halt (reason, by_role, event, by_name)
    VALUES (coalesce(nullif(current_setting('sathorn.resumed_because', true), ''), 'by hand, without a reason'), session_user, 'resumed',
      nullif(current_setting('sathorn.resumed_by', true), ''));
  END IF;
  RETURN NULL;
END $$;
-- Posting writes the head a thousand times a second, but never this column.
CREATE TRIGGER trace_halt AFTER UPDATE OF halted ON ledger.head FOR EACH ROW
  WHEN (OLD.halted IS DISTINCT FROM NEW.halted) EXECUTE FUNCTION ledger.trace_halt();

CREATE OR REPLACE FUNCTION ledger.halt_money(_reason text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  UPDATE ledger.head SET halted = left(_reason, 500) WHERE halted IS NULL;
$$;

-- Each thing that the checker found, once.
CREATE TABLE ledger.violation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invariant text NOT NULL,
  subject text NOT NULL,
  says text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (invariant, subject)
);
-- What the owner has to say to it: from then on it halts money no more, and is shown as acknowledged.
CREATE TABLE ledger.acknowledgement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  violation bigint NOT NULL UNIQUE REFERENCES ledger.violation,
  by_name text NOT NULL CHECK (by_name ~ '\S'),
  why text NOT NULL CHECK (why ~ '\S'),
  by_role text NOT NULL DEFAULT session_user,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['violation', 'acknowledgement'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.%I FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger.%I FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
END $$;

-- The checker's. A flood of findings says no more than its first ten thousand.
CREATE FUNCTION ledger.report_violations(_invariants text[], _subjects text[], _says text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.violation (invariant, subject, says)
  SELECT DISTINCT ON (1, 2) left(invariant, 20), subject, left(says, 500) FROM unnest(_invariants, _subjects, _says) AS t(invariant, subject, says)
  WHERE length(subject) <= 500 AND (SELECT count(*) FROM ledger.violation) < 10000
    AND NOT EXISTS (SELECT FROM ledger.violation v WHERE v.invariant = t.invariant AND v.subject = t.subject)
  ON CONFLICT DO NOTHING;
$$;

-- The owner's.
CREATE FUNCTION ledger.acknowledge(_violation bigint, _by text, _why text) RETURNS void
LANGUAGE sql SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.acknowledgement (violation, by_name, why) VALUES (_violation, _by, _why);
$$;

-- The owner's: opens money again, once each thing that was found has been acknowledged. Whether it did.
CREATE FUNCTION ledger.resume_money(_by text, _why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
DECLARE
  unanswered CONSTANT bigint := (SELECT count(*) FROM ledger.violation v WHERE NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id));
BEGIN
  IF coalesce(_by, '') !~ '\S' OR coalesce(_why, '') !~ '\S' THEN RAISE EXCEPTION 'money is opened again by somebody, with a reason' USING ERRCODE = 'LD010'; END IF;
  IF unanswered > 0 THEN RAISE EXCEPTION '% violations are not acknowledged', unanswered USING ERRCODE = 'LD010'; END IF;
  PERFORM set_config('sathorn.resumed_by', _by, true), set_config('sathorn.resumed_because', _why, true);
  UPDATE ledger.head SET halted = NULL WHERE halted IS NOT NULL;
  RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION ledger.trace_halt, ledger.report_violations, ledger.acknowledge, ledger.resume_money FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.report_violations TO sathorn_checker;
GRANT SELECT ON ledger.violation, ledger.acknowledgement TO sathorn_app, sathorn_checker;
