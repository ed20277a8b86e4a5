-- Where one person proposes and another approves, only the approval was signed. Whoever had the application's login and one
-- bribed person could propose a payment in somebody else's name. A proposal of money now names the confirmation under
-- which its maker signed exactly its content. Without one its maker does not count, and a second person must vote.
ALTER TABLE operators.approval
  ADD COLUMN step_up uuid UNIQUE REFERENCES operators.challenge,
  -- It was decided before proposals were signed.
  ADD COLUMN is_from_before boolean NOT NULL DEFAULT false;

-- The votes that an approval needs: one more where nobody signed a proposal whose maker would be one of its people.
CREATE FUNCTION operators.votes_needed(_a operators.approval) RETURNS integer LANGUAGE sql IMMUTABLE
  SET search_path = operators, pg_temp AS $$
  SELECT CASE WHEN _a.kind IN ('correction', 'deposit_recovery', 'payout_foreign', 'payout_return', 'restoration_end',
      'withdrawal_failed', 'withdrawal_lost', 'withdrawal_paid')
    AND _a.step_up IS NULL AND NOT _a.is_from_before THEN 2 ELSE _a.need END
$$;

-- What waits now goes on, with one more person.
ALTER TABLE operators.approval DISABLE TRIGGER keep_approval;
UPDATE operators.approval SET is_from_before = true WHERE status <> 'waiting';
ALTER TABLE operators.approval ENABLE TRIGGER keep_approval;

-- Opens an approval; its fingerprint is the hash of what is asked for. With a confirmation, its maker has signed it just now.
DROP FUNCTION operators.open_approval(uuid, text, text, text, integer, text[], bigint, bigint[], text, timestamptz, timestamptz);
CREATE FUNCTION operators.open_approval(_id uuid, _kind text, _subject text, _content text, _need integer,
  _roles text[], _made_by bigint, _about bigint[],
  _reason text, _expires_at timestamptz, _effective_from timestamptz DEFAULT NULL, _step_up uuid DEFAULT NULL) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  made bytea := sha256(convert_to(_content, 'UTF8'));
BEGIN
  PERFORM _content::jsonb;
  IF _step_up IS NOT NULL AND NOT votes.is_act(_step_up, 'propose.' || _kind, _subject, _content, _made_by, true) THEN
    RAISE EXCEPTION 'approval %: its maker did not sign it', _id USING ERRCODE = 'OP010';
  END IF;
  INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, about, reason, expires_at, effective_from, step_up)
  VALUES (_id, _kind, _subject, _content, made, _need, _roles, _made_by, _about, _reason, _expires_at, _effective_from, _step_up);
  RETURN made;
END $$;

CREATE OR REPLACE FUNCTION operators.cast_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea,
  _decision text, _reason text, _challenge uuid)
RETURNS TABLE (refusal text, approvals integer, need integer, is_decided boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
  c operators.challenge;
  given integer;
  needed integer;
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
  needed := operators.votes_needed(a);
  IF _decision = 'reject' THEN
    UPDATE operators.approval SET status = 'rejected', decided_at = clock_timestamp() WHERE id = _approval;
  ELSIF given >= needed THEN
    UPDATE operators.approval SET status = 'approved', decided_at = clock_timestamp() WHERE id = _approval;
  END IF;
  RETURN QUERY SELECT NULL::text, given, needed, _decision = 'reject' OR given >= needed;
END $$;

-- The signer and the checker verify the maker's signature as they verify votes.
CREATE OR REPLACE VIEW votes.ballot AS
  SELECT a.id, a.kind, a.subject, a.content, encode(a.fingerprint, 'hex') AS fingerprint, operators.votes_needed(a) AS need,
    a.roles, a.made_by, a.status, a.decided_at,
    coalesce((SELECT json_agg(json_build_object('operator', v.operator::text, 'decision', v.decision, 'key', s.key,
      'proof', s.proof,
        'at_ms', trunc(extract(epoch FROM s.at) * 1000)::text) ORDER BY v.at)
      FROM operators.vote v LEFT JOIN votes.signature s ON s.approval = v.approval AND s.operator = v.operator
        WHERE v.approval = a.id), '[]') AS votes,
    a.is_from_before,
    (SELECT json_build_object('step_up', c.id, 'key', c.vote_key, 'proof', c.proof,
      'at_ms', trunc(extract(epoch FROM c.used_at) * 1000)::text) FROM operators.challenge c WHERE c.id = a.step_up) AS proposal
  FROM operators.approval a;

CREATE OR REPLACE VIEW withdrawals.agreed AS
  SELECT a.subject, a.kind, a.content, v.operator FROM operators.approval a JOIN operators.vote v ON v.approval = a.id
  WHERE a.kind IN ('withdrawal', 'payout_release', 'payout_foreign', 'deposit_recovery') AND a.status = 'approved'
    AND v.decision = 'approve'
  UNION
  SELECT a.subject, a.kind, a.content, a.made_by FROM operators.approval a
  WHERE a.kind IN ('deposit_recovery', 'payout_foreign') AND a.status = 'approved' AND a.made_by IS NOT NULL
    AND operators.votes_needed(a) = 1;

REVOKE ALL ON FUNCTION operators.votes_needed, operators.open_approval FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operators.open_approval TO sathorn_app;
GRANT EXECUTE ON FUNCTION operators.votes_needed TO sathorn_app, sathorn_signer, sathorn_checker;
