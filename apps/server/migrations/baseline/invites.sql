-- The decision about each invitation after the invited person was certified. There is only one level, and deposits
-- bring no reward.
CREATE SCHEMA invites;
GRANT USAGE ON SCHEMA invites TO sathorn_app, sathorn_checker;

-- One invited person: the finding, and the inviter's reward.
CREATE TABLE invites.judgement (
  -- An invited person is judged once.
  invited bigint PRIMARY KEY CHECK (invited > 0),
  inviter bigint NOT NULL CHECK (inviter > 0 AND inviter <> invited),
  finding text NOT NULL CHECK (finding IN ('rewarded', 'same_device', 'same_payee', 'day_full', 'not_allowed')),
  points bigint NOT NULL CHECK (points >= 0 AND (finding = 'rewarded') = (points > 0)),
  -- Days since 1970 in the brand's zone, and the slot within that day's limit of ten.
  day integer NOT NULL,
  place integer CHECK (place BETWEEN 1 AND 10),
  at timestamptz NOT NULL,
  granted_at timestamptz CHECK (granted_at >= at),
  CHECK ((finding = 'rewarded') = (place IS NOT NULL)),
  CHECK (granted_at IS NULL OR finding = 'rewarded'),
  UNIQUE (inviter, day, place)
);
CREATE INDEX judgement_of_inviter ON invites.judgement (inviter, at DESC);
CREATE INDEX judgement_waiting ON invites.judgement (at) WHERE finding = 'rewarded' AND granted_at IS NULL;
GRANT SELECT ON invites.judgement TO sathorn_app, sathorn_checker;
GRANT INSERT (invited, inviter, finding, points, day, place, at), UPDATE (granted_at) ON invites.judgement
  TO sathorn_app;

-- Allows the grant to be recorded once. Nothing else in a judgement changes.
CREATE FUNCTION invites.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.granted_at IS NULL AND NEW.granted_at IS NOT NULL
    AND (to_jsonb(NEW) - 'granted_at') = (to_jsonb(OLD) - 'granted_at') THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'kept for ever: % on invites.%', TG_OP, TG_TABLE_NAME USING ERRCODE = 'IN001';
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON invites.judgement FOR EACH ROW
  EXECUTE FUNCTION invites.refuse_change();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['invites.judgement'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION invites.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA invites FROM PUBLIC;
