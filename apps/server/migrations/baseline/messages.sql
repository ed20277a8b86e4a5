-- Notices to customers: a template with values, which is worded in the reader's language when it is read.
CREATE SCHEMA messages;
GRANT USAGE ON SCHEMA messages TO sathorn_app;

-- A notice to one customer.
CREATE TABLE messages.message (
  -- Never shown, because it would reveal the number of notices.
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{16}$'),
  owner bigint NOT NULL CHECK (owner > 0),
  template text NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
  params jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(params) = 'object'),
  at timestamptz NOT NULL,
  read_at timestamptz
);
CREATE INDEX message_of_owner ON messages.message (owner, sequence DESC);
CREATE INDEX message_unread ON messages.message (owner, sequence DESC) WHERE read_at IS NULL;
CREATE INDEX message_read ON messages.message (at) WHERE read_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (read_at) ON messages.message TO sathorn_app;

-- Deletes read notices that are older than `before`, but none younger than 180 days. The application can't delete
-- notices in any other way.
CREATE FUNCTION messages.sweep_read(before timestamptz, most integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = messages, pg_temp AS $$
  DELETE FROM message WHERE sequence IN (
    SELECT sequence FROM message WHERE read_at IS NOT NULL AND at < least(before, now() - interval '180 days') ORDER BY at LIMIT most)
$$;

-- A notice to many customers is one row. A row per customer is written only when that customer reads it.
CREATE TABLE messages.broadcast (
  -- Uses the sequence of customers' own notices, so that both form one list in the order of sending.
  sequence bigint PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('messages.message', 'sequence')),
  id text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{16}$'),
  -- Title, plain content, and the tree or null, by language.
  texts jsonb NOT NULL CHECK (jsonb_typeof(texts) = 'object'),
  level smallint CHECK (level >= 0),
  customer bigint CHECK (customer > 0),
  at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > at),
  withdrawn_at timestamptz,
  CHECK (level IS NULL OR customer IS NULL)
);
CREATE INDEX broadcast_ends ON messages.broadcast (ends_at);
GRANT SELECT, UPDATE (withdrawn_at) ON messages.broadcast TO sathorn_app;

-- The readers of each notice to many customers.
CREATE TABLE messages.broadcast_read (
  customer bigint NOT NULL CHECK (customer > 0),
  broadcast bigint NOT NULL REFERENCES messages.broadcast,
  at timestamptz NOT NULL,
  PRIMARY KEY (customer, broadcast)
);
CREATE INDEX broadcast_readers ON messages.broadcast_read (broadcast);
GRANT SELECT, INSERT ON messages.broadcast_read TO sathorn_app;

-- Stores a notice to many customers once; the database numbers it.
CREATE FUNCTION messages.send_broadcast(_id text, _texts jsonb, _level integer, _customer bigint, _at timestamptz,
  _ends_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = messages, pg_temp AS $$
  INSERT INTO broadcast (id, texts, level, customer, at, ends_at) VALUES (_id, _texts, _level, _customer, _at, _ends_at) ON CONFLICT (id) DO NOTHING
$$;

-- Notices that are not handed to the push module yet.
CREATE TABLE messages.unpushed (
  message text PRIMARY KEY REFERENCES messages.message (id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON messages.unpushed TO sathorn_app;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION messages.sweep_read, messages.send_broadcast TO sathorn_app;
