-- Operators: who they are, how they sign in, what they did, and what two of them must decide together. What the application's role could turn
-- into a second person (operators, roles, votes, entries of the log) it may only read; it writes them through functions that check first.
CREATE SCHEMA operators;

CREATE TABLE operators.operator (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  work_name text NOT NULL UNIQUE CHECK (work_name ~ '^[a-z][a-z0-9.-]{1,19}$'),
  roles text[] NOT NULL CHECK (cardinality(roles) > 0 AND roles <@ ARRAY['support', 'compliance', 'finance', 'content', 'admin']),
  -- The person's own account as a customer, so that nobody decides about themselves.
  customer bigint UNIQUE,
  -- SHA-256 of the one-time secret that makes the first password and authenticator.
  enrolment_hash bytea CHECK (length(enrolment_hash) = 32),
  enrolment_until timestamptz,
  frozen_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((enrolment_hash IS NULL) = (enrolment_until IS NULL))
);

CREATE TABLE operators.credential (
  operator bigint PRIMARY KEY REFERENCES operators.operator,
  password text NOT NULL CHECK (password LIKE '$argon2id$%'),
  -- The authenticator's key, sealed with a key that is not in this database.
  authenticator bytea NOT NULL,
  -- The last 30 seconds whose code was used: a code counts once.
  used_step bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL
);

CREATE TABLE operators.recovery_code (
  operator bigint NOT NULL REFERENCES operators.operator,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (operator, hash)
);

CREATE TABLE operators.passkey (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{16,1400}$'),
  operator bigint NOT NULL REFERENCES operators.operator,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  removed_at timestamptz
);
CREATE INDEX passkey_operator ON operators.passkey (operator);

-- Wrong tries to sign in. Subjects are keyed hashes of a name with or without the network that it was tried from.
CREATE TABLE operators.attempt (
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  wrong integer NOT NULL CHECK (wrong > 0),
  at timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL
) WITH (fillfactor = 80);

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

-- A challenge for a passkey or a code: to sign in (no operator yet), to add a device, or for one decision (`fingerprint`).
CREATE TABLE operators.challenge (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('login', 'device', 'decision')),
  operator bigint REFERENCES operators.operator,
  session uuid REFERENCES operators.session,
  -- What is decided: kind of act, id of its subject, digest of what was shown.
  act text,
  subject text,
  fingerprint bytea CHECK (length(fingerprint) = 32),
  challenge text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- The person answered it; what it is used for says so once.
  confirmed_at timestamptz,
  confirmed_by text CHECK (confirmed_by IN ('authenticator', 'passkey')),
  used_at timestamptz,
  CHECK (purpose <> 'decision' OR (operator IS NOT NULL AND session IS NOT NULL AND act IS NOT NULL AND subject IS NOT NULL)),
  CHECK ((confirmed_at IS NULL) = (confirmed_by IS NULL)),
  CHECK (used_at IS NULL OR confirmed_at IS NOT NULL)
);
CREATE INDEX challenge_old ON operators.challenge (expires_at);

-- Who works on what. A courtesy: versions and votes are what holds.
CREATE TABLE operators.claim (
  kind text NOT NULL CHECK (kind <> ''),
  subject text NOT NULL CHECK (subject <> ''),
  operator bigint NOT NULL REFERENCES operators.operator,
  since timestamptz NOT NULL,
  kept_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
) WITH (fillfactor = 70);

-- The log. `text` is the entry in canonical form (RFC 8785) and `hash` is SHA-256(previous || text): whoever has a newer hash can tell whether
-- an entry was changed, dropped or put in between.
CREATE TABLE operators.entry (
  n bigint PRIMARY KEY CHECK (n > 0),
  at timestamptz NOT NULL,
  -- Null: the platform did it by itself.
  operator bigint REFERENCES operators.operator,
  what text NOT NULL CHECK (what ~ '^[a-z][a-z_.]{2,60}$'),
  kind text NOT NULL,
  subject text NOT NULL,
  -- Whom it concerns: this customer may read it.
  customer bigint,
  text text NOT NULL,
  previous bytea NOT NULL CHECK (length(previous) = 32),
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32)
);
CREATE INDEX entry_operator ON operators.entry (operator, n);
CREATE INDEX entry_subject ON operators.entry (kind, subject, n);
CREATE INDEX entry_customer ON operators.entry (customer, n) WHERE customer IS NOT NULL;

-- Free texts are beside the chain, which holds only their salted digest: they can be erased without breaking it.
CREATE TABLE operators.note (
  n bigint PRIMARY KEY REFERENCES operators.entry,
  salt bytea NOT NULL CHECK (length(salt) = 16),
  text text NOT NULL
);

CREATE TABLE operators.log_head (
  is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head),
  n bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
);
INSERT INTO operators.log_head DEFAULT VALUES;

-- What waits for one or two people.
CREATE TABLE operators.approval (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind ~ '^[a-z][a-z_]{2,40}$'),
  subject text NOT NULL CHECK (subject <> ''),
  -- Exactly what is approved, in canonical form, and its SHA-256.
  content text NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  need smallint NOT NULL CHECK (need IN (1, 2)),
  roles text[] NOT NULL CHECK (cardinality(roles) > 0),
  -- The operator who asks; null when a customer does.
  made_by bigint REFERENCES operators.operator,
  -- Customers whom it concerns, their inviters too: nobody decides about themselves or those.
  about bigint[] NOT NULL DEFAULT '{}',
  reason text,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'stale')),
  decided_at timestamptz,
  CHECK ((status = 'waiting') = (decided_at IS NULL))
);
-- One at a time waits for the same subject: two that both pass would do it twice.
CREATE UNIQUE INDEX approval_waiting ON operators.approval (kind, subject) WHERE status = 'waiting';
CREATE INDEX approval_made ON operators.approval (made_at);
CREATE INDEX approval_subject ON operators.approval (kind, subject);

CREATE TABLE operators.vote (
  approval uuid NOT NULL REFERENCES operators.approval,
  operator bigint NOT NULL REFERENCES operators.operator,
  session uuid NOT NULL REFERENCES operators.session,
  decision text NOT NULL CHECK (decision IN ('approve', 'reject')),
  fingerprint bytea NOT NULL,
  -- The role that allowed it, as it was at this moment.
  role text NOT NULL,
  reason text,
  challenge uuid REFERENCES operators.challenge,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- One person decides once.
  PRIMARY KEY (approval, operator)
);

CREATE FUNCTION operators.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'OP001';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['entry', 'vote'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON operators.%I FOR EACH ROW EXECUTE FUNCTION operators.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON operators.%I FOR EACH STATEMENT EXECUTE FUNCTION operators.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['operator', 'approval', 'log_head'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON operators.%I FOR EACH ROW EXECUTE FUNCTION operators.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON operators.%I FOR EACH STATEMENT EXECUTE FUNCTION operators.refuse_change()', name);
  END LOOP;
END $$;

-- What was asked for stays as it was asked for; only how it ended is written later, once.
CREATE FUNCTION operators.keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'status' - 'decided_at') IS DISTINCT FROM (to_jsonb(OLD) - 'status' - 'decided_at') OR OLD.status <> 'waiting' THEN
    RAISE EXCEPTION 'an approval is not changed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_approval BEFORE UPDATE ON operators.approval FOR EACH ROW EXECUTE FUNCTION operators.keep_approval();

-- Null when this person may decide now, otherwise the refusal. Said before money moves, and enforced below whatever was said.
CREATE FUNCTION operators.refuse_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea) RETURNS text
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
  IF o.customer = ANY (a.about) THEN RETURN 'conflict_of_interest'; END IF;
  IF EXISTS (SELECT FROM operators.vote v WHERE v.approval = _approval AND v.operator = _operator) THEN RETURN 'already_voted'; END IF;
  IF a.status <> 'waiting' THEN RETURN 'already_decided'; END IF;
  IF a.expires_at <= clock_timestamp() THEN RETURN 'approval_expired'; END IF;
  IF a.fingerprint <> _fingerprint THEN RETURN 'fingerprint_stale'; END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION operators.check_vote() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refusal text := operators.refuse_vote(NEW.approval, NEW.operator, NEW.session, NEW.fingerprint);
BEGIN
  IF refusal IS NOT NULL THEN RAISE EXCEPTION 'the vote is refused: %', refusal USING ERRCODE = 'OP002'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_vote BEFORE INSERT ON operators.vote FOR EACH ROW EXECUTE FUNCTION operators.check_vote();

-- A vote, and what it makes of the approval. Refusals are answers, not errors: the caller rolls back or goes on.
CREATE FUNCTION operators.cast_vote(_approval uuid, _operator bigint, _session uuid, _fingerprint bytea, _decision text, _reason text, _challenge uuid)
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
  -- The person confirmed exactly this, a moment ago, and for this vote only.
  IF _challenge IS NULL THEN refusal := 'step_up_required'; RETURN NEXT; RETURN; END IF;
  UPDATE operators.challenge SET used_at = clock_timestamp()
  WHERE id = _challenge AND purpose = 'decision' AND operator = _operator AND session = _session AND confirmed_at IS NOT NULL AND used_at IS NULL
    AND act = 'approval.' || _decision AND subject = _approval::text AND fingerprint = _fingerprint AND expires_at > clock_timestamp()
  RETURNING * INTO c;
  IF c.id IS NULL THEN refusal := 'step_up_expired'; RETURN NEXT; RETURN; END IF;
  INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role, reason, challenge)
  SELECT _approval, _operator, _session, _decision, _fingerprint, r.role, _reason, _challenge
  FROM operators.operator o, unnest(o.roles) AS r(role) WHERE o.id = _operator AND r.role = ANY (a.roles) ORDER BY r.role LIMIT 1;
  SELECT count(*) INTO given FROM operators.vote v WHERE v.approval = _approval AND v.decision = 'approve';
  -- One person stops, as many as it needs start.
  IF _decision = 'reject' THEN
    UPDATE operators.approval SET status = 'rejected', decided_at = clock_timestamp() WHERE id = _approval;
  ELSIF given >= a.need THEN
    UPDATE operators.approval SET status = 'approved', decided_at = clock_timestamp() WHERE id = _approval;
  END IF;
  RETURN QUERY SELECT NULL::text, given, a.need::integer, _decision = 'reject' OR given >= a.need;
END $$;

CREATE FUNCTION operators.open_approval(_id uuid, _kind text, _subject text, _content text, _need integer, _roles text[], _made_by bigint, _about bigint[],
  _reason text, _expires_at timestamptz) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  made bytea := sha256(convert_to(_content, 'UTF8'));
BEGIN
  PERFORM _content::jsonb;
  INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, about, reason, expires_at)
  VALUES (_id, _kind, _subject, _content, made, _need, _roles, _made_by, _about, _reason, _expires_at);
  RETURN made;
END $$;

-- Withdrawn by its maker, overtaken by a newer one, or run out. It never approves.
CREATE FUNCTION operators.close_approval(_id uuid, _status text, _operator bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _id FOR UPDATE;
  IF a.id IS NULL OR a.status <> 'waiting' THEN RETURN false; END IF;
  IF _status NOT IN ('withdrawn', 'stale', 'expired') THEN RAISE EXCEPTION 'an approval does not end so' USING ERRCODE = 'OP002'; END IF;
  IF _status = 'withdrawn' AND a.made_by IS DISTINCT FROM _operator THEN RETURN false; END IF;
  IF _status = 'expired' AND (a.expires_at IS NULL OR a.expires_at > clock_timestamp()) THEN RETURN false; END IF;
  UPDATE operators.approval SET status = _status, decided_at = clock_timestamp() WHERE id = _id;
  RETURN true;
END $$;

-- Appends to the log under a lock that lasts until the transaction ends: an act and its entry are there together or not at all, and no entry is
-- ever skipped. `_before` and `_after` are canonical JSON or null.
CREATE FUNCTION operators.append_entry(_operator bigint, _session uuid, _what text, _kind text, _subject text, _customer bigint, _before text, _after text,
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

-- For the owner only (the command line, the start of a demonstration): a new operator, or a new one-time secret for one who never began.
CREATE FUNCTION operators.create_operator(_work_name text, _roles text[], _enrolment_hash bytea, _hours integer) RETURNS bigint
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

-- The one-time secret is spent by the transaction that writes the first password and authenticator.
CREATE FUNCTION operators.spend_enrolment(_operator bigint, _enrolment_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = operators, pg_temp AS $$
BEGIN
  UPDATE operators.operator SET enrolment_hash = NULL, enrolment_until = NULL
  WHERE id = _operator AND enrolment_hash = _enrolment_hash AND enrolment_until > clock_timestamp() AND removed_at IS NULL AND frozen_at IS NULL;
  RETURN FOUND;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA operators FROM PUBLIC;
GRANT USAGE ON SCHEMA operators TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION operators.refuse_vote, operators.cast_vote, operators.open_approval, operators.close_approval, operators.append_entry,
  operators.spend_enrolment TO sathorn_app;
GRANT SELECT ON operators.operator, operators.entry, operators.note, operators.log_head, operators.approval, operators.vote TO sathorn_app, sathorn_checker;
GRANT SELECT, INSERT ON operators.credential, operators.recovery_code, operators.passkey, operators.session, operators.challenge TO sathorn_app;
GRANT UPDATE (password, authenticator, used_step, changed_at) ON operators.credential TO sathorn_app;
GRANT UPDATE (used_at) ON operators.recovery_code TO sathorn_app;
GRANT UPDATE (counter, used_at, removed_at) ON operators.passkey TO sathorn_app;
GRANT UPDATE (used_at, ended_at, ended_by) ON operators.session TO sathorn_app;
GRANT UPDATE (confirmed_at, confirmed_by, used_at) ON operators.challenge TO sathorn_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON operators.claim, operators.attempt TO sathorn_app;
-- Votes and entries of sessions that the checker follows; never a token's hash.
GRANT SELECT (id, operator, factor, created_at, ended_at) ON operators.session TO sathorn_checker;
