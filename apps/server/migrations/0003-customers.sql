-- Customers: who they are, what they sign in with, where they are signed in, and what protects all that.
CREATE SCHEMA customers;

CREATE TABLE customers.customer (
  -- Ten random digits, so that an id tells nobody how many customers there are. The owner of the ledger's accounts.
  id bigint PRIMARY KEY CHECK (id BETWEEN 1000000000 AND 9999999999),
  username text NOT NULL CHECK (username ~ '^[A-Za-z][A-Za-z0-9_.]{2,19}$'),
  -- What remains of the username when look-alikes are one: nobody can sign up as another's twin.
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
  CHECK (phone IS NOT NULL OR email IS NOT NULL),
  CHECK ((phone IS NULL) = (phone_since IS NULL)),
  CHECK ((email IS NULL) = (email_since IS NULL))
);

CREATE TABLE customers.credential (
  customer bigint NOT NULL REFERENCES customers.customer,
  kind text NOT NULL CHECK (kind IN ('login', 'payment')),
  -- argon2id, then HMAC with a pepper that is not in this database; names its parameters and the pepper.
  hash text NOT NULL CHECK (hash LIKE '$argon2id$%'),
  changed_at timestamptz NOT NULL,
  -- Wrong tries of the payment password since the last right one: of this round, and in all.
  wrong integer NOT NULL DEFAULT 0 CHECK (wrong >= 0),
  wrong_in_all integer NOT NULL DEFAULT 0 CHECK (wrong_in_all >= 0),
  locked_until timestamptz,
  PRIMARY KEY (customer, kind)
) WITH (fillfactor = 80);

CREATE TABLE customers.session (
  id uuid PRIMARY KEY,
  -- SHA-256 of a token of 256 random bits: a reader of this table can't open a session.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  customer bigint NOT NULL REFERENCES customers.customer,
  device text NOT NULL,
  device_key bytea NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text CHECK (ended_by IN ('logout', 'customer', 'password_changed', 'password_forgotten', 'idle', 'too_many')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX session_open ON customers.session (customer) WHERE ended_at IS NULL;

-- Devices that a customer has signed in from. The key is a keyed hash.
CREATE TABLE customers.device (
  customer bigint NOT NULL REFERENCES customers.customer,
  key bytea NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (customer, key)
);

-- The newest verification code for each contact and purpose, whether or not there is such a customer.
CREATE TABLE customers.code (
  contact text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('register', 'forget', 'edit')),
  hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  used_at timestamptz,
  PRIMARY KEY (contact, purpose)
) WITH (fillfactor = 80);

-- How often something was tried: sign-ins, codes. Subjects are keyed hashes, so no address and no contact lies here.
CREATE TABLE customers.allowance (
  subject bytea PRIMARY KEY,
  count integer NOT NULL DEFAULT 0 CHECK (count >= 0),
  -- Of the first and of the latest try that count.
  since timestamptz NOT NULL,
  at timestamptz NOT NULL,
  blocked_until timestamptz
) WITH (fillfactor = 70);
CREATE INDEX allowance_old ON customers.allowance (at);

-- Demo mode only: what would have been sent by SMS and mail.
CREATE TABLE customers.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contact text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sms', 'email')),
  text text NOT NULL,
  code text,
  at timestamptz NOT NULL
);
CREATE INDEX outbox_contact ON customers.outbox (contact, id);

GRANT USAGE ON SCHEMA customers TO sathorn_app, sathorn_checker;
-- Id, username and inviter are for good.
GRANT SELECT, INSERT, UPDATE (phone, phone_since, email, email_since, nickname, avatar, currency, language, invite_allowed, public_wins, frozen_reason)
  ON customers.customer TO sathorn_app;
GRANT SELECT, INSERT, UPDATE (hash, changed_at, wrong, wrong_in_all, locked_until) ON customers.credential TO sathorn_app;
GRANT SELECT, INSERT, UPDATE (used_at, ended_at, ended_by) ON customers.session TO sathorn_app;
-- Neither history nor money: what is no longer needed goes, contacts of people who never signed up above all.
GRANT SELECT, INSERT, UPDATE, DELETE ON customers.device, customers.allowance, customers.code TO sathorn_app;
GRANT SELECT, INSERT ON customers.outbox TO sathorn_app;
-- The checker compares the ledger's owners with the customers that there are.
GRANT SELECT (id) ON customers.customer TO sathorn_checker;
