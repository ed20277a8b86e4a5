-- Two administrators decide who is an operator, and the database checks that they did. An approval may take effect later; until then one person
-- can stop it.
ALTER TABLE operators.approval
  ADD COLUMN effective_from timestamptz,
  ADD COLUMN stopped_at timestamptz,
  ADD COLUMN stopped_by bigint REFERENCES operators.operator,
  DROP CONSTRAINT approval_status_check,
  ADD CONSTRAINT approval_status_check CHECK (status IN ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'stale', 'stopped')),
  ADD CONSTRAINT approval_stopped_check CHECK ((status = 'stopped') = (stopped_at IS NOT NULL) AND (stopped_at IS NULL) = (stopped_by IS NULL)
    AND (status <> 'stopped' OR stopped_at < effective_from));

CREATE OR REPLACE FUNCTION operators.keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'stopped' THEN
    IF (to_jsonb(NEW) - 'status' - 'stopped_at' - 'stopped_by') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'stopped_at' - 'stopped_by') OR OLD.status <> 'approved' THEN
      RAISE EXCEPTION 'only what was approved is stopped' USING ERRCODE = 'OP001';
    END IF;
  ELSIF (to_jsonb(NEW) - 'status' - 'decided_at') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'decided_at') OR OLD.status <> 'waiting' THEN
    RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;

DROP FUNCTION operators.open_approval(uuid, text, text, text, integer, text[], bigint, bigint[], text, timestamptz);
CREATE FUNCTION operators.open_approval(_id uuid, _kind text, _subject text, _content text, _need integer, _roles text[], _made_by bigint, _about bigint[],
  _reason text, _expires_at timestamptz, _effective_from timestamptz DEFAULT NULL) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  made bytea := sha256(convert_to(_content, 'UTF8'));
BEGIN
  PERFORM _content::jsonb;
  INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, about, reason, expires_at, effective_from)
  VALUES (_id, _kind, _subject, _content, made, _need, _roles, _made_by, _about, _reason, _expires_at, _effective_from);
  RETURN made;
END $$;

-- Returns null when it is stopped, otherwise the refusal. One person is enough: the maker, or anybody who may decide it.
CREATE FUNCTION operators.stop_approval(_approval uuid, _operator bigint, _session uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  o operators.operator;
  now timestamptz := clock_timestamp();
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval FOR UPDATE;
  SELECT * INTO o FROM operators.operator WHERE id = _operator AND removed_at IS NULL AND frozen_at IS NULL;
  IF a.id IS NULL THEN RETURN 'approval_unknown'; END IF;
  IF o.id IS NULL OR NOT (o.roles && a.roles OR a.made_by = _operator)
    OR NOT EXISTS (SELECT FROM operators.session s WHERE s.id = _session AND s.operator = _operator AND s.ended_at IS NULL) THEN RETURN 'role_missing'; END IF;
  IF a.status <> 'approved' OR (a.effective_from > now) IS NOT TRUE THEN RETURN 'already_effective'; END IF;
  UPDATE operators.approval SET status = 'stopped', stopped_at = now, stopped_by = _operator WHERE id = _approval;
  RETURN NULL;
END $$;

-- As before; additionally nobody decides about their own access.
CREATE OR REPLACE FUNCTION operators.refuse_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  o operators.operator;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval;
  SELECT * INTO o FROM operators.operator WHERE id = _operator AND removed_at IS NULL AND frozen_at IS NULL;
  IF a.id IS NULL THEN RETURN 'approval_unknown'; END IF;
  IF o.id IS NULL OR NOT o.roles && a.roles THEN RETURN 'role_missing'; END IF;
  IF NOT EXISTS (SELECT FROM operators.session s WHERE s.id = _session AND s.operator = _operator AND s.ended_at IS NULL) THEN RETURN 'role_missing'; END IF;
  IF a.made_by = _operator THEN RETURN 'maker_cannot_check'; END IF;
  IF o.customer = ANY (a.about) OR (a.kind LIKE 'operator\_%' AND a.subject = _operator::text) THEN RETURN 'conflict_of_interest'; END IF;
  IF EXISTS (SELECT FROM operators.vote v WHERE v.approval = _approval AND v.operator = _operator) THEN RETURN 'already_voted'; END IF;
  IF a.status <> 'waiting' THEN RETURN 'already_decided'; END IF;
  IF a.expires_at <= clock_timestamp() THEN RETURN 'approval_expired'; END IF;
  IF a.fingerprint <> _fingerprint THEN RETURN 'fingerprint_stale'; END IF;
  RETURN NULL;
END $$;

-- Each approved change of an operator is made once: an old approval must not bring old roles back.
CREATE TABLE operators.applied (
  approval uuid PRIMARY KEY REFERENCES operators.approval,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON operators.applied FOR EACH ROW EXECUTE FUNCTION operators.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON operators.applied FOR EACH STATEMENT EXECUTE FUNCTION operators.refuse_change();

-- At least two administrators must remain, because one makes a change and another approves it.
CREATE FUNCTION operators.admins_without(_operator bigint) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = operators, pg_temp AS $$
  SELECT count(*)::integer FROM operators.operator o JOIN operators.credential c ON c.operator = o.id
  WHERE 'admin' = ANY (o.roles) AND o.removed_at IS NULL AND o.frozen_at IS NULL AND o.id <> _operator
$$;

-- Everything that an operator signs in with ends.
CREATE FUNCTION operators.end_access(_operator bigint) RETURNS void
LANGUAGE plpgsql SET search_path = operators, pg_temp AS $$
BEGIN
  UPDATE operators.session SET ended_at = clock_timestamp(), ended_by = 'removed' WHERE operator = _operator AND ended_at IS NULL;
  DELETE FROM operators.claim WHERE operator = _operator;
END $$;

-- Called in the transaction of the last vote. It applies only what the approval contains, whatever the caller wants.
CREATE FUNCTION operators.apply_change(_approval uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  c jsonb;
  changed bigint;
  roles_then text[];
  roles_text text;
  what text;
BEGIN
  SELECT * INTO a FROM operators.approval
  WHERE id = _approval AND status = 'approved' AND kind IN ('operator_invite', 'operator_role', 'operator_device', 'operator_unfreeze');
  IF a.id IS NULL THEN RAISE EXCEPTION 'nobody approved this change of an operator' USING ERRCODE = 'OP003'; END IF;
  INSERT INTO operators.applied (approval) VALUES (_approval);
  c := a.content::jsonb;
  IF c ? 'roles' THEN
    SELECT array_agg(r ORDER BY r) INTO roles_then FROM jsonb_array_elements_text(c -> 'roles') AS r;
    roles_text := ',"roles":["' || array_to_string(roles_then, '","') || '"]';
  END IF;
  IF a.kind = 'operator_invite' THEN
    INSERT INTO operators.operator (work_name, roles, customer, enrolment_hash, enrolment_until)
    VALUES (a.subject, roles_then, (c ->> 'customer')::bigint, decode(c ->> 'secret_hash', 'hex'), clock_timestamp() + interval '24 hours')
    RETURNING id INTO changed;
    what := 'operator.created';
  ELSE
    SELECT id INTO changed FROM operators.operator WHERE id = a.subject::bigint AND removed_at IS NULL FOR UPDATE;
    IF changed IS NULL THEN RAISE EXCEPTION 'no such operator' USING ERRCODE = 'OP003'; END IF;
    IF a.kind = 'operator_role' THEN
      IF 'admin' <> ALL (roles_then) AND operators.admins_without(changed) < 2 THEN RAISE EXCEPTION 'two administrators have to remain' USING ERRCODE = 'OP003'; END IF;
      UPDATE operators.operator SET roles = roles_then WHERE id = changed;
      what := 'operator.roles_changed';
    ELSIF a.kind = 'operator_device' THEN
      PERFORM operators.end_access(changed);
      DELETE FROM operators.credential WHERE operator = changed;
      UPDATE operators.recovery_code SET used_at = clock_timestamp() WHERE operator = changed AND used_at IS NULL;
      UPDATE operators.passkey SET removed_at = clock_timestamp() WHERE operator = changed AND removed_at IS NULL;
      UPDATE operators.operator SET enrolment_hash = decode(c ->> 'secret_hash', 'hex'), enrolment_until = clock_timestamp() + interval '24 hours', frozen_at = NULL
      WHERE id = changed;
      what := 'operator.access_renewed';
    ELSE
      UPDATE operators.operator SET frozen_at = NULL WHERE id = changed;
      what := 'operator.unfrozen';
    END IF;
  END IF;
  PERFORM operators.append_entry(NULL, NULL, what, 'operator', changed::text, NULL, NULL, '{"approval":"' || _approval || '"' || coalesce(roles_text, '') || '}', NULL, NULL);
  RETURN changed;
END $$;

-- One administrator can freeze another operator at once. Returns null when done, otherwise the refusal.
CREATE FUNCTION operators.stop_operator(_operator bigint, _by bigint, _session uuid, _how text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  target operators.operator;
BEGIN
  IF _how NOT IN ('freeze', 'remove') THEN RAISE EXCEPTION 'nobody is stopped so' USING ERRCODE = 'OP003'; END IF;
  -- When two administrators remove each other at the same time, only one removal may succeed.
  PERFORM FROM operators.operator WHERE 'admin' = ANY (roles) ORDER BY id FOR UPDATE;
  SELECT * INTO target FROM operators.operator WHERE id = _operator AND removed_at IS NULL FOR UPDATE;
  IF target.id IS NULL THEN RETURN 'operator_unknown'; END IF;
  IF _by = _operator THEN RETURN 'own_role'; END IF;
  IF NOT EXISTS (SELECT FROM operators.operator o JOIN operators.session s ON s.operator = o.id
    WHERE o.id = _by AND 'admin' = ANY (o.roles) AND o.removed_at IS NULL AND o.frozen_at IS NULL AND s.id = _session AND s.ended_at IS NULL) THEN RETURN 'role_missing'; END IF;
  IF _how = 'freeze' AND target.frozen_at IS NOT NULL THEN RETURN 'nothing_changes'; END IF;
  IF _how = 'remove' AND 'admin' = ANY (target.roles) AND operators.admins_without(_operator) < 2 THEN RETURN 'last_admin'; END IF;
  UPDATE operators.operator SET frozen_at = coalesce(frozen_at, clock_timestamp()), removed_at = CASE _how WHEN 'remove' THEN clock_timestamp() END,
    enrolment_hash = NULL, enrolment_until = NULL WHERE id = _operator;
  PERFORM operators.end_access(_operator);
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION operators.open_approval, operators.stop_approval, operators.admins_without, operators.end_access, operators.apply_change, operators.stop_operator FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operators.open_approval, operators.stop_approval, operators.admins_without, operators.apply_change, operators.stop_operator TO sathorn_app;
GRANT SELECT ON operators.applied TO sathorn_app, sathorn_checker;
