-- Exports of the operators' log as signed files: who exported which part, and whether the address was used. The file's content follows from this.
CREATE TABLE operators.export (
  -- SHA-256 of the single-use secret in its address.
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
