-- The file that the bank executes was one person's to take. It is a payment run now: people see its lines, and two who
-- examined none of them sign its hash. The accounts are sealed in their withdrawals, so the database knows a file by its
-- hash only; the server and the signers' browsers write it from the lines.
CREATE TABLE withdrawals.bank_run (
  id uuid PRIMARY KEY,
  -- SHA-256 of the file.
  hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  opened_by bigint NOT NULL REFERENCES operators.operator,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lapses_at timestamptz NOT NULL,
  step text NOT NULL DEFAULT 'open' CHECK (step IN ('open', 'signed', 'withdrawn', 'lapsed')),
  ended_at timestamptz,
  CHECK (lapses_at > opened_at AND lapses_at <= opened_at + interval '72 hours'),
  CHECK ((ended_at IS NULL) = (step = 'open'))
);
-- One at a time, so that people look at one list.
CREATE UNIQUE INDEX bank_run_open ON withdrawals.bank_run ((true)) WHERE step = 'open';
CREATE INDEX bank_run_newest ON withdrawals.bank_run (opened_at DESC);
GRANT SELECT ON withdrawals.bank_run TO sathorn_app, sathorn_checker;
GRANT INSERT (id, hash, opened_by, lapses_at), UPDATE (step, ended_at) ON withdrawals.bank_run TO sathorn_app;

CREATE TABLE withdrawals.bank_line (
  run uuid NOT NULL REFERENCES withdrawals.bank_run,
  place smallint NOT NULL CHECK (place BETWEEN 0 AND 99),
  withdrawal_id uuid NOT NULL REFERENCES withdrawals.withdrawal,
  PRIMARY KEY (run, place),
  UNIQUE (run, withdrawal_id)
);
CREATE INDEX bank_line_of_withdrawal ON withdrawals.bank_line (withdrawal_id);
GRANT SELECT ON withdrawals.bank_line TO sathorn_app, sathorn_checker;
GRANT INSERT (run, place, withdrawal_id) ON withdrawals.bank_line TO sathorn_app;

-- The confirmation under which a person signed `withdrawals.bank_run_text`.
CREATE TABLE withdrawals.bank_signature (
  run uuid NOT NULL REFERENCES withdrawals.bank_run,
  operator bigint NOT NULL REFERENCES operators.operator,
  step_up uuid NOT NULL UNIQUE REFERENCES operators.challenge,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run, operator)
);
-- The checker reads the newest first.
CREATE INDEX bank_signature_newest ON withdrawals.bank_signature (at);
GRANT SELECT ON withdrawals.bank_signature TO sathorn_app, sathorn_checker;
GRANT INSERT (run, operator, step_up) ON withdrawals.bank_signature TO sathorn_app;

-- Files of before went to the bank without signatures.
CREATE TABLE withdrawals.bank_file_before (export uuid PRIMARY KEY);
INSERT INTO withdrawals.bank_file_before SELECT DISTINCT export FROM withdrawals.withdrawal WHERE export IS NOT NULL;
GRANT SELECT ON withdrawals.bank_file_before TO sathorn_checker;

-- The text that a person signs: the run, its file, and what the file pays.
CREATE FUNCTION withdrawals.bank_run_text(_of withdrawals.bank_run) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT to_json(ARRAY[_of.id::text, _of.hash] || ARRAY(SELECT concat_ws(' ', w.id, w.order_number, w.baht)
    FROM bank_line l JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id WHERE l.run = _of.id ORDER BY l.place))::text
$$;

-- Payments that may be lines of a new run.
CREATE VIEW withdrawals.bank_payable AS
  SELECT w.id FROM withdrawals.withdrawal w
  WHERE w.kind = 'bank' AND w.step = 'approved' AND EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = w.hold AND t.kind = 'p')
    AND NOT EXISTS (SELECT FROM withdrawals.bank_line l JOIN withdrawals.bank_run r ON r.id = l.run WHERE l.withdrawal_id = w.id AND r.step = 'open');
GRANT SELECT ON withdrawals.bank_payable TO sathorn_app, sathorn_checker;

-- A run with how many payments its file has, and their sum in satang.
CREATE VIEW withdrawals.bank_run_shown AS
  SELECT r.*, l.count, l.baht FROM withdrawals.bank_run r CROSS JOIN LATERAL (SELECT count(*)::integer AS count, coalesce(sum(w.baht), 0)::bigint AS baht
    FROM withdrawals.bank_line b JOIN withdrawals.withdrawal w ON w.id = b.withdrawal_id WHERE b.run = r.id) l;
GRANT SELECT ON withdrawals.bank_run_shown TO sathorn_app, sathorn_checker;

-- The people who examined a payment.
CREATE VIEW withdrawals.bank_examined AS
  SELECT w.id, ARRAY(SELECT DISTINCT v.operator::text FROM operators.vote v WHERE v.approval = w.approval AND v.decision = 'approve')
    AS examined_by FROM withdrawals.withdrawal w WHERE w.kind = 'bank';
GRANT SELECT ON withdrawals.bank_examined TO sathorn_app, sathorn_checker;

CREATE FUNCTION withdrawals.check_bank_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF OLD.step <> 'open' OR NEW.step = 'open'
    OR NEW.step = 'signed' AND (SELECT count(*) FROM bank_signature WHERE run = NEW.id) < 2
    OR NEW.step = 'lapsed' AND NEW.lapses_at > clock_timestamp() THEN
    RAISE EXCEPTION 'bank run % can''t move from % to %', NEW.id, OLD.step, NEW.step USING ERRCODE = 'TR006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_run BEFORE UPDATE ON withdrawals.bank_run FOR EACH ROW EXECUTE FUNCTION withdrawals.check_bank_run();

CREATE FUNCTION withdrawals.check_bank_line() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  PERFORM FROM bank_run WHERE id = NEW.run AND step = 'open' FOR UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM bank_signature WHERE run = NEW.run) THEN
    RAISE EXCEPTION 'bank run % takes no more lines', NEW.run USING ERRCODE = 'TR007';
  END IF;
  PERFORM FROM withdrawals.withdrawal WHERE id = NEW.withdrawal_id FOR UPDATE;
  IF NOT EXISTS (SELECT FROM bank_payable WHERE id = NEW.withdrawal_id) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid by the bank', NEW.withdrawal_id USING ERRCODE = 'TR007';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_line BEFORE INSERT ON withdrawals.bank_line FOR EACH ROW EXECUTE FUNCTION withdrawals.check_bank_line();

-- Each of two people signs once, and nobody signs a line that he examined.
CREATE FUNCTION withdrawals.check_bank_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  signed bank_run;
BEGIN
  SELECT * INTO signed FROM bank_run WHERE id = NEW.run FOR UPDATE;
  IF signed.step IS DISTINCT FROM 'open' OR signed.lapses_at <= clock_timestamp()
    OR NOT EXISTS (SELECT FROM bank_line WHERE run = NEW.run) THEN
    RAISE EXCEPTION 'bank run % takes no signature', NEW.run USING ERRCODE = 'TR008';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.operator AND o.removed_at IS NULL AND o.roles && '{finance,compliance}') THEN
    RAISE EXCEPTION 'operator % signs no bank run', NEW.operator USING ERRCODE = 'TR008';
  END IF;
  IF EXISTS (SELECT FROM bank_line l JOIN bank_examined e ON e.id = l.withdrawal_id WHERE l.run = NEW.run AND NEW.operator::text = ANY (e.examined_by)) THEN
    RAISE EXCEPTION 'operator % examined a line of bank run %', NEW.operator, NEW.run USING ERRCODE = 'TR008';
  END IF;
  IF NOT votes.is_act(NEW.step_up, 'bank_run.sign', NEW.run::text, bank_run_text(signed), NEW.operator, true) THEN
    RAISE EXCEPTION 'operator % did not sign bank run %', NEW.operator, NEW.run USING ERRCODE = 'TR008';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_signature BEFORE INSERT ON withdrawals.bank_signature FOR EACH ROW EXECUTE FUNCTION withdrawals.check_bank_signature();

-- With the second signature, all payments of the run are at the bank.
CREATE FUNCTION withdrawals.count_bank_signatures() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM bank_signature WHERE run = NEW.run) < 2 THEN RETURN NULL; END IF;
  UPDATE bank_run SET step = 'signed', ended_at = clock_timestamp() WHERE id = NEW.run;
  UPDATE withdrawals.withdrawal w SET step = 'sending', export = NEW.run, sent_at = clock_timestamp(), version = version + 1
    FROM bank_line l WHERE l.run = NEW.run AND w.id = l.withdrawal_id AND w.step = 'approved';
  IF EXISTS (SELECT FROM bank_line l JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id WHERE l.run = NEW.run AND w.export IS DISTINCT FROM NEW.run) THEN
    RAISE EXCEPTION 'a line of bank run % is not to be paid', NEW.run USING ERRCODE = 'TR008';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bank_signatures AFTER INSERT ON withdrawals.bank_signature FOR EACH ROW
  EXECUTE FUNCTION withdrawals.count_bank_signatures();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['withdrawals.bank_line', 'withdrawals.bank_signature', 'withdrawals.bank_file_before'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON withdrawals.bank_run FOR EACH ROW EXECUTE FUNCTION withdrawals.refuse_change()';
  FOREACH name IN ARRAY ARRAY['withdrawals.bank_run', 'withdrawals.bank_line', 'withdrawals.bank_signature', 'withdrawals.bank_file_before'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION withdrawals.refuse_change()', name);
  END LOOP;
END $$;

-- Only a signed run brings a payment to the bank, and only from there it is done.
CREATE FUNCTION withdrawals.check_bank_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF NEW.step = 'sending' AND NOT EXISTS (SELECT FROM bank_line l JOIN bank_run r ON r.id = l.run
      WHERE l.withdrawal_id = NEW.id AND r.id = NEW.export AND r.step = 'signed')
    OR NEW.step = 'done' AND OLD.step NOT IN ('sending', 'sent_unknown') THEN
    RAISE EXCEPTION 'withdrawal % is in no file that two people signed', NEW.id USING ERRCODE = 'TR009';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_bank_move BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW
  WHEN (NEW.kind = 'bank' AND NEW.step <> OLD.step AND NEW.step IN ('sending', 'done')) EXECUTE FUNCTION withdrawals.check_bank_move();
REVOKE UPDATE (export) ON withdrawals.withdrawal FROM sathorn_app;

-- A payment is given back only after its open run was withdrawn.
CREATE OR REPLACE FUNCTION withdrawals.is_in_run(_withdrawal uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
  SELECT EXISTS (SELECT FROM treasury.line l JOIN treasury.run r ON r.id = l.run
      WHERE l.withdrawal_id = _withdrawal AND r.step IN ('open', 'signed', 'sending', 'refused'))
    OR EXISTS (SELECT FROM withdrawals.bank_line l JOIN withdrawals.bank_run r ON r.id = l.run
      WHERE l.withdrawal_id = _withdrawal AND r.step = 'open')
$$;

-- One person examines what a run pays; the signatures under the run stand for the others. A bank payment has no chain.
CREATE OR REPLACE FUNCTION treasury.examiners_of(_chain text, _people integer, _receiver bigint) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = treasury, pg_temp AS $$
  SELECT CASE WHEN _people > 0 AND _chain IS NULL OR treasury.pays(_chain, _people, _receiver) THEN 1 ELSE _people END
$$;

-- The checker verifies these signatures with those of the other acts. One confirmation stands for one signature.
CREATE OR REPLACE VIEW votes.act AS
  SELECT m.deposit AS id, 'deposit.match' AS act, m.deposit::text AS subject, deposits.signed_text(m) AS content,
    m.at AS done_at, m.matched_by AS operator, m.step_up,
    c.vote_key AS key, c.proof, trunc(extract(epoch FROM c.used_at) * 1000)::text AS at_ms
  FROM deposits.bank_match m LEFT JOIN operators.challenge c ON c.id = m.step_up WHERE NOT m.is_from_before
  UNION ALL
  SELECT b.id, 'balance.attest', b.asset, books.signed_text(b), b.at, b.operator, b.step_up, c.vote_key, c.proof,
    trunc(extract(epoch FROM c.used_at) * 1000)::text
  FROM books.attestation b LEFT JOIN operators.challenge c ON c.id = b.step_up WHERE NOT b.is_from_before
  UNION ALL
  SELECT a.step_up, 'certification.approve', a.id, certifications.signed_text(a), a.decided_at, a.decided_by, a.step_up,
    c.vote_key, c.proof, trunc(extract(epoch FROM c.used_at) * 1000)::text
  FROM certifications.application a LEFT JOIN operators.challenge c ON c.id = a.step_up
  WHERE a.state = 'verified' AND NOT a.is_from_before
  UNION ALL
  SELECT s.step_up, 'bank_run.sign', s.run::text, withdrawals.bank_run_text(r), s.at, s.operator, s.step_up, c.vote_key, c.proof,
    trunc(extract(epoch FROM c.used_at) * 1000)::text
  FROM withdrawals.bank_signature s JOIN withdrawals.bank_run r ON r.id = s.run LEFT JOIN operators.challenge c ON c.id = s.step_up;

REVOKE ALL ON FUNCTION withdrawals.bank_run_text, withdrawals.check_bank_run, withdrawals.check_bank_line, withdrawals.check_bank_signature,
  withdrawals.count_bank_signatures, withdrawals.check_bank_move FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals.bank_run_text TO sathorn_checker;
