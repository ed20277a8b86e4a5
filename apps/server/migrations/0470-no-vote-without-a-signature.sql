-- `cast_vote` took a vote that nobody had signed: no money followed and the checker found it, but what else such a vote changes had happened by then. Now it
-- needs what a signed vote has. That the signature is right is verified by server, signer and checker, which have the keys' own word.

-- Whether this looks like the signature of a key that counts for this person at this moment. A browser's or a demo's key signs the text, a passkey the challenge.
CREATE FUNCTION votes.is_signed(_key text, _proof text, _operator bigint, _challenge text, _at timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = votes, pg_temp AS $$
DECLARE
  k votes.key;
  said jsonb;
  client jsonb;
BEGIN
  SELECT * INTO k FROM votes.key WHERE id = _key AND operator = _operator AND coalesce(ended_at > _at, true)
    AND (pinned_roles IS NOT NULL OR EXISTS (SELECT FROM operators.approval a WHERE a.kind = 'voting_key' AND a.subject = _key AND a.status = 'approved'));
  IF k.id IS NULL OR (_challenge ~ '^[A-Za-z0-9_-]{43}$') IS NOT TRUE THEN RETURN false; END IF;
  said := _proof::jsonb;
  IF k.kind <> 'passkey' THEN
    RETURN coalesce(said ->> 'signature' ~ '^[0-9a-f]{128}$' AND said = jsonb_build_object('signature', said ->> 'signature'), false);
  END IF;
  IF (SELECT coalesce(array_agg(name ORDER BY name COLLATE "C"), '{}') FROM jsonb_object_keys(said) name) <> ARRAY['authenticator_data', 'client_data', 'signature']
    OR EXISTS (SELECT FROM jsonb_each_text(said) WHERE value !~ '^[A-Za-z0-9_-]+$') THEN
    RETURN false;
  END IF;
  client := convert_from(decode(rpad(translate(said ->> 'client_data', '-_', '+/'), (length(said ->> 'client_data') + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb;
  RETURN coalesce(client ->> 'type' = 'webauthn.get' AND client ->> 'challenge' = _challenge, false);
EXCEPTION WHEN data_exception THEN
  -- No JSON, no base64, no object, or no UTF-8.
  RETURN false;
END $$;

-- As before; a confirmation without a signature is refused and stays unused.
CREATE OR REPLACE FUNCTION operators.cast_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea, _decision text, _reason text, _challenge uuid)
RETURNS TABLE (refusal text, approvals integer, need integer, is_decided boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  c operators.challenge;
  given integer;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval FOR UPDATE;
  refusal := operators.refuse_vote(_approval, _operator, _session, _fingerprint);
  IF refusal IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
  IF _challenge IS NULL THEN refusal := 'step_up_required'; RETURN NEXT; RETURN; END IF;
  SELECT * INTO c FROM operators.challenge
  WHERE id = _challenge AND purpose = 'decision' AND operator = _operator AND session = _session AND confirmed_at IS NOT NULL AND used_at IS NULL
    AND act = 'approval.' || _decision AND subject = _approval::text AND fingerprint = _fingerprint AND expires_at > clock_timestamp() FOR UPDATE;
  IF c.id IS NULL THEN refusal := 'step_up_expired'; RETURN NEXT; RETURN; END IF;
  IF NOT votes.is_signed(c.vote_key, c.proof, _operator, c.challenge, clock_timestamp()) THEN refusal := 'vote_unsigned'; RETURN NEXT; RETURN; END IF;
  UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = _challenge;
  INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role, reason, challenge)
  SELECT _approval, _operator, _session, _decision, _fingerprint, r.role, _reason, _challenge
  FROM operators.operator o, unnest(o.roles) AS r(role) WHERE o.id = _operator AND r.role = ANY (a.roles) ORDER BY r.role LIMIT 1;
  INSERT INTO votes.signature (approval, operator, key, proof) VALUES (_approval, _operator, c.vote_key, c.proof);
  SELECT count(*) INTO given FROM operators.vote v WHERE v.approval = _approval AND v.decision = 'approve';
  IF _decision = 'reject' THEN
    UPDATE operators.approval SET status = 'rejected', decided_at = clock_timestamp() WHERE id = _approval;
  ELSIF given >= a.need THEN
    UPDATE operators.approval SET status = 'approved', decided_at = clock_timestamp() WHERE id = _approval;
  END IF;
  RETURN QUERY SELECT NULL::text, given, a.need::integer, _decision = 'reject' OR given >= a.need;
END $$;

-- As before, and by the same measure.
CREATE OR REPLACE FUNCTION operators.sign_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea, _challenge uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  cast_before operators.vote;
  c operators.challenge;
BEGIN
  SELECT * INTO cast_before FROM operators.vote v WHERE v.approval = _approval AND v.operator = _operator;
  IF NOT EXISTS (SELECT FROM votes.from_before b WHERE b.approval = cast_before.approval AND b.operator = cast_before.operator) THEN RETURN 'approval_unknown'; END IF;
  IF cast_before.fingerprint <> _fingerprint THEN RETURN 'fingerprint_stale'; END IF;
  IF EXISTS (SELECT FROM votes.signature s WHERE s.approval = _approval AND s.operator = _operator) THEN RETURN 'already_voted'; END IF;
  IF NOT EXISTS (SELECT FROM operators.session s JOIN operators.operator o ON o.id = s.operator
    WHERE s.id = _session AND o.id = _operator AND s.ended_at IS NULL AND o.removed_at IS NULL AND o.frozen_at IS NULL) THEN RETURN 'role_missing'; END IF;
  IF _challenge IS NULL THEN RETURN 'step_up_required'; END IF;
  SELECT * INTO c FROM operators.challenge
  WHERE id = _challenge AND purpose = 'decision' AND operator = _operator AND session = _session AND confirmed_at IS NOT NULL AND used_at IS NULL
    AND act = 'approval.' || cast_before.decision AND subject = _approval::text AND fingerprint = _fingerprint AND expires_at > clock_timestamp() FOR UPDATE;
  IF c.id IS NULL THEN RETURN 'step_up_expired'; END IF;
  IF NOT votes.is_signed(c.vote_key, c.proof, _operator, c.challenge, clock_timestamp()) THEN RETURN 'vote_unsigned'; END IF;
  UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = _challenge;
  INSERT INTO votes.signature (approval, operator, key, proof) VALUES (_approval, _operator, c.vote_key, c.proof);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION votes.is_signed FROM PUBLIC;
