-- Customers: their accounts, credentials and sessions, and the protection of these.
CREATE SCHEMA customers;
GRANT USAGE ON SCHEMA customers TO sathorn_app, sathorn_checker;

-- A person with an account.
CREATE TABLE customers.customer (
  -- Ten random digits, so that an id does not reveal the number of customers. It is the owner of the ledger's accounts.
  id bigint PRIMARY KEY CHECK (id BETWEEN 1000000000 AND 9999999999),
  username text NOT NULL CHECK (username ~ '^[A-Za-z][A-Za-z0-9_.]{2,19}$'),
  -- The username with look-alike letters replaced by one of them, so that nobody can sign up under a look-alike name.
  username_key text NOT NULL UNIQUE,
  phone text UNIQUE CHECK (phone ~ '^[+][1-9][0-9]{7,14}$'),
  phone_since timestamptz,
  email text UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
  email_since timestamptz,
  nickname text NOT NULL CHECK (nickname <> ''),
  avatar text,
  currency text NOT NULL,
  language text NOT NULL,
  invite_code text NOT NULL UNIQUE CHECK (invite_code ~ '^[A-Z0-9]{8}$'),
  invited_by bigint REFERENCES customers.customer,
  invite_allowed boolean NOT NULL DEFAULT true,
  -- Consent to show wins, with a masked name, in the public list.
  public_wins boolean NOT NULL DEFAULT false,
  frozen_reason text CHECK (frozen_reason <> ''),
  created_at timestamptz NOT NULL,
  -- A keyed digest over the customer and the contact, which the application's login can't compute. Without the right
  -- digest a contact receives no codes: otherwise that login could write its own phone into a customer's row and set a
  -- new password.
  phone_mac bytea CHECK (length(phone_mac) = 32),
  email_mac bytea CHECK (length(email_mac) = 32),
  CHECK (phone IS NOT NULL OR email IS NOT NULL),
  CHECK ((phone IS NULL) = (phone_since IS NULL)),
  CHECK ((email IS NULL) = (email_since IS NULL))
);
-- Pages the list of customers by the time of their sign-up.
CREATE INDEX customer_created ON customers.customer (created_at, id);
CREATE INDEX customer_username ON customers.customer (lower(username) text_pattern_ops);
CREATE INDEX customer_inviter ON customers.customer (invited_by, created_at DESC, id) WHERE invited_by IS NOT NULL;
-- Each second the platform searches for customers who are frozen for trading, and ends their resting orders.
CREATE INDEX customer_frozen ON customers.customer (id) WHERE frozen_reason IS NOT NULL;
GRANT SELECT, INSERT (id, username, username_key, phone, phone_since, email, email_since, nickname, avatar, currency,
  language, invite_code, invited_by, created_at, phone_mac, email_mac),
  UPDATE (phone, phone_since, email, email_since, nickname, avatar, currency, language, invite_allowed, public_wins,
  frozen_reason, phone_mac, email_mac) ON customers.customer TO sathorn_app;
GRANT SELECT (id, invited_by, created_at) ON customers.customer TO sathorn_checker;

-- Password and payment password of a customer.
CREATE TABLE customers.credential (
  customer bigint NOT NULL REFERENCES customers.customer,
  kind text NOT NULL CHECK (kind IN ('login', 'payment')),
  -- argon2id, then HMAC with a pepper that is not in this database; contains its parameters and the pepper's id.
  hash text NOT NULL CHECK (hash LIKE '$argon2id$%'),
  changed_at timestamptz NOT NULL,
  -- Wrong tries of the payment password since the last right one: of this round, and in total.
  wrong integer NOT NULL DEFAULT 0 CHECK (wrong >= 0),
  wrong_in_all integer NOT NULL DEFAULT 0 CHECK (wrong_in_all >= 0),
  locked_until timestamptz,
  -- Only the application knows whether digits were right. So the database limits how often the counts of wrong tries
  -- may fall: ten times within 24 hours, by its own clock. Beyond that they only rise.
  set_back timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (customer, kind)
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE (hash, changed_at, wrong, wrong_in_all, locked_until) ON customers.credential
  TO sathorn_app;

-- Sessions of customers. A token's hash is keyed and a session's id contains its customer, so that an attacker who can
-- write rows but lacks the key cannot open an account.
CREATE TABLE customers.session (
  id uuid PRIMARY KEY,
  -- SHA-256 of a token of 256 random bits, so a reader of this table can't open a session.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  customer bigint NOT NULL REFERENCES customers.customer,
  device text NOT NULL,
  device_key bytea NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text CHECK (ended_by IN ('logout', 'customer', 'password_changed', 'password_forgotten', 'idle',
    'too_many', 'too_old', 'staff', 'factor_reset')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX session_open ON customers.session (customer) WHERE ended_at IS NULL;
-- Ended sessions are removed after half a year.
CREATE INDEX session_created ON customers.session (created_at);
-- Finds the networks of a customer's latest sessions, including ended ones.
CREATE INDEX session_latest ON customers.session (customer, created_at);
GRANT SELECT, INSERT, UPDATE (used_at, ended_at, ended_by), DELETE ON customers.session TO sathorn_app;

-- Devices from which a customer has signed in. The key is a keyed hash.
CREATE TABLE customers.device (
  customer bigint NOT NULL REFERENCES customers.customer,
  key bytea NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (customer, key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.device TO sathorn_app;

-- The newest verification code per contact and purpose, whether or not the contact has a customer.
CREATE TABLE customers.code (
  contact text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('register', 'forget', 'edit')),
  hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  used_at timestamptz,
  -- The customer who edits a contact, who gets their own code: otherwise two customers who enter the same contact would
  -- replace each other's.
  editor bigint NOT NULL DEFAULT 0,
  CHECK ((purpose = 'edit') = (editor > 0)),
  PRIMARY KEY (contact, purpose, editor)
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.code TO sathorn_app;

-- Counts of tries, such as sign-ins and codes. Subjects are keyed hashes, so the table contains neither addresses nor
-- contacts.
CREATE TABLE customers.allowance (
  subject bytea PRIMARY KEY,
  count integer NOT NULL DEFAULT 0 CHECK (count >= 0),
  -- Times of the first and of the latest counted try.
  since timestamptz NOT NULL,
  at timestamptz NOT NULL,
  blocked_until timestamptz
) WITH (fillfactor = 70);
CREATE INDEX allowance_old ON customers.allowance (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.allowance TO sathorn_app;

-- The messages that a live deployment would send by SMS and mail; demo mode only.
CREATE TABLE customers.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contact text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sms', 'email')),
  text text NOT NULL,
  code text,
  at timestamptz NOT NULL
);
CREATE INDEX outbox_contact ON customers.outbox (contact, id);
GRANT SELECT, INSERT ON customers.outbox TO sathorn_app;

-- Fails the transaction if one of the customers may not trade. Orders that are decided ahead of the ledger's lock
-- assume that all may.
CREATE FUNCTION customers.refuse_frozen(_customers bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM customers.customer WHERE id = ANY (_customers) AND frozen_reason IS NOT NULL)
    OR EXISTS (SELECT FROM customers.freeze f WHERE f.customer = ANY (_customers) AND 'trading' = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp()) THEN
    RAISE EXCEPTION 'a customer may not trade any more' USING ERRCODE = 'CU001';
  END IF;
END $$;

-- A freeze has scopes, a reason and an end, and ends by itself. One person can start it; ending it early, or moving its
-- end, requires an approval, which the database checks.
CREATE TABLE customers.freeze (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['sign_in', 'trading', 'withdrawals']),
  reason text NOT NULL CHECK (reason IN ('customer_asked', 'takeover_suspected', 'deposit_reversed',
    'duplicate_person', 'legal_order')),
  -- The operator, whose work name at that time is kept.
  made_by bigint NOT NULL,
  made_by_name text NOT NULL,
  starts_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL,
  lifted_at timestamptz,
  approval uuid,
  arrival bigint GENERATED BY DEFAULT AS IDENTITY,
  CHECK (until > starts_at AND until <= starts_at + interval '31 days'),
  CONSTRAINT lifted_by CHECK (lifted_at IS NULL OR approval IS NOT NULL
    OR (made_by = 0 AND reason = 'deposit_reversed')),
  CONSTRAINT made_by_platform CHECK (made_by <> 0 OR reason = 'deposit_reversed')
);
CREATE INDEX freeze_customer ON customers.freeze (customer, starts_at);
CREATE INDEX freeze_arrival ON customers.freeze (arrival);
CREATE INDEX freeze_open ON customers.freeze (customer) WHERE lifted_at IS NULL;
GRANT SELECT ON customers.freeze TO sathorn_app, sathorn_checker;
GRANT INSERT ON customers.freeze TO sathorn_app;

-- True if a freeze of this scope is in force now.
CREATE FUNCTION customers.is_frozen(_customer bigint, _scope text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = customers, pg_temp AS $$
  SELECT EXISTS (SELECT FROM customers.freeze f WHERE f.customer = _customer AND _scope = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp())
    OR EXISTS (SELECT FROM customers.customer c WHERE c.id = _customer AND c.frozen_reason IS NOT NULL)
$$;

-- Applies an approval of two people, in the transaction of its last vote: `freeze_lift` ends the freeze now,
-- `freeze_extend` moves its end.
CREATE FUNCTION customers.change_freeze(_freeze uuid, _approval uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  a operators.approval;
BEGIN
  SELECT * INTO a FROM operators.approval WHERE id = _approval AND subject = _freeze::text AND status = 'approved' AND kind IN ('freeze_lift', 'freeze_extend');
  IF a.id IS NULL THEN RAISE EXCEPTION 'nobody approved this change of a freeze' USING ERRCODE = 'CU002'; END IF;
  UPDATE customers.freeze SET approval = _approval,
    lifted_at = CASE a.kind WHEN 'freeze_lift' THEN clock_timestamp() END,
    until = CASE a.kind WHEN 'freeze_extend' THEN (a.content::jsonb ->> 'until')::timestamptz ELSE until END
  WHERE id = _freeze AND lifted_at IS NULL AND until > clock_timestamp() AND approval IS DISTINCT FROM _approval;
  IF NOT FOUND THEN RAISE EXCEPTION 'the freeze is over' USING ERRCODE = 'CU003'; END IF;
END $$;

-- Second factors of customers: authenticator app with recovery codes, passkeys, and proofs that one of them was used
-- for exactly one operation. Also sign-ins, and accounts that their owners froze.
CREATE TABLE customers.second_factor (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  -- The authenticator's key, encrypted with a key of this customer.
  sealed bytea NOT NULL CHECK (length(sealed) > 28),
  started_at timestamptz NOT NULL,
  -- When the first code was right; null until then.
  confirmed_at timestamptz,
  -- The last 30-second step whose code was used, because a code works once.
  used_step bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.second_factor TO sathorn_app;

-- One-time codes that replace a lost authenticator.
CREATE TABLE customers.recovery_code (
  customer bigint NOT NULL REFERENCES customers.customer,
  -- A keyed hash, so a reader of this table can't sign in.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (customer, hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.recovery_code TO sathorn_app;

-- Passkeys of customers.
CREATE TABLE customers.passkey (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 16 AND 1400 AND id ~ '^[A-Za-z0-9_-]+$'),
  customer bigint NOT NULL REFERENCES customers.customer,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  -- A keyed digest over owner, id and key, which the application's role can't compute; a passkey without it is ignored.
  -- It is empty in rows that the database's owner has yet to seal.
  mac bytea NOT NULL CHECK (length(mac) IN (0, 32))
);
CREATE INDEX passkey_customer ON customers.passkey (customer, created_at);
GRANT SELECT, INSERT (id, customer, public_key, counter, transports, name, created_at, mac),
  UPDATE (counter, used_at), DELETE ON customers.passkey TO sathorn_app;

-- A challenge to a passkey or an authenticator. For an operation, its answer is the proof, which can be used once.
CREATE TABLE customers.challenge (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('register', 'login', 'step')),
  customer bigint REFERENCES customers.customer,
  -- SHA-256 of the operation that was shown.
  operation bytea CHECK (length(operation) = 32),
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL,
  answered_at timestamptz,
  -- A keyed hash of the proof.
  proof_hash bytea UNIQUE CHECK (length(proof_hash) = 32),
  spent_at timestamptz,
  CHECK ((purpose = 'login') = (customer IS NULL)),
  CHECK ((purpose = 'step') = (operation IS NOT NULL)),
  CHECK (proof_hash IS NULL OR answered_at IS NOT NULL),
  CHECK (spent_at IS NULL OR proof_hash IS NOT NULL)
);
CREATE INDEX challenge_old ON customers.challenge (expires_at);
GRANT SELECT, INSERT, UPDATE (answered_at, proof_hash, spent_at), DELETE ON customers.challenge TO sathorn_app;

-- Changes of the second factor, which delay withdrawals for 24 hours.
CREATE TABLE customers.factor_change (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (at) ON customers.factor_change TO sathorn_app;

-- Sign-ins, and tries with a wrong password or second factor.
CREATE TABLE customers.sign_in (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  at timestamptz NOT NULL,
  device text NOT NULL,
  address text NOT NULL,
  factor text NOT NULL CHECK (factor IN ('password', 'authenticator', 'recovery_code', 'passkey', 'registration')),
  is_new_device boolean NOT NULL,
  failure text CHECK (failure IN ('password_wrong', 'second_factor_wrong', 'frozen'))
);
CREATE INDEX sign_in_customer ON customers.sign_in (customer, id DESC);
CREATE INDEX sign_in_old ON customers.sign_in (at);
GRANT SELECT, INSERT, DELETE ON customers.sign_in TO sathorn_app;

-- Freezes that customers asked for themselves.
CREATE TABLE customers.own_freeze (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  frozen_at timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (until > frozen_at)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.own_freeze TO sathorn_app;

-- Ends the freeze of a reversed deposit when nothing is owed.
CREATE FUNCTION customers.end_reversal_freezes(_customer bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  IF EXISTS (SELECT FROM deposits.shortfall WHERE customer_id = _customer AND units > 0) THEN
    RAISE EXCEPTION 'customer % still owes', _customer USING ERRCODE = 'CU004';
  END IF;
  UPDATE customers.freeze SET lifted_at = clock_timestamp()
  WHERE customer = _customer AND made_by = 0 AND reason = 'deposit_reversed' AND lifted_at IS NULL AND until > clock_timestamp();
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END $$;

-- Returns the frozen ones of the customers. Until the transaction ends nobody can freeze the others: a freeze is either
-- seen here or begins after the decision.
CREATE FUNCTION customers.lock_frozen(_customers bigint[], _scope text) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('freeze:' || c, 0)) FROM (SELECT DISTINCT unnest(_customers) AS c ORDER BY c) ordered;
  RETURN QUERY SELECT c FROM unnest(_customers) c WHERE customers.is_frozen(c, _scope);
END $$;

-- Makes a freeze wait for running decisions, so that every earlier trade of the customer is older than the freeze. Once
-- it has committed, no trade of theirs is written: the matcher decides the batch again and ends their orders, and the
-- other order meets the next one or rests.
CREATE FUNCTION customers.wait_for_decisions() RETURNS trigger LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('freeze:' || CASE TG_TABLE_NAME WHEN 'freeze' THEN to_jsonb(NEW) ->> 'customer' ELSE to_jsonb(NEW) ->> 'id' END, 0));
  IF TG_TABLE_NAME = 'freeze' THEN NEW.starts_at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wait_for_decisions BEFORE INSERT ON customers.freeze FOR EACH ROW
  EXECUTE FUNCTION customers.wait_for_decisions();
CREATE TRIGGER wait_for_decisions BEFORE UPDATE OF frozen_reason ON customers.customer FOR EACH ROW
  WHEN (NEW.frozen_reason IS DISTINCT FROM OLD.frozen_reason) EXECUTE FUNCTION customers.wait_for_decisions();

-- The word by which a customer recognises our messages. It is sealed, because a reader could imitate us.
CREATE TABLE customers.anti_phishing (
  customer bigint PRIMARY KEY REFERENCES customers.customer (id),
  sealed bytea NOT NULL,
  changed_at timestamptz NOT NULL
);
GRANT SELECT ON customers.anti_phishing TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE, DELETE ON customers.anti_phishing TO sathorn_app;

-- When the customer's credentials last changed. A return waits like a withdrawal: for 24 hours after a change, and
-- while the customer is frozen. A kept deposit is credited or sent back exactly as two people approved.
CREATE FUNCTION customers.credentials_changed_at(_customer bigint) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  -- The credentials from the sign-up don't count as a change.
  SELECT max(at) FROM (
    SELECT r.changed_at AS at FROM customers.credential r JOIN customers.customer c ON c.id = r.customer WHERE r.customer = _customer AND r.changed_at > c.created_at
    UNION ALL SELECT unnest(ARRAY[phone_since, email_since]) FROM customers.customer WHERE id = _customer AND greatest(phone_since, email_since) > created_at
    UNION ALL SELECT at FROM customers.factor_change WHERE customer = _customer) changes
$$;

-- True if withdrawals are delayed: the credentials changed within 24 hours, or withdrawals are frozen.
CREATE FUNCTION customers.is_held(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT coalesce(customers.credentials_changed_at(_customer) > clock_timestamp() - interval '24 hours', false) OR customers.is_frozen(_customer, 'withdrawals')
$$;

-- Requests by customers who lost the second factor and the recovery codes to remove it. The database enforces the rule:
-- seven days have passed by its own clock, two people of compliance approved, nobody stopped it, and the factor was not
-- used.
CREATE TABLE customers.factor_reset (
  id uuid PRIMARY KEY,
  customer bigint NOT NULL REFERENCES customers.customer,
  -- A trigger sets this time and the end, so that the application's clock does not matter.
  asked_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL CHECK (due_at = asked_at + interval '7 days'),
  -- The device and the address of the request.
  device text NOT NULL,
  address text NOT NULL,
  is_known_device boolean NOT NULL,
  is_known_network boolean NOT NULL,
  approval uuid NOT NULL UNIQUE,
  reminded_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stopped', 'rejected', 'done', 'lapsed')),
  ended_at timestamptz,
  stopped_by text CHECK (stopped_by IN ('session', 'word', 'factor', 'staff')),
  CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CHECK ((state = 'stopped') = (stopped_by IS NOT NULL))
);
CREATE UNIQUE INDEX factor_reset_waiting ON customers.factor_reset (customer) WHERE state = 'waiting';
CREATE INDEX factor_reset_due ON customers.factor_reset (due_at) WHERE state = 'waiting';
CREATE INDEX factor_reset_of ON customers.factor_reset (customer, asked_at DESC);
CREATE INDEX factor_reset_ended ON customers.factor_reset (ended_at DESC, id) WHERE state <> 'waiting';
GRANT SELECT, INSERT, UPDATE (reminded_at, state, ended_at, stopped_by) ON customers.factor_reset TO sathorn_app;

-- The latest use of an authenticator, a recovery code or a passkey; null for never. A code of the next 30 seconds is
-- accepted, so a step counts from 30 seconds before.
CREATE FUNCTION customers.factor_used_at(_customer bigint) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT greatest(
    (SELECT max(at) FROM customers.sign_in WHERE customer = _customer AND failure IS NULL AND factor IN ('authenticator', 'recovery_code', 'passkey')),
    (SELECT max(used_at) FROM customers.recovery_code WHERE customer = _customer),
    (SELECT max(used_at) FROM customers.passkey WHERE customer = _customer),
    (SELECT to_timestamp(30 * used_step - 30) FROM customers.second_factor WHERE customer = _customer AND used_step > 0))
$$;

-- True if anybody but the owner has frozen the account's sign-in.
CREATE FUNCTION customers.is_barred(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = customers, pg_temp AS $$
  SELECT EXISTS (SELECT FROM customers.freeze f WHERE f.customer = _customer AND 'sign_in' = ANY (f.scopes) AND f.lifted_at IS NULL AND f.until > clock_timestamp())
    OR EXISTS (SELECT FROM customers.customer c WHERE c.id = _customer AND c.frozen_reason <> 'own_request')
$$;

-- Requires that a reset begins as waiting, after the customer's previous one has ended, and with an open approval.
CREATE FUNCTION customers.begin_factor_reset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  NEW.asked_at := clock_timestamp();
  NEW.due_at := NEW.asked_at + interval '7 days';
  IF NEW.state <> 'waiting' OR NEW.reminded_at IS NOT NULL THEN RAISE EXCEPTION 'a reset begins by waiting' USING ERRCODE = 'FR001'; END IF;
  IF EXISTS (SELECT FROM customers.factor_reset r WHERE r.customer = NEW.customer AND r.ended_at > clock_timestamp() - interval '7 days') THEN
    RAISE EXCEPTION 'the last reset of customer % has ended a moment ago', NEW.customer USING ERRCODE = 'FR002';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'factor_reset' AND a.subject = NEW.id::text
    AND a.need >= 2 AND a.status = 'waiting' AND NEW.customer = ANY (a.about)) THEN
    RAISE EXCEPTION 'nobody is asked to approve reset %', NEW.id USING ERRCODE = 'FR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_factor_reset BEFORE INSERT ON customers.factor_reset FOR EACH ROW
  EXECUTE FUNCTION customers.begin_factor_reset();

-- Requires that a reset takes effect only when it is due, approved by two people, and neither stopped nor overtaken by
-- a use of the factor.
CREATE FUNCTION customers.check_factor_reset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF OLD.state <> 'waiting' OR (to_jsonb(NEW) - '{state,ended_at,stopped_by,reminded_at}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{state,ended_at,stopped_by,reminded_at}'::text[]) THEN
    RAISE EXCEPTION 'reset % is over', OLD.id USING ERRCODE = 'FR001';
  END IF;
  IF NEW.state = 'waiting' THEN RETURN NEW; END IF;
  NEW.ended_at := clock_timestamp();
  IF NEW.state <> 'done' THEN RETURN NEW; END IF;
  IF NEW.due_at > clock_timestamp() THEN RAISE EXCEPTION 'reset % is not due', NEW.id USING ERRCODE = 'FR004'; END IF;
  IF customers.factor_used_at(NEW.customer) >= NEW.asked_at THEN RAISE EXCEPTION 'reset %: the factor is in use', NEW.id USING ERRCODE = 'FR005'; END IF;
  IF customers.is_barred(NEW.customer) THEN
    RAISE EXCEPTION 'reset %: the account is frozen', NEW.id USING ERRCODE = 'FR006';
  END IF;
  IF NOT EXISTS (SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'factor_reset' AND a.subject = NEW.id::text AND a.status = 'approved')
    OR (SELECT count(DISTINCT v.operator) FROM operators.vote v WHERE v.approval = NEW.approval AND v.decision = 'approve') < 2 THEN
    RAISE EXCEPTION 'two people have not approved reset %', NEW.id USING ERRCODE = 'FR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_factor_reset BEFORE UPDATE ON customers.factor_reset FOR EACH ROW
  EXECUTE FUNCTION customers.check_factor_reset();

-- Resets can't be deleted.
CREATE FUNCTION customers.keep_factor_reset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on customers.factor_reset', TG_OP USING ERRCODE = 'FR001';
END $$;

-- Allows changes of counter and last use only. This also applies to the database's owner, except for sealing.
CREATE FUNCTION customers.keep_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF length(NEW.mac) <> 32 THEN RAISE EXCEPTION 'a passkey is sealed' USING ERRCODE = 'OP001'; END IF;
  ELSIF NEW.counter < OLD.counter OR length(OLD.mac) = 32 AND NEW.mac <> OLD.mac
    OR (to_jsonb(NEW) - '{counter,used_at,mac}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{counter,used_at,mac}'::text[]) THEN
    RAISE EXCEPTION 'a passkey is only used and removed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_passkey BEFORE INSERT OR UPDATE ON customers.passkey FOR EACH ROW
  EXECUTE FUNCTION customers.keep_passkey();

-- Dates a new contact by the database's clock; an unchanged one keeps its time. Tests with their own clock set it.
CREATE FUNCTION customers.keep_contact() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
DECLARE
  is_virtual CONSTANT boolean := (SELECT virtual_clock FROM market.guard);
BEGIN
  IF NEW.phone IS DISTINCT FROM OLD.phone THEN
    IF NOT is_virtual THEN NEW.phone_since := greatest(NEW.phone_since, clock_timestamp()); END IF;
  ELSIF OLD.phone_since IS DISTINCT FROM NEW.phone_since OR OLD.phone_mac IS NOT NULL AND OLD.phone_mac IS DISTINCT FROM NEW.phone_mac THEN
    RAISE EXCEPTION 'the time and the digest of a contact stay' USING ERRCODE = 'CU001';
  END IF;
  IF NEW.email IS DISTINCT FROM OLD.email THEN
    IF NOT is_virtual THEN NEW.email_since := greatest(NEW.email_since, clock_timestamp()); END IF;
  ELSIF OLD.email_since IS DISTINCT FROM NEW.email_since OR OLD.email_mac IS NOT NULL AND OLD.email_mac IS DISTINCT FROM NEW.email_mac THEN
    RAISE EXCEPTION 'the time and the digest of a contact stay' USING ERRCODE = 'CU001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_contact BEFORE UPDATE OF phone, phone_since, phone_mac, email, email_since, email_mac
  ON customers.customer FOR EACH ROW EXECUTE FUNCTION customers.keep_contact();

-- Dates a new password by the database's clock; an unchanged one keeps its time.
CREATE FUNCTION customers.keep_credential() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF NEW.hash = OLD.hash THEN
    NEW.changed_at := OLD.changed_at;
  ELSIF NOT (SELECT virtual_clock FROM market.guard) THEN
    NEW.changed_at := greatest(NEW.changed_at, clock_timestamp());
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_credential BEFORE UPDATE OF hash, changed_at ON customers.credential FOR EACH ROW
  EXECUTE FUNCTION customers.keep_credential();

-- Records a change whenever a factor begins, ends or is replaced, whoever does it. The time of the last change never
-- goes back.
CREATE FUNCTION customers.note_factor_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = customers, pg_temp AS $$
BEGIN
  IF NOT (SELECT virtual_clock FROM market.guard) THEN
    INSERT INTO factor_change (customer, at) VALUES (coalesce(NEW.customer, OLD.customer), clock_timestamp())
    ON CONFLICT (customer) DO UPDATE SET at = greatest(factor_change.at, excluded.at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_change AFTER INSERT OR DELETE ON customers.passkey FOR EACH ROW
  EXECUTE FUNCTION customers.note_factor_change();
CREATE TRIGGER note_end AFTER DELETE ON customers.second_factor FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION customers.note_factor_change();
CREATE TRIGGER note_change AFTER UPDATE ON customers.second_factor FOR EACH ROW
  WHEN (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at OR OLD.confirmed_at IS NOT NULL
  AND (OLD.sealed, OLD.started_at) IS DISTINCT FROM (NEW.sealed, NEW.started_at))
  EXECUTE FUNCTION customers.note_factor_change();

-- Keeps the time of the last change of a factor from going back.
CREATE FUNCTION customers.keep_factor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.customer <> OLD.customer OR NEW.at < OLD.at THEN
    RAISE EXCEPTION 'the time of the last change of a factor does not go back' USING ERRCODE = 'CU001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_factor_change BEFORE UPDATE ON customers.factor_change FOR EACH ROW
  EXECUTE FUNCTION customers.keep_factor_change();

-- Limits how often counts of wrong tries may fall: ten times within 24 hours.
CREATE FUNCTION customers.keep_tries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers,
  pg_temp AS $$
BEGIN
  NEW.set_back := ARRAY(SELECT t FROM unnest(OLD.set_back) AS t WHERE t > clock_timestamp() - interval '24 hours');
  IF NEW.wrong >= OLD.wrong AND NEW.wrong_in_all >= OLD.wrong_in_all AND coalesce(NEW.locked_until >= OLD.locked_until, OLD.locked_until IS NULL)
    -- A day's lock is over, and a new round begins.
    OR NEW.wrong_in_all > OLD.wrong_in_all AND OLD.locked_until <= clock_timestamp() THEN
    RETURN NEW;
  END IF;
  IF cardinality(NEW.set_back) < 10 THEN
    NEW.set_back := NEW.set_back || clock_timestamp();
  ELSE
    NEW.wrong := greatest(OLD.wrong, NEW.wrong);
    NEW.wrong_in_all := greatest(OLD.wrong_in_all, NEW.wrong_in_all);
    NEW.locked_until := greatest(OLD.locked_until, NEW.locked_until);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_tries BEFORE UPDATE ON customers.credential FOR EACH ROW EXECUTE FUNCTION customers.keep_tries();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['customers.factor_reset'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION customers.keep_factor_reset()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION customers.keep_factor_reset()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA customers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.refuse_frozen, customers.end_reversal_freezes, customers.is_frozen,
  customers.change_freeze, customers.lock_frozen, customers.credentials_changed_at, customers.factor_used_at,
  customers.is_barred TO sathorn_app;
GRANT EXECUTE ON FUNCTION customers.is_held TO sathorn_app, sathorn_signer, sathorn_checker;
