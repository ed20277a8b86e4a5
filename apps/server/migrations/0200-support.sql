-- Customer service: one conversation per customer, whose messages are numbered without a gap, so that a device that
-- was away asks for what came after the last number it has.
CREATE SCHEMA support;

CREATE TABLE support.thread (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}$'),
  customer bigint NOT NULL UNIQUE CHECK (customer > 0),
  -- The language in which the customer last wrote.
  language text NOT NULL CHECK (language IN ('en', 'zh', 'th', 'jp', 'ar', 'hi')),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- The number of the newest message, and of the newest by staff.
  last integer NOT NULL DEFAULT 0 CHECK (last >= 0),
  last_of_staff integer NOT NULL DEFAULT 0 CHECK (last_of_staff BETWEEN 0 AND last),
  last_at timestamptz,
  -- Since when the customer waits for an answer; null when nobody waits.
  waiting_since timestamptz,
  -- An operator.
  assigned_to bigint,
  -- The operator whose inbox it is in.
  desk text NOT NULL DEFAULT 'support' CHECK (desk IN ('support', 'compliance')),
  read_by_customer integer NOT NULL DEFAULT 0 CHECK (read_by_customer BETWEEN 0 AND last),
  read_by_staff integer NOT NULL DEFAULT 0 CHECK (read_by_staff BETWEEN 0 AND last),
  -- The newest unread answer about which the customer was notified.
  noticed integer NOT NULL DEFAULT 0,
  customer_types_until timestamptz,
  staff_types_until timestamptz
);
CREATE INDEX thread_waiting ON support.thread (waiting_since, id) WHERE waiting_since IS NOT NULL;
CREATE INDEX thread_latest ON support.thread (last_at DESC, id);
CREATE INDEX thread_unread ON support.thread (last_at) WHERE last_of_staff > read_by_customer AND noticed < last_of_staff;

CREATE TABLE support.message (
  thread text NOT NULL REFERENCES support.thread,
  number integer NOT NULL CHECK (number > 0),
  -- Made by the device when the message was written, so that a repeated request is the same message.
  id uuid NOT NULL,
  author text NOT NULL CHECK (author IN ('customer', 'staff')),
  -- The operator who wrote it, under the work name of that moment.
  operator bigint,
  work_name text,
  body text NOT NULL CHECK (length(body) <= 4000),
  -- The id of an encrypted file of the customer's.
  picture text CHECK (picture ~ '^[A-Za-z0-9_-]{22}$'),
  -- The ready answer that was used.
  ready text,
  at timestamptz NOT NULL,
  -- How long the customer had waited for this answer.
  waited_ms bigint CHECK (waited_ms >= 0),
  PRIMARY KEY (thread, number),
  UNIQUE (thread, id),
  CHECK ((author = 'staff') = (operator IS NOT NULL)),
  CHECK ((operator IS NULL) = (work_name IS NULL)),
  CHECK (body <> '' OR picture IS NOT NULL)
);
CREATE INDEX message_waited ON support.message (at DESC) WHERE waited_ms IS NOT NULL;

-- Actions of staff on a conversation other than answers.
CREATE TABLE support.step (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread text NOT NULL REFERENCES support.thread,
  what text NOT NULL CHECK (what IN ('taken', 'handed_over', 'closed', 'noted')),
  operator bigint NOT NULL,
  work_name text NOT NULL,
  -- The work name or desk that it was handed over to.
  handed_to text,
  note text CHECK (length(note) <= 1000),
  at timestamptz NOT NULL
);
CREATE INDEX step_of_thread ON support.step (thread, n);

-- Ready answers in every language, approved by two people. The newest version is used.
CREATE TABLE support.ready_answer (
  code text NOT NULL CHECK (code ~ '^[a-z][a-z0-9-]{1,39}$'),
  version integer NOT NULL CHECK (version > 0),
  -- By language; English and Thai at least.
  texts jsonb NOT NULL CHECK (jsonb_typeof(texts) = 'object' AND texts ? 'en' AND texts ? 'th'),
  -- Null if it was shipped with the software.
  approval uuid,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (code, version)
);

CREATE FUNCTION support.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'kept for ever: % on support.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'SU001';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['message', 'step', 'ready_answer'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON support.%I FOR EACH ROW EXECUTE FUNCTION support.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON support.%I FOR EACH STATEMENT EXECUTE FUNCTION support.refuse_change()', name);
  END LOOP;
  EXECUTE 'CREATE TRIGGER no_delete BEFORE DELETE ON support.thread FOR EACH ROW EXECUTE FUNCTION support.refuse_change()';
  EXECUTE 'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON support.thread FOR EACH STATEMENT EXECUTE FUNCTION support.refuse_change()';
END $$;

-- Pictures of conversations: kept with them, encrypted with a key of their customer.
ALTER TABLE files.picture DROP CONSTRAINT picture_kind_check;
ALTER TABLE files.picture ADD CONSTRAINT picture_kind_check CHECK (kind IN ('picture', 'avatar', 'document', 'attachment'));

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA support FROM PUBLIC;
GRANT USAGE ON SCHEMA support TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA support TO sathorn_app;
-- The checker reads the numbers, never the text.
GRANT SELECT (id, customer, last, last_of_staff, read_by_customer, read_by_staff) ON support.thread TO sathorn_checker;
GRANT SELECT (thread, number, author, operator, at) ON support.message TO sathorn_checker;
GRANT INSERT (id, customer, language) ON support.thread TO sathorn_app;
GRANT UPDATE (language, state, last, last_of_staff, last_at, waiting_since, assigned_to, desk, read_by_customer, read_by_staff, noticed,
    customer_types_until, staff_types_until) ON support.thread TO sathorn_app;
GRANT INSERT ON support.message TO sathorn_app;
GRANT INSERT (thread, what, operator, work_name, handed_to, note, at) ON support.step TO sathorn_app;
GRANT INSERT (code, version, texts, approval) ON support.ready_answer TO sathorn_app;
