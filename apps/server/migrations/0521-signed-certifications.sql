-- The application's login could write the log's entry in the name of a person of compliance, and certify its own
-- customer. An approval now names the confirmation under which that person signed exactly this application. The database
-- checks the signature's form, and the checker verifies it (OP6). Sending back and refusing gain nothing, so nobody
-- signs them as acts.
ALTER TABLE certifications.application
  ADD COLUMN step_up uuid UNIQUE REFERENCES operators.challenge,
  -- It was approved before approvals were signed.
  ADD COLUMN is_from_before boolean NOT NULL DEFAULT false;

ALTER TABLE certifications.application DISABLE TRIGGER keep_decision;
ALTER TABLE certifications.application DISABLE TRIGGER check_decision;
UPDATE certifications.application SET is_from_before = true WHERE state = 'verified';
ALTER TABLE certifications.application ENABLE TRIGGER keep_decision;
ALTER TABLE certifications.application ENABLE TRIGGER check_decision;

ALTER TABLE certifications.application ADD CONSTRAINT signed
  CHECK ((step_up IS NOT NULL) = (state = 'verified' AND NOT is_from_before));
-- The checker reads the newest approvals first.
CREATE INDEX application_approved ON certifications.application (decided_at) WHERE state = 'verified';

GRANT UPDATE (step_up) ON certifications.application TO sathorn_app;
GRANT SELECT (document_type, digest, step_up, is_from_before) ON certifications.application TO sathorn_checker;

-- The text that the person signs: this application, as it was reviewed.
CREATE FUNCTION certifications.signed_text(_of certifications.application) RETURNS text LANGUAGE sql IMMUTABLE
  SET search_path = certifications, pg_temp AS $$
  SELECT to_json(ARRAY[_of.id, _of.customer::text, _of.level, _of.document_type, encode(_of.digest, 'hex')])::text
$$;
REVOKE ALL ON FUNCTION certifications.signed_text FROM PUBLIC;
GRANT EXECUTE ON FUNCTION certifications.signed_text TO sathorn_checker;

-- An approval is dated by the database. Otherwise one with an old date would not be among the newest, which the checker
-- verifies in each round.
CREATE OR REPLACE FUNCTION certifications.keep_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'review' THEN
    RAISE EXCEPTION 'certification % was decided', OLD.id;
  END IF;
  IF NEW.state = 'verified' THEN NEW.decided_at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION certifications.check_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = certifications, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'certifications'), 'MEMBER') THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.decided_by AND 'compliance' = ANY (o.roles)
      AND o.removed_at IS NULL AND o.customer IS DISTINCT FROM NEW.customer)
    OR NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'certification' AND e.subject = NEW.id
      AND e.operator = NEW.decided_by AND e.customer = NEW.customer AND e.what = 'certification.' || NEW.state) THEN
    RAISE EXCEPTION 'certification %: nobody decided it', NEW.id USING ERRCODE = 'CE001';
  END IF;
  IF NEW.state = 'verified'
    AND NOT votes.is_act(NEW.step_up, 'certification.approve', NEW.id, certifications.signed_text(NEW), NEW.decided_by, true) THEN
    RAISE EXCEPTION 'certification %: nobody signed it', NEW.id USING ERRCODE = 'CE002';
  END IF;
  RETURN NULL;
END $$;

-- A certification's id is no UUID, so its confirmation stands for it.
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
  WHERE a.state = 'verified' AND NOT a.is_from_before;
