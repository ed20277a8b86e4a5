-- Pauses of a coin, a product or a channel. One person starts a pause, two end it. Pauses are public at once.
CREATE SCHEMA pauses;
CREATE TABLE pauses.pause (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('coin', 'product', 'channel')),
  subject text NOT NULL CHECK (subject ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- The reason by language, as customers read it.
  texts jsonb NOT NULL CHECK (texts ? 'en' AND texts ? 'th'),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_by bigint NOT NULL REFERENCES operators.operator,
  ended_at timestamptz,
  -- The approval that ended it.
  approval uuid UNIQUE,
  CHECK ((ended_at IS NULL) = (approval IS NULL))
);
CREATE UNIQUE INDEX pause_open ON pauses.pause (kind, subject) WHERE ended_at IS NULL;

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
CREATE TRIGGER no_delete BEFORE DELETE ON pauses.pause FOR EACH ROW EXECUTE FUNCTION pauses.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON pauses.pause FOR EACH STATEMENT EXECUTE FUNCTION pauses.refuse_change();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pauses FROM PUBLIC;
GRANT USAGE ON SCHEMA pauses TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA pauses TO sathorn_app, sathorn_checker;
GRANT INSERT (id, kind, subject, texts, started_by) ON pauses.pause TO sathorn_app;
GRANT UPDATE (ended_at, approval) ON pauses.pause TO sathorn_app;
