-- Pictures that customers uploaded: whose they are and how large. The bytes are encrypted files outside the database.
CREATE SCHEMA files;

CREATE TABLE files.picture (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  owner bigint NOT NULL CHECK (owner > 0),
  -- avatar: made by us from a picture of the owner's.
  kind text NOT NULL CHECK (kind IN ('picture', 'avatar')),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  bytes integer NOT NULL CHECK (bytes > 0),
  at timestamptz NOT NULL
);
CREATE INDEX picture_of_owner ON files.picture (owner, kind, at DESC);

GRANT USAGE ON SCHEMA files TO sathorn_app;
-- Avatars that were replaced are removed, so DELETE.
GRANT SELECT, INSERT, DELETE ON files.picture TO sathorn_app;
