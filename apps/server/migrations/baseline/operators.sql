-- Operators: their accounts, sign-ins and acts, and what two of them must decide together. The application's role may
-- only read what it could turn into a second person (operators, roles, votes, log entries). It writes them through
-- functions that check first.
CREATE SCHEMA operators;
GRANT USAGE ON SCHEMA operators TO sathorn_app, sathorn_checker;

-- A member of the staff.
CREATE TABLE operators.operator (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  work_name text NOT NULL UNIQUE CHECK (work_name ~ '^[a-z][a-z0-9.-]{1,19}$'),
  roles text[] NOT NULL CHECK (cardinality(roles) > 0 AND roles <@ ARRAY['support', 'compliance', 'finance',
    'content', 'admin']),
  -- The person's own customer account, so that nobody decides about themselves.
  customer bigint UNIQUE,
  -- SHA-256 of the one-time secret with which the first password and authenticator are created.
  enrolment_hash bytea CHECK (length(enrolment_hash) = 32),
  enrolment_until timestamptz,
  frozen_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((enrolment_hash IS NULL) = (enrolment_until IS NULL))
);
GRANT SELECT ON operators.operator TO sathorn_app, sathorn_checker;

-- Password and authenticator of an operator.
CREATE TABLE operators.credential (
  operator bigint PRIMARY KEY REFERENCES operators.operator,
  password text NOT NULL CHECK (password LIKE '$argon2id$%'),
  -- The authenticator's key, sealed with a key that is not in this database.
  authenticator bytea NOT NULL,
  -- The last 30-second step whose code was used, because a code works once.
  used_step bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (password, authenticator, used_step, changed_at) ON operators.credential TO sathorn_app;

-- One-time codes that replace a lost authenticator.
CREATE TABLE operators.recovery_code (
  operator bigint NOT NULL REFERENCES operators.operator,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (operator, hash)
);
GRANT SELECT, INSERT, UPDATE (used_at) ON operators.recovery_code TO sathorn_app;

-- Passkeys of operators.
CREATE TABLE operators.passkey (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]+$' AND length(id) BETWEEN 16 AND 1400),
  operator bigint NOT NULL REFERENCES operators.operator,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  removed_at timestamptz,
  -- A keyed digest over owner, id and key, which the application's role can't compute; a passkey without it is ignored.
  -- It is empty in rows that the database's owner has yet to seal.
  mac bytea NOT NULL CHECK (length(mac) IN (0, 32))
);
CREATE INDEX passkey_operator ON operators.passkey (operator);
GRANT SELECT, INSERT, UPDATE (counter, used_at, removed_at) ON operators.passkey TO sathorn_app;

-- Wrong sign-in attempts. Subjects are keyed hashes of a name with or without the network of the attempt.
CREATE TABLE operators.attempt (
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  wrong integer NOT NULL CHECK (wrong > 0),
  at timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE, DELETE ON operators.attempt TO sathorn_app;

-- Sessions of operators, with the factor that opened them.
CREATE TABLE operators.session (
  id uuid PRIMARY KEY,
  -- Keyed hash of a token of 256 random bits.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  operator bigint NOT NULL REFERENCES operators.operator,
  factor text NOT NULL CHECK (factor IN ('authenticator', 'recovery_code', 'passkey')),
  device text NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text CHECK (ended_by IN ('logout', 'idle', 'too_old', 'operator', 'removed')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX session_operator ON operators.session (operator, created_at);
GRANT SELECT, UPDATE (used_at, ended_at, ended_by) ON operators.session TO sathorn_app;
GRANT SELECT (id, operator, factor, created_at, ended_at) ON operators.session TO sathorn_checker;

-- A challenge for a passkey or a code: to sign in (no operator yet), to add a device, or for one decision
-- (`fingerprint`).
CREATE TABLE operators.challenge (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('login', 'device', 'decision')),
  operator bigint REFERENCES operators.operator,
  session uuid REFERENCES operators.session,
  -- The decision: the kind of act, its subject's id, and a digest of what was shown.
  act text,
  subject text,
  fingerprint bytea CHECK (length(fingerprint) = 32),
  challenge text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- When the person answered it. The row that uses it also marks it as used, once.
  confirmed_at timestamptz,
  confirmed_by text CHECK (confirmed_by IN ('authenticator', 'passkey')),
  used_at timestamptz,
  -- The person's signature, kept until the vote is cast. The key is a row of votes.key (see votes.sql).
  vote_key text,
  proof text CHECK (length(proof) BETWEEN 2 AND 8000),
  CHECK (purpose <> 'decision' OR (operator IS NOT NULL AND session IS NOT NULL AND act IS NOT NULL
    AND subject IS NOT NULL)),
  CHECK ((confirmed_at IS NULL) = (confirmed_by IS NULL)),
  CHECK (used_at IS NULL OR confirmed_at IS NOT NULL),
  CHECK ((vote_key IS NULL) = (proof IS NULL)),
  CHECK (proof IS NULL OR confirmed_at IS NOT NULL)
);
CREATE INDEX challenge_old ON operators.challenge (expires_at);
GRANT SELECT, INSERT (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at),
  UPDATE (confirmed_at, confirmed_by, used_at, vote_key, proof) ON operators.challenge TO sathorn_app;

-- The operators' current work. Claims are only informative: versions and votes prevent conflicts.
CREATE TABLE operators.claim (
  kind text NOT NULL CHECK (kind <> ''),
  subject text NOT NULL CHECK (subject <> ''),
  operator bigint NOT NULL REFERENCES operators.operator,
  since timestamptz NOT NULL,
  kept_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON operators.claim TO sathorn_app;

-- The log. `text` is the entry in canonical form (RFC 8785) and `hash` is SHA-256(previous || text). So with a newer
-- hash anybody can detect an entry that was changed, dropped or inserted.
CREATE TABLE operators.entry (
  n bigint PRIMARY KEY CHECK (n > 0),
  at timestamptz NOT NULL,
  -- Null if the platform acted without an operator.
  operator bigint REFERENCES operators.operator,
  what text NOT NULL CHECK (what ~ '^[a-z][a-z_.]{2,60}$'),
  kind text NOT NULL,
  subject text NOT NULL,
  -- The customer concerned, who may read it.
  customer bigint,
  text text NOT NULL,
  previous bytea NOT NULL CHECK (length(previous) = 32),
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32)
);
CREATE INDEX entry_operator ON operators.entry (operator, n);
CREATE INDEX entry_subject ON operators.entry (kind, subject, n);
CREATE INDEX entry_customer ON operators.entry (customer, n) WHERE customer IS NOT NULL;
CREATE INDEX entry_at ON operators.entry (at);
GRANT SELECT ON operators.entry TO sathorn_app, sathorn_checker;

-- Free texts are beside the chain, which contains only their salted digest. So they can be erased without breaking it.
CREATE TABLE operators.note (
  n bigint PRIMARY KEY REFERENCES operators.entry,
  salt bytea NOT NULL CHECK (length(salt) = 16),
  text text NOT NULL
);
GRANT SELECT ON operators.note TO sathorn_app, sathorn_checker;

-- The newest entry of the log; its lock is needed to append.
CREATE TABLE operators.log_head (
  is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head),
  n bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
);
INSERT INTO operators.log_head DEFAULT VALUES;
GRANT SELECT ON operators.log_head TO sathorn_app, sathorn_checker;

-- Decisions by several people. The database checks who may ask, who may vote, and how it ends. An approval may take
-- effect later; until then one person can stop it.
CREATE TABLE operators.approval (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind ~ '^[a-z][a-z_]{2,40}$'),
  subject text NOT NULL CHECK (subject <> ''),
  -- The exact content to approve, in canonical form, and its SHA-256.
  content text NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  need smallint NOT NULL CHECK (need IN (1, 2)),
  roles text[] NOT NULL CHECK (cardinality(roles) > 0),
  -- The operator who asks; null if a customer does.
  made_by bigint REFERENCES operators.operator,
  -- The customers concerned and their inviters: nobody decides about themselves or about these.
  about bigint[] NOT NULL DEFAULT '{}',
  reason text,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'approved', 'rejected', 'withdrawn', 'expired',
    'stale', 'stopped')),
  decided_at timestamptz,
  effective_from timestamptz,
  stopped_at timestamptz,
  stopped_by bigint REFERENCES operators.operator,
  arrival bigint GENERATED BY DEFAULT AS IDENTITY,
  CHECK ((status = 'waiting') = (decided_at IS NULL)),
  CONSTRAINT approval_stopped_check CHECK ((status = 'stopped') = (stopped_at IS NOT NULL)
    AND (stopped_at IS NULL) = (stopped_by IS NULL) AND (status <> 'stopped' OR stopped_at < effective_from))
);
-- Only one approval per subject may wait, because two that both pass would do it twice.
CREATE UNIQUE INDEX approval_waiting ON operators.approval (kind, subject) WHERE status = 'waiting';
CREATE INDEX approval_made ON operators.approval (made_at);
CREATE INDEX approval_subject ON operators.approval (kind, subject);
CREATE INDEX approval_arrival ON operators.approval (arrival);
GRANT SELECT ON operators.approval TO sathorn_app, sathorn_checker;

-- One person's decision about one approval.
CREATE TABLE operators.vote (
  approval uuid NOT NULL REFERENCES operators.approval,
  operator bigint NOT NULL REFERENCES operators.operator,
  session uuid NOT NULL REFERENCES operators.session,
  decision text NOT NULL CHECK (decision IN ('approve', 'reject')),
  fingerprint bytea NOT NULL,
  -- The role that allowed the vote, at that time.
  role text NOT NULL,
  reason text,
  challenge uuid REFERENCES operators.challenge,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  arrival bigint GENERATED BY DEFAULT AS IDENTITY,
  -- One person decides once.
  PRIMARY KEY (approval, operator)
);
CREATE INDEX vote_arrival ON operators.vote (arrival);
GRANT SELECT ON operators.vote TO sathorn_app, sathorn_checker;

CREATE FUNCTION operators.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'OP001';
END $$;

-- Keeps a request as it was made; only its end is written later, once. An approval for later becomes stale if its
-- subject ends before, for example because the customer has stopped the reset.
CREATE FUNCTION operators.keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'stopped' THEN
    IF (to_jsonb(NEW) - 'status' - 'stopped_at' - 'stopped_by') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'stopped_at' - 'stopped_by') OR OLD.status <> 'approved' THEN
      RAISE EXCEPTION 'only what was approved is stopped' USING ERRCODE = 'OP001';
    END IF;
  ELSIF NEW.status = 'stale' AND OLD.status = 'approved' AND OLD.kind = 'factor_reset' THEN
    IF (to_jsonb(NEW) - 'status') IS DISTINCT FROM (to_jsonb(OLD) - 'status') THEN RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001'; END IF;
  ELSIF (to_jsonb(NEW) - 'status' - 'decided_at') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'decided_at') OR OLD.status <> 'waiting' THEN
    RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_approval BEFORE UPDATE ON operators.approval FOR EACH ROW
  EXECUTE FUNCTION operators.keep_approval();

-- Returns the refusal of this person's vote, or null if they may vote now. Callers ask before money moves; the triggers
-- below enforce the same rule in any case. Nobody may decide about their own access, or about a correction of a
-- movement in which they took part. An act that may already have been decided in the time that a restoration lost must
-- wait until the chain is read.
CREATE FUNCTION operators.refuse_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea)
  RETURNS text
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
  IF a.kind = 'correction' AND _operator = ANY (corrections.people_of((a.content::jsonb ->> 'transfer')::bigint)) THEN RETURN 'conflict_of_interest'; END IF;
  IF EXISTS (SELECT FROM operators.vote v WHERE v.approval = _approval AND v.operator = _operator) THEN RETURN 'already_voted'; END IF;
  IF a.status <> 'waiting' THEN RETURN 'already_decided'; END IF;
  IF a.expires_at <= clock_timestamp() THEN RETURN 'approval_expired'; END IF;
  IF a.fingerprint <> _fingerprint THEN RETURN 'fingerprint_stale'; END IF;
  IF a.kind IN ('withdrawal', 'payout_release', 'correction') AND withdrawals.unreconciled_since() IS NOT NULL THEN RETURN 'after_restoration'; END IF;
  RETURN NULL;
END $$;

-- Rejects a vote that refuse_vote refuses.
CREATE FUNCTION operators.check_vote() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refusal text := operators.refuse_vote(NEW.approval, NEW.operator, NEW.session, NEW.fingerprint);
BEGIN
  IF refusal IS NOT NULL THEN RAISE EXCEPTION 'the vote is refused: %', refusal USING ERRCODE = 'OP002'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_vote BEFORE INSERT ON operators.vote FOR EACH ROW EXECUTE FUNCTION operators.check_vote();

-- Casts a vote with the person's signature, and returns the new state of the approval. Refusals are results and not
-- errors: the caller rolls back or continues. A confirmation without a signature is refused and stays unused.
CREATE FUNCTION operators.cast_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea,
  _decision text, _reason text, _challenge uuid)
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

-- Closes an approval that its maker withdrew, a newer one replaced, or that has expired. Never approves.
CREATE FUNCTION operators.close_approval(_id uuid, _status text, _operator bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _id FOR UPDATE;
  IF _status = 'stale' AND a.kind = 'factor_reset' AND a.status = 'approved' THEN
    UPDATE operators.approval SET status = 'stale' WHERE id = _id;
    RETURN true;
  END IF;
  IF a.id IS NULL OR a.status <> 'waiting' THEN RETURN false; END IF;
  IF _status NOT IN ('withdrawn', 'stale', 'expired') THEN RAISE EXCEPTION 'an approval does not end so' USING ERRCODE = 'OP002'; END IF;
  IF _status = 'withdrawn' AND a.made_by IS DISTINCT FROM _operator THEN RETURN false; END IF;
  IF _status = 'expired' AND (a.expires_at IS NULL OR a.expires_at > clock_timestamp()) THEN RETURN false; END IF;
  UPDATE operators.approval SET status = _status, decided_at = clock_timestamp() WHERE id = _id;
  RETURN true;
END $$;

-- Appends to the log under a lock that lasts until the transaction ends, so that an act and its entry exist together or
-- not at all, and numbers have no gap. `_before` and `_after` are canonical JSON or null.
CREATE FUNCTION operators.append_entry(_operator bigint, _session uuid, _what text, _kind text, _subject text,
  _customer bigint, _before text, _after text,
  _reason text, _note text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  head operators.log_head;
  o operators.operator;
  device text;
  now timestamptz;
  salt bytea;
  body text;
  made bytea;
BEGIN
  PERFORM _before::jsonb, _after::jsonb;
  IF _operator IS NOT NULL THEN
    SELECT * INTO STRICT o FROM operators.operator WHERE id = _operator;
    SELECT s.device INTO device FROM operators.session s WHERE s.id = _session AND s.operator = _operator;
  END IF;
  IF _note IS NOT NULL THEN salt := uuid_send(gen_random_uuid()); END IF;
  SELECT * INTO STRICT head FROM operators.log_head FOR UPDATE;
  now := date_trunc('milliseconds', clock_timestamp());
  body := '{"after":' || coalesce(_after, 'null')
    || ',"at":' || to_json(to_char(now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    || ',"before":' || coalesce(_before, 'null')
    || ',"customer":' || coalesce(to_json(_customer::text)::text, 'null')
    || ',"device":' || coalesce(to_json(device)::text, 'null')
    || ',"n":"' || head.n + 1 || '"'
    || ',"note":' || coalesce(to_json(encode(sha256(salt || convert_to(_note, 'UTF8')), 'hex'))::text, 'null')
    || ',"on":{"id":' || to_json(_subject) || ',"kind":' || to_json(_kind) || '}'
    || ',"operator":' || coalesce(to_json(_operator::text)::text, 'null')
    || ',"prev":' || to_json(encode(head.hash, 'hex'))
    || ',"reason":' || coalesce(to_json(_reason)::text, 'null')
    || ',"roles":' || CASE WHEN o.id IS NULL THEN '[]' ELSE '["' || array_to_string(o.roles, '","') || '"]' END
    || ',"v":"entry/1","what":' || to_json(_what) || '}';
  made := sha256(head.hash || convert_to(body, 'UTF8'));
  INSERT INTO operators.entry (n, at, operator, what, kind, subject, customer, text, previous, hash)
  VALUES (head.n + 1, now, _operator, _what, _kind, _subject, _customer, body, head.hash, made);
  IF _note IS NOT NULL THEN INSERT INTO operators.note (n, salt, text) VALUES (head.n + 1, salt, _note); END IF;
  UPDATE operators.log_head SET n = head.n + 1, hash = made;
  RETURN head.n + 1;
END $$;

-- Only for the owner (the command line, the start of a demonstration): creates an operator, or a new one-time secret
-- for one who never enrolled.
CREATE FUNCTION operators.create_operator(_work_name text, _roles text[], _enrolment_hash bytea, _hours integer)
  RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  made bigint;
BEGIN
  INSERT INTO operators.operator (work_name, roles, enrolment_hash, enrolment_until)
  VALUES (_work_name, _roles, _enrolment_hash, clock_timestamp() + make_interval(hours => _hours))
  RETURNING id INTO made;
  PERFORM operators.append_entry(NULL, NULL, 'operator.created', 'operator', made::text, NULL, NULL,
    '{"roles":["' || array_to_string(_roles, '","') || '"],"work_name":"' || _work_name || '"}', NULL, NULL);
  RETURN made;
END $$;

-- Uses up the one-time secret, in the transaction that writes the first password and authenticator.
CREATE FUNCTION operators.spend_enrolment(_operator bigint, _enrolment_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
BEGIN
  UPDATE operators.operator SET enrolment_hash = NULL, enrolment_until = NULL
  WHERE id = _operator AND enrolment_hash = _enrolment_hash AND enrolment_until > clock_timestamp() AND removed_at IS NULL AND frozen_at IS NULL;
  RETURN FOUND;
END $$;

-- Opens an approval; its fingerprint is the hash of the content.
CREATE FUNCTION operators.open_approval(_id uuid, _kind text, _subject text, _content text, _need integer,
  _roles text[], _made_by bigint, _about bigint[],
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

-- Returns null if it is stopped, otherwise the refusal. One person is enough: the maker, or anybody who may decide it.
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

-- Changes of operators that were applied, each once, because an old approval must not restore old roles.
CREATE TABLE operators.applied (
  approval uuid PRIMARY KEY REFERENCES operators.approval,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON operators.applied TO sathorn_app, sathorn_checker;

-- The administrators without this one. At least two must remain, because one proposes a change and another approves it.
CREATE FUNCTION operators.admins_without(_operator bigint) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = operators, pg_temp AS $$
  SELECT count(*)::integer FROM operators.operator o JOIN operators.credential c ON c.operator = o.id
  WHERE 'admin' = ANY (o.roles) AND o.removed_at IS NULL AND o.frozen_at IS NULL AND o.id <> _operator
$$;

-- Ends every credential and session of an operator.
CREATE FUNCTION operators.end_access(_operator bigint) RETURNS void
LANGUAGE plpgsql SET search_path = operators, pg_temp AS $$
BEGIN
  UPDATE operators.session SET ended_at = clock_timestamp(), ended_by = 'removed' WHERE operator = _operator AND ended_at IS NULL;
  DELETE FROM operators.claim WHERE operator = _operator;
END $$;

-- Applies a change of an operator, in the transaction of the last vote. It applies only what the approval contains,
-- whatever the caller wants.
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

-- Exports of the operators' log as signed files: who exported which part, and whether the address was used. The query
-- fixes the file's content.
CREATE TABLE operators.export (
  -- SHA-256 of the single-use secret in its address.
  ticket_hash bytea PRIMARY KEY CHECK (length(ticket_hash) = 32),
  operator bigint NOT NULL REFERENCES operators.operator,
  -- Work name, beginning of an act, and subject; null for all.
  who text,
  what text,
  subject text,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (until > since),
  -- The newest entry when the export was requested.
  upto bigint NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
GRANT SELECT, INSERT, UPDATE (used_at) ON operators.export TO sathorn_app;

-- Re-enrols an administrator who lost a device, if too few others are left to approve it. The owner's command line
-- calls it, as for the first operators, and it is logged. The application's role cannot call it.
CREATE FUNCTION operators.renew_by_owner(_work_name text, _enrolment_hash bytea, _hours integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = operators, pg_temp AS $$
DECLARE
  renewed bigint;
BEGIN
  PERFORM FROM operators.operator WHERE 'admin' = ANY (roles) ORDER BY id FOR UPDATE;
  SELECT id INTO renewed FROM operators.operator WHERE work_name = _work_name AND removed_at IS NULL FOR UPDATE;
  IF renewed IS NULL THEN RAISE EXCEPTION 'there is no operator %', _work_name USING ERRCODE = 'OP003'; END IF;
  IF operators.admins_without(renewed) >= 2 THEN
    RAISE EXCEPTION 'two other administrators can renew the access of % in the console', _work_name USING ERRCODE = 'OP003';
  END IF;
  PERFORM operators.end_access(renewed);
  DELETE FROM operators.credential WHERE operator = renewed;
  UPDATE operators.recovery_code SET used_at = clock_timestamp() WHERE operator = renewed AND used_at IS NULL;
  UPDATE operators.passkey SET removed_at = clock_timestamp() WHERE operator = renewed AND removed_at IS NULL;
  -- A frozen operator stays frozen: two people end that.
  UPDATE operators.operator SET enrolment_hash = _enrolment_hash, enrolment_until = clock_timestamp() + make_interval(hours => _hours) WHERE id = renewed;
  PERFORM operators.append_entry(NULL, NULL, 'operator.access_renewed', 'operator', renewed::text, NULL, NULL, '{"by":"owner"}', NULL, NULL);
  RETURN renewed;
END $$;

-- Opens a session of an operator together with its entry in the log; an ended session stays ended. The application
-- verifies passwords and codes, whose keys are not in this database. So its role can open a session without a sign-in,
-- but not unnoticed.
CREATE FUNCTION operators.open_session(_id uuid, _token_hash bytea, _operator bigint, _factor text, _device text,
  _address text, _at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = _operator AND o.removed_at IS NULL AND o.frozen_at IS NULL) THEN
    RAISE EXCEPTION 'operator % may not sign in', _operator USING ERRCODE = 'OP002';
  END IF;
  INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
  VALUES (_id, _token_hash, _operator, _factor, _device, _address, _at, _at);
  PERFORM operators.append_entry(_operator, _id, 'operator.signed_in', 'operator', _operator::text, NULL, NULL, '{"factor":"' || _factor || '"}', NULL, NULL);
END $$;

-- Allows a session only to be used and ended.
CREATE FUNCTION operators.keep_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL OR NEW.used_at < OLD.used_at
    OR (to_jsonb(NEW) - '{used_at,ended_at,ended_by}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{used_at,ended_at,ended_by}'::text[]) THEN
    RAISE EXCEPTION 'a session is only used and ended' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_session BEFORE UPDATE ON operators.session FOR EACH ROW EXECUTE FUNCTION operators.keep_session();

-- Allows a challenge to be confirmed once and used once, only for its own purpose.
CREATE FUNCTION operators.keep_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL
    OR OLD.confirmed_at IS NOT NULL AND (NEW.confirmed_at, NEW.confirmed_by, NEW.vote_key, NEW.proof) IS DISTINCT FROM (OLD.confirmed_at, OLD.confirmed_by, OLD.vote_key, OLD.proof)
    OR (to_jsonb(NEW) - '{confirmed_at,confirmed_by,used_at,vote_key,proof}'::text[])
      IS DISTINCT FROM (to_jsonb(OLD) - '{confirmed_at,confirmed_by,used_at,vote_key,proof}'::text[]) THEN
    RAISE EXCEPTION 'a confirmation is answered and used once' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_challenge BEFORE UPDATE ON operators.challenge FOR EACH ROW
  EXECUTE FUNCTION operators.keep_challenge();

-- Adds the signature to a person's own vote from before signatures. It changes no decision. Returns null when done,
-- otherwise the refusal.
CREATE FUNCTION operators.sign_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea,
  _challenge uuid) RETURNS text
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

-- Allows a passkey to be sealed, and then only to be used and removed.
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
CREATE TRIGGER keep_passkey BEFORE INSERT OR UPDATE ON operators.passkey FOR EACH ROW
  EXECUTE FUNCTION operators.keep_passkey();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['operators.entry', 'operators.vote', 'operators.applied'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION operators.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION operators.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['operators.operator', 'operators.approval', 'operators.log_head'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION operators.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION operators.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA operators FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operators.cast_vote, operators.refuse_vote, operators.append_entry,
  operators.spend_enrolment, operators.close_approval, operators.open_approval, operators.stop_approval,
  operators.admins_without, operators.apply_change, operators.stop_operator, operators.open_session,
  operators.sign_vote TO sathorn_app;
