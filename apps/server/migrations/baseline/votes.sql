-- Signatures of votes by the people themselves. The application's role can open a session for any operator, confirm a
-- challenge and cast a vote, but it has no person's key: the signer pays nothing for such a vote, and the checker finds
-- it. Keys are rows here; files outside the database and administrators' votes decide which of them count.
CREATE SCHEMA votes;
GRANT USAGE ON SCHEMA votes TO sathorn_app, sathorn_signer, sathorn_checker;

-- A person's key, or one of their devices'.
CREATE TABLE votes.key (
  -- The first 32 hex digits of the key's SHA-256.
  id text PRIMARY KEY CHECK (id = left(encode(sha256(public_key), 'hex'), 32)),
  operator bigint NOT NULL REFERENCES operators.operator,
  kind text NOT NULL CHECK (kind IN ('passkey', 'device', 'demo')),
  -- A point of P-256, uncompressed, or an Ed25519 key.
  public_key bytea NOT NULL CHECK (length(public_key) IN (32, 65)),
  -- The host for which a passkey is valid.
  party text NOT NULL CHECK ((party <> '') = (kind = 'passkey')),
  passkey text UNIQUE REFERENCES operators.passkey CHECK ((passkey IS NOT NULL) = (kind = 'passkey')),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  -- Set by the owner alone, for the first keys; votes register the others.
  pinned_roles text[]
);
CREATE INDEX key_operator ON votes.key (operator);
GRANT SELECT ON votes.key TO sathorn_app, sathorn_checker;
GRANT INSERT (id, operator, kind, public_key, party, passkey, name), UPDATE (ended_at) ON votes.key TO sathorn_app;

-- The signature of a vote by a person.
CREATE TABLE votes.signature (
  approval uuid NOT NULL,
  operator bigint NOT NULL,
  key text NOT NULL REFERENCES votes.key,
  -- In canonical form: a signature, or a passkey's assertion.
  proof text NOT NULL CHECK (length(proof) BETWEEN 2 AND 8000),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (approval, operator),
  FOREIGN KEY (approval, operator) REFERENCES operators.vote
);
GRANT SELECT ON votes.signature TO sathorn_app, sathorn_checker;

-- Votes from before signatures, which alone may be signed later. Otherwise a vote that an intruder planted would be
-- shown to its person for confirmation.
CREATE TABLE votes.from_before (
  approval uuid NOT NULL,
  operator bigint NOT NULL,
  PRIMARY KEY (approval, operator),
  FOREIGN KEY (approval, operator) REFERENCES operators.vote
);
GRANT SELECT ON votes.from_before TO sathorn_app, sathorn_checker;

CREATE FUNCTION votes.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'OP001';
END $$;

-- Allows a key to end once, at the current time, for ever.
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

-- Ends keys together with their passkey.
CREATE FUNCTION votes.end_with_passkey() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = votes,
  pg_temp AS $$
BEGIN
  UPDATE votes.key SET ended_at = clock_timestamp() WHERE passkey = NEW.id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_votes AFTER UPDATE OF removed_at ON operators.passkey FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION votes.end_with_passkey();

-- Ends a person's keys together with their access.
CREATE FUNCTION votes.end_with_access() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = votes,
  pg_temp AS $$
BEGIN
  UPDATE votes.key SET ended_at = clock_timestamp() WHERE operator = OLD.operator AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_votes AFTER DELETE ON operators.credential FOR EACH ROW EXECUTE FUNCTION votes.end_with_access();

-- The keys in the form that signer and checker read.
CREATE VIEW votes.voter AS
  SELECT k.id, k.operator, o.work_name, k.kind, encode(k.public_key, 'hex') AS public_key, k.party, k.passkey, k.name,
    k.made_at, k.ended_at, k.pinned_roles,
    o.roles, o.removed_at,
    EXISTS (SELECT FROM operators.approval a WHERE a.kind = 'voting_key' AND a.subject = k.id
      AND a.status = 'approved') AS is_registered,
    (SELECT a.id FROM operators.approval a WHERE a.kind = 'voting_key' AND a.subject = k.id
      AND a.status = 'waiting') AS waiting
  FROM votes.key k JOIN operators.operator o ON o.id = k.operator;
GRANT SELECT ON votes.voter TO sathorn_app, sathorn_signer, sathorn_checker;

-- Approvals with their votes, signed or not.
CREATE VIEW votes.ballot AS
  SELECT a.id, a.kind, a.subject, a.content, encode(a.fingerprint, 'hex') AS fingerprint, a.need::integer AS need,
    a.roles, a.made_by, a.status, a.decided_at,
    coalesce((SELECT json_agg(json_build_object('operator', v.operator::text, 'decision', v.decision, 'key', s.key,
      'proof', s.proof,
        'at_ms', trunc(extract(epoch FROM s.at) * 1000)::text) ORDER BY v.at)
      FROM operators.vote v LEFT JOIN votes.signature s ON s.approval = v.approval AND s.operator = v.operator
        WHERE v.approval = a.id), '[]') AS votes
  FROM operators.approval a;
GRANT SELECT ON votes.ballot TO sathorn_app, sathorn_signer, sathorn_checker;

-- True if this has the form of a signature by a trusted key of this person at this moment. A browser's or a demo's key
-- signs the text, a passkey the challenge. Without this check, `cast_vote` would accept a vote that nobody signed: no
-- money follows and the checker finds it, but its other effects would have happened. Server, signer and checker verify
-- the signature itself.
CREATE FUNCTION votes.is_signed(_key text, _proof text, _operator bigint, _challenge text, _at timestamptz)
  RETURNS boolean
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

-- True if a confirmation was used for this act, with the signed content's digest. With `_is_fresh`, if it was used just
-- now. A match of a bank line and an attested balance create money, so each row names the confirmation under which the
-- person signed exactly this. An attacker who can only write rows has no such signature. The database checks its form,
-- and the checker verifies it.
CREATE FUNCTION votes.is_act(_step_up uuid, _act text, _subject text, _content text, _operator bigint,
  _is_fresh boolean) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = votes, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.challenge c JOIN operators.operator o ON o.id = c.operator AND coalesce(o.removed_at > c.used_at, true)
    WHERE c.id = _step_up AND c.purpose = 'decision' AND c.operator = _operator AND c.act = _act AND c.subject = _subject
      AND c.fingerprint = sha256(convert_to(_content, 'UTF8')) AND c.confirmed_at IS NOT NULL AND c.used_at <= c.expires_at
      AND (NOT _is_fresh OR c.used_at > clock_timestamp() - interval '1 minute') AND votes.is_signed(c.vote_key, c.proof, c.operator, c.challenge, c.used_at))
$$;

-- The acts in the form that the checker reads: what was done, and what was signed. Null if nothing was signed.
CREATE VIEW votes.act AS
  SELECT m.deposit AS id, 'deposit.match' AS act, m.deposit::text AS subject, deposits.signed_text(m) AS content,
    m.at AS done_at, m.matched_by AS operator, m.step_up,
    c.vote_key AS key, c.proof, trunc(extract(epoch FROM c.used_at) * 1000)::text AS at_ms
  FROM deposits.bank_match m LEFT JOIN operators.challenge c ON c.id = m.step_up WHERE NOT m.is_from_before
  UNION ALL
  SELECT b.id, 'balance.attest', b.asset, books.signed_text(b), b.at, b.operator, b.step_up, c.vote_key, c.proof,
    trunc(extract(epoch FROM c.used_at) * 1000)::text
  FROM books.attestation b LEFT JOIN operators.challenge c ON c.id = b.step_up WHERE NOT b.is_from_before;
GRANT SELECT ON votes.act TO sathorn_checker;

-- The votes in the form that the console shows.
CREATE VIEW operators.signed_vote AS
  SELECT v.approval, v.operator, v.session, v.decision, v.fingerprint, v.role, v.reason, v.challenge, v.at, s.at AS signed_at, k.kind AS signed_by,
    EXISTS (SELECT FROM votes.from_before b WHERE b.approval = v.approval
      AND b.operator = v.operator) AS is_from_before FROM operators.vote v
  LEFT JOIN votes.signature s ON s.approval = v.approval AND s.operator = v.operator LEFT JOIN votes.key k
    ON k.id = s.key;
GRANT SELECT ON operators.signed_vote TO sathorn_app, sathorn_checker;

ALTER TABLE operators.challenge ADD FOREIGN KEY (vote_key) REFERENCES votes.key;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['votes.signature', 'votes.from_before'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION votes.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION votes.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['votes.key'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION votes.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION votes.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA votes FROM PUBLIC;
