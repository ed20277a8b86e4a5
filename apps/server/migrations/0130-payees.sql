-- Where customers send money: wallets and bank cards. An entry is never edited but for its name, so a withdrawal and its
-- waiting time speak of what the customer saved; removing one keeps the row.
CREATE SCHEMA payees;

CREATE TABLE payees.payee (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  owner bigint NOT NULL CHECK (owner > 0),
  kind text NOT NULL CHECK (kind IN ('card', 'wallet')),
  -- The number of its place in the list: the index below and this bound hold the limit, however many are added at once.
  place smallint NOT NULL CHECK (place >= 0 AND place < CASE kind WHEN 'card' THEN 3 ELSE 20 END),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  -- Address or account, encrypted with a key of this customer. The tag covers id, owner, kind and time as well: a row that
  -- was written, moved or dated back by hand doesn't open.
  sealed bytea NOT NULL CHECK (length(sealed) > 28),
  -- A keyed hash of the address or account, so that the same one is not added twice.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  added_at timestamptz NOT NULL,
  removed_at timestamptz CHECK (removed_at >= added_at)
);
CREATE UNIQUE INDEX payee_place ON payees.payee (owner, kind, place) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX payee_once ON payees.payee (owner, digest) WHERE removed_at IS NULL;
CREATE INDEX payee_of_owner ON payees.payee (owner, added_at);

GRANT USAGE ON SCHEMA payees TO sathorn_app, sathorn_checker;
GRANT SELECT, INSERT, UPDATE (name, removed_at) ON payees.payee TO sathorn_app;
