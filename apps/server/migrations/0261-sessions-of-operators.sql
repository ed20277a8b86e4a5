-- A session of an operator begins together with its entry in the log, and one that has ended stays ended. The application still judges passwords and
-- codes, whose keys are not in this database, so its role can open a session that nobody signed in for; but no longer unnoticed.
CREATE FUNCTION operators.open_session(_id uuid, _token_hash bytea, _operator bigint, _factor text, _device text, _address text, _at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = _operator AND o.removed_at IS NULL AND o.frozen_at IS NULL) THEN
    RAISE EXCEPTION 'operator % may not sign in', _operator USING ERRCODE = 'OP002';
  END IF;
  INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
  VALUES (_id, _token_hash, _operator, _factor, _device, _address, _at, _at);
  PERFORM operators.append_entry(_operator, _id, 'operator.signed_in', 'operator', _operator::text, NULL, NULL, '{"factor":"' || _factor || '"}', NULL, NULL);
END $$;

CREATE FUNCTION operators.keep_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL OR NEW.used_at < OLD.used_at
    OR (to_jsonb(NEW) - '{used_at,ended_at,ended_by}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{used_at,ended_at,ended_by}'::text[]) THEN
    RAISE EXCEPTION 'a session is only used and ended' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_session BEFORE UPDATE ON operators.session FOR EACH ROW EXECUTE FUNCTION operators.keep_session();

-- Confirmed once, used once, and for nothing else than it was asked for.
CREATE FUNCTION operators.keep_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR OLD.confirmed_at IS NOT NULL AND (NEW.confirmed_at, NEW.confirmed_by) IS DISTINCT FROM (OLD.confirmed_at, OLD.confirmed_by)
    OR (to_jsonb(NEW) - '{confirmed_at,confirmed_by,used_at}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{confirmed_at,confirmed_by,used_at}'::text[]) THEN
    RAISE EXCEPTION 'a confirmation is answered and used once' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_challenge BEFORE UPDATE ON operators.challenge FOR EACH ROW EXECUTE FUNCTION operators.keep_challenge();

REVOKE INSERT ON operators.session, operators.challenge FROM sathorn_app;
GRANT INSERT (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at) ON operators.challenge TO sathorn_app;
REVOKE ALL ON FUNCTION operators.open_session, operators.keep_session, operators.keep_challenge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operators.open_session TO sathorn_app;
