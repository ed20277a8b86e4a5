-- An application for a level begins in review, and its decision names an operator. The application could insert one
-- that is decided, or decide one in nobody's sight. A decision is now by a person of compliance who is not the
-- customer, and is in the operators' log when the transaction ends; the checker compares it (CE1).
REVOKE INSERT ON certifications.application FROM sathorn_app;
GRANT INSERT (id, customer, level, document_type, sealed, digest, submitted_at) ON certifications.application
  TO sathorn_app;
GRANT SELECT (id, customer, level, state, version, decided_at, decided_by) ON certifications.application
  TO sathorn_checker;

CREATE FUNCTION certifications.check_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = certifications, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'certifications'), 'MEMBER') THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.decided_by AND 'compliance' = ANY (o.roles)
      AND o.removed_at IS NULL AND o.customer IS DISTINCT FROM NEW.customer)
    OR NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'certification' AND e.subject = NEW.id
      AND e.operator = NEW.decided_by AND e.customer = NEW.customer AND e.what = 'certification.' || NEW.state) THEN
    RAISE EXCEPTION 'certification %: nobody decided it', NEW.id USING ERRCODE = 'CE001';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_decision AFTER UPDATE ON certifications.application DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.state <> 'review')
  EXECUTE FUNCTION certifications.check_decision();
REVOKE ALL ON FUNCTION certifications.check_decision FROM PUBLIC;
