-- A piece of the operators' log as a signed file: who took it, of what, and that its address was used once. What is in the file follows from these.
CREATE TABLE operators.export (
  -- SHA-256 of the ticket in its address.
  ticket_hash bytea PRIMARY KEY CHECK (length(ticket_hash) = 32),
  operator bigint NOT NULL REFERENCES operators.operator,
  -- Work name, beginning of an act, subject; null for all.
  who text,
  what text,
  subject text,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (until > since),
  -- The newest entry when it was asked for.
  upto bigint NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
GRANT SELECT, INSERT ON operators.export TO sathorn_app;
GRANT UPDATE (used_at) ON operators.export TO sathorn_app;
CREATE INDEX entry_at ON operators.entry (at);
