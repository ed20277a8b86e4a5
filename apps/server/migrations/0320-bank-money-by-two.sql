-- Until now one finance operator could import a line that no bank had and match it himself. A line is part of a statement whose sums add up and that
-- follows the statement before; whoever imported it matches none of its lines; small sums count together.

-- The published limits, in units of 10^-2 THB. The newest row is in force.
CREATE TABLE deposits.match_limit (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What one person alone may match within 24 hours is below this: each matcher, each customer, and everybody together.
  two_people_from bigint NOT NULL CHECK (two_people_from > 0),
  -- What may be matched of a statement whose closing balance nobody has attested.
  unattested_max bigint NOT NULL CHECK (unattested_max >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO deposits.match_limit (two_people_from, unattested_max) VALUES (10000000, 1000000);

CREATE TABLE deposits.bank_statement (
  id uuid PRIMARY KEY,
  account text NOT NULL CHECK (account ~ '^[0-9-]{8,20}$'),
  -- upload: by a person. feed: a file that the bank signed. demo: the demonstration's bank, which exists nowhere.
  source text NOT NULL CHECK (source IN ('upload', 'feed', 'demo')),
  previous uuid REFERENCES deposits.bank_statement,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL CHECK (to_at > from_at),
  opening bigint NOT NULL,
  closing bigint NOT NULL,
  lines integer NOT NULL CHECK (lines >= 0),
  received bigint NOT NULL CHECK (received >= 0),
  paid_out bigint NOT NULL CHECK (paid_out >= 0),
  imported_by bigint,
  -- As the bank signed it, so that anybody with its public key can check it again.
  file bytea,
  signature bytea CHECK (length(signature) = 64),
  imported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT adds_up CHECK (opening + received - paid_out = closing),
  CONSTRAINT by_somebody CHECK ((source = 'upload') = (imported_by IS NOT NULL)),
  CONSTRAINT signed CHECK ((source = 'feed') = (signature IS NOT NULL) AND (source = 'feed') = (file IS NOT NULL))
);
-- One statement follows another: two people who import at once can't both be next.
CREATE UNIQUE INDEX bank_statement_next ON deposits.bank_statement (account, previous) NULLS NOT DISTINCT WHERE source <> 'demo';
CREATE INDEX bank_statement_newest ON deposits.bank_statement (account, to_at DESC);

CREATE FUNCTION deposits.check_statement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  before deposits.bank_statement;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('bank-statement:' || NEW.account, 0));
  NEW.imported_at := clock_timestamp();
  IF NEW.source = 'demo' THEN
    IF (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'demo' OR NEW.previous IS NOT NULL THEN
      RAISE EXCEPTION 'only a demonstration has a bank of its own' USING ERRCODE = 'DP007';
    END IF;
    RETURN NEW;
  END IF;
  SELECT * INTO before FROM deposits.bank_statement WHERE account = NEW.account AND source <> 'demo' ORDER BY to_at DESC LIMIT 1;
  IF NEW.previous IS DISTINCT FROM before.id OR (before.id IS NOT NULL AND (NEW.opening, NEW.from_at) IS DISTINCT FROM (before.closing, before.to_at)) THEN
    RAISE EXCEPTION 'statement %: it does not follow the one before', NEW.id USING ERRCODE = 'DP007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_statement BEFORE INSERT ON deposits.bank_statement FOR EACH ROW EXECUTE FUNCTION deposits.check_statement();

ALTER TABLE deposits.bank_line ADD COLUMN statement uuid REFERENCES deposits.bank_statement;
CREATE INDEX bank_line_of_statement ON deposits.bank_line (statement);

-- A line comes with its statement, in the same transaction: the sums of a statement are checked at its commit, and nothing joins it later.
CREATE FUNCTION deposits.is_new_statement(_id uuid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT EXISTS (SELECT FROM deposits.bank_statement s WHERE s.id = _id AND s.xmin = pg_current_xact_id()::xid)
$$;
CREATE FUNCTION deposits.check_line() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM deposits.bank_statement s WHERE s.id = NEW.statement AND s.imported_by IS NOT DISTINCT FROM NEW.imported_by AND NEW.at BETWEEN s.from_at AND s.to_at)
    OR NOT deposits.is_new_statement(NEW.statement) THEN
    RAISE EXCEPTION 'line %: it is of no such statement', NEW.bank_reference USING ERRCODE = 'DP007';
  END IF;
  NEW.imported_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER check_line BEFORE INSERT ON deposits.bank_line FOR EACH ROW EXECUTE FUNCTION deposits.check_line();

CREATE FUNCTION deposits.check_sum() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF (SELECT (count(*), coalesce(sum(amount), 0)) IS DISTINCT FROM (NEW.lines::bigint, NEW.received::numeric) FROM deposits.bank_line WHERE statement = NEW.id) THEN
    RAISE EXCEPTION 'statement %: its lines do not add up', NEW.id USING ERRCODE = 'DP007';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_sum AFTER INSERT ON deposits.bank_statement DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deposits.check_sum();

-- A line that was imported before there were statements joins the one in which it comes again. Its importer stays.
CREATE FUNCTION deposits.keep_line() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF OLD.statement IS NULL AND to_jsonb(OLD) - 'statement' = to_jsonb(NEW) - 'statement' AND deposits.is_new_statement(NEW.statement) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'kept for ever: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'DP003';
END $$;
DROP TRIGGER append_only ON deposits.bank_line;
CREATE TRIGGER append_only BEFORE DELETE ON deposits.bank_line FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER keep_line BEFORE UPDATE ON deposits.bank_line FOR EACH ROW EXECUTE FUNCTION deposits.keep_line();

-- A second person has seen the closing balance at the bank.
CREATE TABLE deposits.statement_attestation (
  statement uuid PRIMARY KEY REFERENCES deposits.bank_statement,
  attestation uuid NOT NULL UNIQUE,
  attested_by bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION deposits.check_attestation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  s deposits.bank_statement;
BEGIN
  SELECT * INTO s FROM deposits.bank_statement WHERE id = NEW.statement;
  NEW.at := clock_timestamp();
  IF (NEW.attested_by <> s.imported_by) IS NOT TRUE OR EXISTS (SELECT FROM deposits.bank_line l WHERE l.statement = s.id AND l.imported_by = NEW.attested_by)
    OR NOT EXISTS (SELECT FROM books.attestation a WHERE a.id = NEW.attestation AND a.operator = NEW.attested_by AND a.asset = 'THB'
      AND a.counted = s.closing AND a.as_of = s.to_at) THEN
    RAISE EXCEPTION 'statement %: another person attests exactly its closing balance', NEW.statement USING ERRCODE = 'DP007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_attestation BEFORE INSERT ON deposits.statement_attestation FOR EACH ROW EXECUTE FUNCTION deposits.check_attestation();

-- Who matched which line with which deposit. Without a row here no bank money is credited.
CREATE TABLE deposits.bank_match (
  deposit uuid PRIMARY KEY REFERENCES deposits.deposit,
  line uuid NOT NULL UNIQUE REFERENCES deposits.bank_line,
  customer bigint NOT NULL,
  baht bigint NOT NULL CHECK (baht > 0),
  matched_by bigint NOT NULL,
  approval uuid UNIQUE,
  approved_by bigint,
  journal uuid NOT NULL UNIQUE,
  had_slip boolean NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT by_two CHECK ((approval IS NULL) = (approved_by IS NULL) AND approved_by <> matched_by)
);
CREATE INDEX bank_match_newest ON deposits.bank_match (at DESC);
CREATE INDEX bank_match_of_customer ON deposits.bank_match (customer, at DESC);

-- What was matched before is known from the log.
INSERT INTO deposits.bank_match (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip, at)
SELECT d.id, d.bank_line, d.customer_id, d.baht, CASE WHEN a.made_by IS NULL THEN e.operator ELSE a.made_by END,
  CASE WHEN a.made_by IS NULL THEN NULL ELSE a.id END, CASE WHEN a.made_by IS NULL THEN NULL ELSE e.operator END, d.journal, d.slip IS NOT NULL, coalesce(d.finished_at, d.created_at)
FROM deposits.deposit d
JOIN LATERAL (SELECT x.operator FROM operators.entry x WHERE x.kind = 'deposit' AND x.subject = d.id::text AND x.what = 'deposit.matched' ORDER BY x.n LIMIT 1) e ON e.operator IS NOT NULL
LEFT JOIN LATERAL (SELECT y.id, y.made_by FROM operators.approval y WHERE y.kind = 'deposit_match' AND y.subject = d.id::text AND y.status = 'approved' AND y.made_by <> e.operator LIMIT 1) a ON true
WHERE d.kind <> 'crypto' AND d.step = 'credited' AND d.bank_line IS NOT NULL;

-- What one person alone matched within 24 hours, in units of 10^-2 THB.
CREATE FUNCTION deposits.matched_alone(_matcher bigint, _customer bigint) RETURNS TABLE (by_matcher bigint, by_customer bigint, by_day bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT coalesce(sum(baht) FILTER (WHERE matched_by = _matcher), 0)::bigint, coalesce(sum(baht) FILTER (WHERE customer = _customer), 0)::bigint, coalesce(sum(baht), 0)::bigint
  FROM deposits.bank_match WHERE approval IS NULL AND at > clock_timestamp() - interval '24 hours'
$$;
-- What stands behind a line: who brought it, whether its statement is proven, and what of that statement was matched.
CREATE FUNCTION deposits.behind_line(_line uuid) RETURNS TABLE (importers bigint[], is_known boolean, is_proven boolean, matched bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT array_remove(ARRAY[l.imported_by, s.imported_by], NULL), s.id IS NOT NULL OR (l.imported_by IS NULL AND (SELECT mode FROM ledger.deployment) = 'demo'),
    coalesce(s.source <> 'upload', l.imported_by IS NULL AND (SELECT mode FROM ledger.deployment) = 'demo')
      OR EXISTS (SELECT FROM deposits.statement_attestation t WHERE t.statement = s.id),
    coalesce((SELECT sum(m.baht) FROM deposits.bank_match m JOIN deposits.bank_line o ON o.id = m.line WHERE o.statement = s.id), 0)::bigint
  FROM deposits.bank_line l LEFT JOIN deposits.bank_statement s ON s.id = l.statement WHERE l.id = _line
$$;
-- The operator is this customer, or the one who invited them.
CREATE FUNCTION deposits.is_concerned(_operator bigint, _customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.operator o JOIN customers.customer c ON c.id = _customer WHERE o.id = _operator AND o.customer IN (c.id, c.invited_by))
$$;

CREATE FUNCTION deposits.check_match() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  d deposits.deposit;
  b record;
  alone record;
  in_force deposits.match_limit;
BEGIN
  -- Held until the commit, so that two at once count each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('deposits.match', 0));
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit;
  SELECT * INTO b FROM deposits.behind_line(NEW.line);
  SELECT * INTO in_force FROM deposits.match_limit ORDER BY n DESC LIMIT 1;
  IF (d.kind <> 'crypto' AND d.step IN ('awaiting_slip', 'in_review') AND EXISTS (SELECT FROM deposits.bank_line l WHERE l.id = NEW.line AND l.amount = d.baht)) IS NOT TRUE THEN
    RAISE EXCEPTION 'deposit % is not what was to be matched', NEW.deposit USING ERRCODE = 'DP002';
  END IF;
  NEW.customer := d.customer_id;
  NEW.baht := d.baht;
  NEW.had_slip := d.slip IS NOT NULL;
  NEW.at := clock_timestamp();
  IF NEW.matched_by = ANY (b.importers) OR NEW.approved_by = ANY (b.importers) THEN
    RAISE EXCEPTION 'deposit %: matched by whoever imported the line', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF deposits.is_concerned(NEW.matched_by, d.customer_id) OR deposits.is_concerned(NEW.approved_by, d.customer_id) THEN
    RAISE EXCEPTION 'deposit %: matched by somebody whom it concerns', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF b.is_known AND NOT b.is_proven AND b.matched + d.baht > in_force.unattested_max THEN
    RAISE EXCEPTION 'deposit %: nobody has attested the statement', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  IF NEW.approval IS NULL THEN
    SELECT * INTO alone FROM deposits.matched_alone(NEW.matched_by, d.customer_id);
    IF NOT b.is_known OR greatest(alone.by_matcher, alone.by_customer, alone.by_day) + d.baht >= in_force.two_people_from THEN
      RAISE EXCEPTION 'deposit %: a second person must approve it', NEW.deposit USING ERRCODE = 'DP008';
    END IF;
    IF NOT EXISTS (SELECT FROM operators.challenge c WHERE c.operator = NEW.matched_by AND c.act = 'deposit.match' AND c.subject = d.id::text
      AND c.confirmed_at IS NOT NULL AND c.used_at > clock_timestamp() - interval '1 minute') THEN
      RAISE EXCEPTION 'deposit %: nobody confirmed it', NEW.deposit USING ERRCODE = 'DP008';
    END IF;
  ELSIF NOT EXISTS (SELECT FROM operators.approval a JOIN operators.vote v ON v.approval = a.id AND v.decision = 'approve' AND v.operator = NEW.approved_by
      WHERE a.id = NEW.approval AND a.kind = 'deposit_match' AND a.subject = d.id::text AND a.status = 'approved' AND a.made_by = NEW.matched_by
        AND a.content::jsonb ->> 'line' = NEW.line::text AND a.content::jsonb ->> 'baht' = d.baht::text) THEN
    RAISE EXCEPTION 'deposit %: no second person approved exactly this', NEW.deposit USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_match BEFORE INSERT ON deposits.bank_match FOR EACH ROW EXECUTE FUNCTION deposits.check_match();

CREATE FUNCTION deposits.check_bank_credit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM deposits.bank_match m WHERE m.deposit = NEW.id AND m.line = NEW.bank_line AND m.journal = NEW.journal AND m.baht = NEW.baht) THEN
    RAISE EXCEPTION 'deposit %: nobody matched it', NEW.id USING ERRCODE = 'DP008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_credit BEFORE UPDATE ON deposits.deposit FOR EACH ROW
  WHEN (NEW.kind <> 'crypto' AND NEW.step = 'credited' AND OLD.step <> 'credited') EXECUTE FUNCTION deposits.check_bank_credit();

DROP FUNCTION deposits.match(uuid, integer, uuid, bigint, bigint, uuid, timestamptz);
CREATE FUNCTION deposits.match(_id uuid, _version integer, _line uuid, _amount bigint, _rate bigint, _journal uuid, _at timestamptz, _by bigint, _approval uuid, _approved_by bigint)
RETURNS void LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  INSERT INTO deposits.bank_match (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip)
  SELECT d.id, _line, d.customer_id, d.baht, _by, _approval, _approved_by, _journal, d.slip IS NOT NULL FROM deposits.deposit d WHERE d.id = _id;
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, amount = _amount, rate = _rate, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND version = _version AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review')
    AND EXISTS (SELECT FROM deposits.bank_line l WHERE l.id = _line AND l.amount = deposit.baht) AND NOT deposits.is_line_of_another(_line, _id);
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be matched', _id USING ERRCODE = 'DP002'; END IF;
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['match_limit', 'bank_statement', 'statement_attestation', 'bank_match'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON deposits.%s FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.%s FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION deposits.check_statement, deposits.check_line, deposits.check_sum, deposits.keep_line, deposits.is_new_statement, deposits.check_attestation, deposits.matched_alone,
  deposits.behind_line, deposits.is_concerned, deposits.check_match, deposits.check_bank_credit, deposits.match FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.matched_alone, deposits.behind_line, deposits.is_concerned TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION deposits.match TO sathorn_app;
GRANT SELECT ON deposits.match_limit, deposits.bank_statement, deposits.statement_attestation, deposits.bank_match TO sathorn_app, sathorn_checker;
GRANT INSERT (id, account, source, previous, from_at, to_at, opening, closing, lines, received, paid_out, imported_by, file, signature) ON deposits.bank_statement TO sathorn_app;
GRANT INSERT (statement, attestation, attested_by) ON deposits.statement_attestation TO sathorn_app;
GRANT INSERT (deposit, line, customer, baht, matched_by, approval, approved_by, journal, had_slip) ON deposits.bank_match TO sathorn_app;
GRANT UPDATE (statement) ON deposits.bank_line TO sathorn_app;
