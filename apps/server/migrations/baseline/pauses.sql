-- Pauses of a coin, a product or a channel. One person starts a pause, two end it. Pauses are public at once.
CREATE SCHEMA pauses;
GRANT USAGE ON SCHEMA pauses TO sathorn_app, sathorn_checker;

-- A pause of one subject.
CREATE TABLE pauses.pause (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('coin', 'product', 'channel')),
  subject text NOT NULL CHECK (subject ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- The reason as customers read it, by language.
  texts jsonb NOT NULL CHECK (texts ? 'en' AND texts ? 'th'),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_by bigint NOT NULL REFERENCES operators.operator,
  ended_at timestamptz,
  -- The approval that ended it.
  approval uuid UNIQUE,
  CHECK ((ended_at IS NULL) = (approval IS NULL))
);
CREATE UNIQUE INDEX pause_open ON pauses.pause (kind, subject) WHERE ended_at IS NULL;
GRANT SELECT ON pauses.pause TO sathorn_app, sathorn_checker;
GRANT INSERT (id, kind, subject, texts, started_by), UPDATE (ended_at, approval) ON pauses.pause TO sathorn_app;

-- Allows a pause to end once, with an approval.
CREATE FUNCTION pauses.keep_pause() RETURNS trigger LANGUAGE plpgsql SET search_path = pauses, pg_temp AS $$
BEGIN
  IF (to_jsonb(NEW) - 'ended_at' - 'approval') IS DISTINCT FROM (to_jsonb(OLD) - 'ended_at' - 'approval') OR OLD.ended_at IS NOT NULL THEN
    RAISE EXCEPTION 'a pause is not changed' USING ERRCODE = 'PA001';
  END IF;
  IF NOT EXISTS (
    SELECT FROM operators.approval a WHERE a.id = NEW.approval AND a.kind = 'pause_end' AND a.subject = NEW.id::text AND a.status = 'approved' AND a.made_by IS NOT NULL
      AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by)) THEN
    RAISE EXCEPTION 'nobody approved the end of pause %', NEW.id USING ERRCODE = 'PA002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_pause BEFORE UPDATE ON pauses.pause FOR EACH ROW EXECUTE FUNCTION pauses.keep_pause();

CREATE FUNCTION pauses.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'PA001';
END $$;

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['pauses.pause'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION pauses.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION pauses.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pauses FROM PUBLIC;
