-- Identity checks: what customers typed and photographed, what a reviewer decided, and who viewed which picture.
CREATE SCHEMA certifications;
GRANT USAGE ON SCHEMA certifications TO sathorn_app, sathorn_checker;

-- A customer's application for one level, and its decision.
CREATE TABLE certifications.application (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  customer bigint NOT NULL CHECK (customer > 0),
  level text NOT NULL CHECK (level IN ('primary', 'advanced')),
  document_type text NOT NULL CHECK (document_type IN ('id_card', 'driver_licence', 'passport')),
  -- Name, number, birth date and expiry, encrypted with a key of this customer and bound to id, level and time.
  sealed bytea NOT NULL CHECK (length(sealed) > 28),
  -- A keyed hash of the document's type and number.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  state text NOT NULL DEFAULT 'review' CHECK (state IN ('review', 'sent_back', 'verified', 'refused')),
  -- The number of decisions; each decision names the version that it was made on.
  version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
  submitted_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- An operator.
  decided_by bigint,
  reasons text[] NOT NULL DEFAULT '{}',
  -- Pictures to repeat.
  sides text[] NOT NULL DEFAULT '{}' CHECK (sides <@ ARRAY['front', 'back', 'selfie']),
  CHECK ((state = 'review') = (decided_at IS NULL)),
  CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
  CHECK ((state IN ('sent_back', 'refused')) = (cardinality(reasons) > 0))
);
-- One application at a time, and none after a final rejection.
CREATE UNIQUE INDEX application_in_force ON certifications.application (customer, level) WHERE state <> 'sent_back';
CREATE INDEX application_of_customer ON certifications.application (customer, level, submitted_at DESC);
CREATE INDEX application_waiting ON certifications.application (submitted_at, id) WHERE state = 'review';
CREATE INDEX application_digest ON certifications.application (digest);
GRANT SELECT, INSERT, UPDATE (state, version, decided_at, decided_by, reasons, sides) ON certifications.application
  TO sathorn_app;

-- The pictures of an application's document, by side.
CREATE TABLE certifications.picture (
  application text NOT NULL REFERENCES certifications.application,
  side text NOT NULL CHECK (side IN ('front', 'back', 'selfie')),
  -- The id of an encrypted file.
  file text NOT NULL CHECK (file ~ '^[A-Za-z0-9_-]{22}$'),
  PRIMARY KEY (application, side)
);
GRANT SELECT, INSERT ON certifications.picture TO sathorn_app;

-- One person, one account: a document that was verified for a customer can't be verified for another.
CREATE TABLE certifications.document (
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  customer bigint NOT NULL
);
GRANT SELECT, INSERT ON certifications.document TO sathorn_app;

-- Each view of a picture by an operator. The address works once, for a minute.
CREATE TABLE certifications.viewing (
  -- SHA-256 of the address's secret.
  ticket_hash bytea PRIMARY KEY CHECK (length(ticket_hash) = 32),
  application text NOT NULL REFERENCES certifications.application,
  side text NOT NULL,
  operator bigint NOT NULL,
  opened_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX viewing_of_operator ON certifications.viewing (operator, opened_at);
GRANT SELECT, INSERT, UPDATE (used_at) ON certifications.viewing TO sathorn_app;

-- A decision is made once: an application that has left review never changes.
CREATE FUNCTION certifications.keep_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'review' THEN
    RAISE EXCEPTION 'certification % was decided', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_decision BEFORE UPDATE ON certifications.application FOR EACH ROW
  EXECUTE FUNCTION certifications.keep_decision();

