-- Pictures that customers uploaded, with their owner and size. The bytes are encrypted files outside the database.
CREATE SCHEMA files;
GRANT USAGE ON SCHEMA files TO sathorn_app;

-- One row per encrypted file. An upload of staff belongs to its operator (owner: minus their id) until it is sent as an
-- answer; pictures of visitors have owner 0.
CREATE TABLE files.picture (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  owner bigint NOT NULL CONSTRAINT picture_owner_check CHECK (owner > 0 AND kind <> 'visitor' OR owner < 0 AND kind = 'picture' OR owner = 0
    AND kind = 'visitor'),
  -- avatar: made by the server from a picture of the owner.
  kind text NOT NULL CHECK (kind IN ('picture', 'avatar', 'document', 'attachment', 'answer', 'visitor')),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  bytes integer NOT NULL CHECK (bytes > 0),
  at timestamptz NOT NULL
);
CREATE INDEX picture_of_owner ON files.picture (owner, kind, at DESC);
GRANT SELECT, INSERT, DELETE ON files.picture TO sathorn_app;
