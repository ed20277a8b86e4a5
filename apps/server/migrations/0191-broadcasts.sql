-- A notice to many customers is one row. A row per customer is written only when that customer reads it.
CREATE TABLE messages.broadcast (
  -- From the same counter as a customer's own notices, so that both are one list in the order in which they were sent.
  sequence bigint PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('messages.message', 'sequence')),
  id text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{16}$'),
  -- By language: title, plain content, and the tree or null.
  texts jsonb NOT NULL CHECK (jsonb_typeof(texts) = 'object'),
  level smallint CHECK (level >= 0),
  customer bigint CHECK (customer > 0),
  at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > at),
  withdrawn_at timestamptz,
  CHECK (level IS NULL OR customer IS NULL)
);
CREATE INDEX broadcast_ends ON messages.broadcast (ends_at);

CREATE TABLE messages.broadcast_read (
  customer bigint NOT NULL CHECK (customer > 0),
  broadcast bigint NOT NULL REFERENCES messages.broadcast,
  at timestamptz NOT NULL,
  PRIMARY KEY (customer, broadcast)
);
CREATE INDEX broadcast_readers ON messages.broadcast_read (broadcast);

GRANT SELECT, INSERT (id, texts, level, customer, at, ends_at) ON messages.broadcast TO sathorn_app;
GRANT UPDATE (withdrawn_at) ON messages.broadcast TO sathorn_app;
GRANT SELECT, INSERT ON messages.broadcast_read TO sathorn_app;
GRANT USAGE ON SEQUENCE messages.message_sequence_seq TO sathorn_app;
