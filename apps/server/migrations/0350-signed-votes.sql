-- A vote is signed by the person. The application's role could open a session for any operator, confirm a challenge and cast the vote; it still can,
-- but it has no key of a person, so the signer pays nothing for such a vote and the checker finds it. Keys are rows here; which of them count is
-- decided by files outside the database and by votes of administrators.
CREATE SCHEMA votes;

CREATE TABLE votes.key (
  -- The first 32 hex digits of the key's SHA-256.
  id text PRIMARY KEY CHECK (id = left(encode(sha256(public_key), 'hex'), 32)),
  operator bigint NOT NULL REFERENCES operators.operator,
  kind text NOT NULL CHECK (kind IN ('passkey', 'device', 'demo')),
  -- A point of P-256, uncompressed, or an Ed25519 key.
  public_key bytea NOT NULL CHECK (length(public_key) IN (32, 65)),
  -- The host at which a passkey is valid.
  party text NOT NULL CHECK ((party <> '') = (kind = 'passkey')),
  passkey text UNIQUE REFERENCES operators.passkey CHECK ((passkey IS NOT NULL) = (kind = 'passkey')),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  -- Set by the owner alone, for the first keys: other keys are registered by votes.
  pinned_roles text[]
);
CREATE INDEX key_operator ON votes.key (operator);

CREATE TABLE votes.signature (
  approval uuid NOT NULL,
  operator bigint NOT NULL,
  key text NOT NULL REFERENCES votes.key,
  -- Canonical: a signature, or what a passkey asserted.
  proof text NOT NULL CHECK (length(proof) BETWEEN 2 AND 8000),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (approval, operator),
  FOREIGN KEY (approval, operator) REFERENCES operators.vote
);

-- Votes from before votes were signed: only these may be signed later. Otherwise a vote that an intruder planted would be shown to its person as
-- one to confirm.
CREATE TABLE votes.from_before (
  approval uuid NOT NULL,
  operator bigint NOT NULL,
  PRIMARY KEY (approval, operator),
  FOREIGN KEY (approval, operator) REFERENCES operators.vote
);
INSERT INTO votes.from_before (approval, operator) SELECT approval, operator FROM operators.vote;

CREATE FUNCTION votes.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'OP001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON votes.signature FOR EACH ROW EXECUTE FUNCTION votes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON votes.signature FOR EACH STATEMENT EXECUTE FUNCTION votes.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON votes.from_before FOR EACH ROW EXECUTE FUNCTION votes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON votes.from_before FOR EACH STATEMENT EXECUTE FUNCTION votes.refuse_change();
CREATE TRIGGER no_delete BEFORE DELETE ON votes.key FOR EACH ROW EXECUTE FUNCTION votes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON votes.key FOR EACH STATEMENT EXECUTE FUNCTION votes.refuse_change();

-- A key ends once, now, and never counts again.
CREATE FUNCTION votes.keep_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at
    OR (to_jsonb(NEW) - '{ended_at,pinned_roles}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{ended_at,pinned_roles}'::text[]) THEN
    RAISE EXCEPTION 'a voting key is only ended' USING ERRCODE = 'OP001';
  END IF;
  IF OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL THEN NEW.ended_at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_key BEFORE UPDATE ON votes.key FOR EACH ROW EXECUTE FUNCTION votes.keep_key();

-- Keys end with the passkey, and with everything that an operator signs in with.
CREATE FUNCTION votes.end_with_passkey() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = votes, pg_temp AS $$
BEGIN
  UPDATE votes.key SET ended_at = clock_timestamp() WHERE passkey = NEW.id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_votes AFTER UPDATE OF removed_at ON operators.passkey FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION votes.end_with_passkey();
CREATE FUNCTION votes.end_with_access() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = votes, pg_temp AS $$
BEGIN
  UPDATE votes.key SET ended_at = clock_timestamp() WHERE operator = OLD.operator AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_votes AFTER DELETE ON operators.credential FOR EACH ROW EXECUTE FUNCTION votes.end_with_access();

-- The keys as signer and checker read them.
CREATE VIEW votes.voter AS
  SELECT k.id, k.operator, o.work_name, k.kind, encode(k.public_key, 'hex') AS public_key, k.party, k.passkey, k.name, k.made_at, k.ended_at, k.pinned_roles,
    o.roles, o.removed_at,
    EXISTS (SELECT FROM operators.approval a WHERE a.kind = 'voting_key' AND a.subject = k.id AND a.status = 'approved') AS is_registered,
    (SELECT a.id FROM operators.approval a WHERE a.kind = 'voting_key' AND a.subject = k.id AND a.status = 'waiting') AS waiting
  FROM votes.key k JOIN operators.operator o ON o.id = k.operator;

-- Approvals with their votes, signed or not.
CREATE VIEW votes.ballot AS
  SELECT a.id, a.kind, a.subject, a.content, encode(a.fingerprint, 'hex') AS fingerprint, a.need::integer AS need, a.roles, a.made_by, a.status, a.decided_at,
    coalesce((SELECT json_agg(json_build_object('operator', v.operator::text, 'decision', v.decision, 'key', s.key, 'proof', s.proof,
        'at_ms', trunc(extract(epoch FROM s.at) * 1000)::text) ORDER BY v.at)
      FROM operators.vote v LEFT JOIN votes.signature s ON s.approval = v.approval AND s.operator = v.operator WHERE v.approval = a.id), '[]') AS votes
  FROM operators.approval a;

-- As the console shows it.
CREATE VIEW operators.signed_vote AS
  SELECT v.*, s.at AS signed_at, k.kind AS signed_by,
    EXISTS (SELECT FROM votes.from_before b WHERE b.approval = v.approval AND b.operator = v.operator) AS is_from_before FROM operators.vote v
  LEFT JOIN votes.signature s ON s.approval = v.approval AND s.operator = v.operator LEFT JOIN votes.key k ON k.id = s.key;

-- What the person signed is kept with the confirmation until the vote is cast.
ALTER TABLE operators.challenge ADD COLUMN vote_key text REFERENCES votes.key, ADD COLUMN proof text CHECK (length(proof) BETWEEN 2 AND 8000),
  ADD CHECK ((vote_key IS NULL) = (proof IS NULL)), ADD CHECK (proof IS NULL OR confirmed_at IS NOT NULL);

CREATE OR REPLACE FUNCTION operators.keep_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL
    OR OLD.confirmed_at IS NOT NULL AND (NEW.confirmed_at, NEW.confirmed_by, NEW.vote_key, NEW.proof) IS DISTINCT FROM (OLD.confirmed_at, OLD.confirmed_by, OLD.vote_key, OLD.proof)
    OR (to_jsonb(NEW) - '{confirmed_at,confirmed_by,used_at,vote_key,proof}'::text[])
      IS DISTINCT FROM (to_jsonb(OLD) - '{confirmed_at,confirmed_by,used_at,vote_key,proof}'::text[]) THEN
    RAISE EXCEPTION 'a confirmation is answered and used once' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;

-- As before; additionally it keeps what the person signed.
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
  UPDATE operators.challenge SET used_at = clock_timestamp()
  WHERE id = _challenge AND purpose = 'decision' AND operator = _operator AND session = _session AND confirmed_at IS NOT NULL AND used_at IS NULL
    AND act = 'approval.' || _decision AND subject = _approval::text AND fingerprint = _fingerprint AND expires_at > clock_timestamp()
  RETURNING * INTO c;
  IF c.id IS NULL THEN refusal := 'step_up_expired'; RETURN NEXT; RETURN; END IF;
  INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role, reason, challenge)
  SELECT _approval, _operator, _session, _decision, _fingerprint, r.role, _reason, _challenge
  FROM operators.operator o, unnest(o.roles) AS r(role) WHERE o.id = _operator AND r.role = ANY (a.roles) ORDER BY r.role LIMIT 1;
  IF c.vote_key IS NOT NULL THEN
    INSERT INTO votes.signature (approval, operator, key, proof) VALUES (_approval, _operator, c.vote_key, c.proof);
  END IF;
  SELECT count(*) INTO given FROM operators.vote v WHERE v.approval = _approval AND v.decision = 'approve';
  IF _decision = 'reject' THEN
    UPDATE operators.approval SET status = 'rejected', decided_at = clock_timestamp() WHERE id = _approval;
  ELSIF given >= a.need THEN
    UPDATE operators.approval SET status = 'approved', decided_at = clock_timestamp() WHERE id = _approval;
  END IF;
  RETURN QUERY SELECT NULL::text, given, a.need::integer, _decision = 'reject' OR given >= a.need;
END $$;

-- A vote from before votes were signed is confirmed by the same person. It changes no decision. Returns null when done, otherwise the refusal.
CREATE FUNCTION operators.sign_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea, _challenge uuid) RETURNS text
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
  UPDATE operators.challenge SET used_at = clock_timestamp()
  WHERE id = _challenge AND purpose = 'decision' AND operator = _operator AND session = _session AND vote_key IS NOT NULL AND used_at IS NULL
    AND act = 'approval.' || cast_before.decision AND subject = _approval::text AND fingerprint = _fingerprint AND expires_at > clock_timestamp()
  RETURNING * INTO c;
  IF c.id IS NULL THEN RETURN 'step_up_expired'; END IF;
  INSERT INTO votes.signature (approval, operator, key, proof) VALUES (_approval, _operator, c.vote_key, c.proof);
  RETURN NULL;
END $$;

-- A passkey opens a door only with a keyed digest over its owner, id and key, which the application's role can't compute. Rows from before are sealed
-- once by the owner; a new row without a digest is refused.
ALTER TABLE operators.passkey ADD COLUMN mac bytea NOT NULL DEFAULT '' CHECK (length(mac) IN (0, 32));
ALTER TABLE operators.passkey ALTER COLUMN mac DROP DEFAULT;
CREATE FUNCTION operators.keep_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF length(NEW.mac) <> 32 THEN RAISE EXCEPTION 'a passkey is sealed' USING ERRCODE = 'OP001'; END IF;
  ELSIF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at OR NEW.counter < OLD.counter
    OR (to_jsonb(NEW) - '{counter,used_at,removed_at,mac}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{counter,used_at,removed_at,mac}'::text[])
    OR length(OLD.mac) = 32 AND NEW.mac <> OLD.mac THEN
    RAISE EXCEPTION 'a passkey is only used and removed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_passkey BEFORE INSERT OR UPDATE ON operators.passkey FOR EACH ROW EXECUTE FUNCTION operators.keep_passkey();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA votes FROM PUBLIC;
REVOKE ALL ON FUNCTION operators.sign_vote, operators.keep_passkey FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operators.sign_vote TO sathorn_app;
GRANT USAGE ON SCHEMA votes TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT SELECT ON votes.key, votes.signature, votes.from_before, votes.voter, votes.ballot TO sathorn_app, sathorn_checker;
-- The signer verifies votes by itself.
GRANT SELECT ON votes.voter, votes.ballot TO sathorn_signer;
GRANT SELECT ON operators.signed_vote TO sathorn_app, sathorn_checker;
GRANT INSERT (id, operator, kind, public_key, party, passkey, name) ON votes.key TO sathorn_app;
GRANT UPDATE (ended_at) ON votes.key TO sathorn_app;
GRANT UPDATE (vote_key, proof) ON operators.challenge TO sathorn_app;
