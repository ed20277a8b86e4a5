-- Which products a brand offers under which licence, and the amounts from which withdrawals need approval, as versioned terms.
INSERT INTO offer.kind (name, notice) VALUES ('switch', '24 hours'), ('threshold', '24 hours');
INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
SELECT 'switch', subject, 1, 'epoch', '{"jurisdiction":"","licence":"","on_offer":true}', 'epoch', 'epoch' FROM unnest(ARRAY['options', 'contracts', 'earning']) AS subject;
INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
VALUES ('threshold', 'withdrawals', 1, 'epoch', '{"one_person_from":"1000.000000","two_people_from":"10000.000000"}', 'epoch', 'epoch');

-- The application writes a threshold only where two people approved exactly that.
CREATE FUNCTION withdrawals.check_approved_threshold() RETURNS trigger LANGUAGE plpgsql SET search_path = withdrawals, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'withdrawals'), 'MEMBER') THEN RETURN NEW; END IF;
  NEW.effective_from := clock_timestamp();
  IF NOT EXISTS (
    SELECT FROM offer.version v
    WHERE v.approval = NEW.approval AND v.kind = 'threshold' AND v.stopped_at IS NULL AND v.applied_at IS NULL AND v.effective_from <= NEW.effective_from
      AND (v.fields::jsonb ->> 'one_person_from')::numeric * 1000000 = NEW.one_person_from
      AND (v.fields::jsonb ->> 'two_people_from')::numeric * 1000000 = NEW.two_people_from) THEN
    RAISE EXCEPTION 'nobody approved these thresholds' USING ERRCODE = 'WD009';
  END IF;
  RETURN NEW;
END $$;
ALTER TABLE withdrawals.threshold ADD COLUMN approval uuid;
CREATE TRIGGER check_approved BEFORE INSERT ON withdrawals.threshold FOR EACH ROW EXECUTE FUNCTION withdrawals.check_approved_threshold();
REVOKE ALL ON FUNCTION withdrawals.check_approved_threshold FROM PUBLIC;
GRANT INSERT (one_person_from, two_people_from, approval) ON withdrawals.threshold TO sathorn_app;
