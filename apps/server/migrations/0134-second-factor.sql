-- A second factor of customers: authenticator app with recovery codes, passkeys, and proofs that one of them was used for
-- exactly one operation. Besides: where an account was signed in, and an account that its owner froze.

CREATE TABLE customers.second_factor (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  -- The authenticator's key, encrypted with a key of this customer.
  sealed bytea NOT NULL CHECK (length(sealed) > 28),
  started_at timestamptz NOT NULL,
  -- Null until a code was right.
  confirmed_at timestamptz,
  -- The last 30 seconds whose code was used: a code counts once.
  used_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE customers.recovery_code (
  customer bigint NOT NULL REFERENCES customers.customer,
  -- A keyed hash: a reader of this table can't sign in.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (customer, hash)
);

CREATE TABLE customers.passkey (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 16 AND 1400 AND id ~ '^[A-Za-z0-9_-]+$'),
  customer bigint NOT NULL REFERENCES customers.customer,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX passkey_customer ON customers.passkey (customer, created_at);

-- A question to a passkey or an authenticator. For an operation, its answer is the proof that is spent once.
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

-- Changes of the second factor, for the 24 hours that withdrawals wait afterwards.
CREATE TABLE customers.factor_change (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  at timestamptz NOT NULL
);

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

CREATE TABLE customers.own_freeze (
  customer bigint PRIMARY KEY REFERENCES customers.customer,
  frozen_at timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (until > frozen_at)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON customers.second_factor, customers.recovery_code, customers.passkey, customers.own_freeze TO sathorn_app;
GRANT SELECT, INSERT, UPDATE (answered_at, proof_hash, spent_at), DELETE ON customers.challenge TO sathorn_app;
GRANT SELECT, INSERT, UPDATE (at) ON customers.factor_change TO sathorn_app;
GRANT SELECT, INSERT, DELETE ON customers.sign_in TO sathorn_app;
