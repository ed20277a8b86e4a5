-- Notices to customers: which template with which values, worded in the reader's language when they are read.
CREATE SCHEMA messages;

CREATE TABLE messages.message (
  -- Never shown: it would tell how many notices there are.
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

GRANT USAGE ON SCHEMA messages TO sathorn_app;
GRANT SELECT, INSERT ON messages.message TO sathorn_app;
-- What was said to a customer stays as it was said.
GRANT UPDATE (read_at) ON messages.message TO sathorn_app;
