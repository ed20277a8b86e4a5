-- New boxes and ladders come by the approval of two people.

-- A new box or ladder takes nothing from anybody, so a short notice is enough; a box is signed and published before it opens.
INSERT INTO offer.kind (name, notice) VALUES ('box', '0'), ('ladder', '24 hours');

ALTER TABLE boxes.box DROP COLUMN approval;
ALTER TABLE boxes.box ADD COLUMN approval uuid;
ALTER TABLE rewards.ladder DROP COLUMN approval;
ALTER TABLE rewards.ladder ADD COLUMN approval uuid;

-- Approved boxes that wait until their budget is moved and they are published, or until the reward account turns out too small.
CREATE TABLE boxes.decided (
  approval uuid PRIMARY KEY,
  -- Canonical JSON, as approved.
  fields text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The box, or why it could not be published.
  box uuid,
  fault text,
  CHECK (box IS NULL OR fault IS NULL)
);
CREATE INDEX decided_waiting ON boxes.decided (at) WHERE box IS NULL AND fault IS NULL;
CREATE FUNCTION boxes.keep_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.approval, NEW.fields, NEW.at) IS DISTINCT FROM (OLD.approval, OLD.fields, OLD.at) OR OLD.box IS NOT NULL OR OLD.fault IS NOT NULL THEN
    RAISE EXCEPTION 'a decided box is not changed' USING ERRCODE = 'BX001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_decided BEFORE UPDATE ON boxes.decided FOR EACH ROW EXECUTE FUNCTION boxes.keep_decided();
CREATE TRIGGER append_only BEFORE DELETE ON boxes.decided FOR EACH ROW EXECUTE FUNCTION boxes.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON boxes.decided FOR EACH STATEMENT EXECUTE FUNCTION boxes.refuse_change();
GRANT SELECT ON boxes.decided TO sathorn_app, sathorn_checker;
GRANT INSERT ON boxes.decided TO sathorn_app;
GRANT UPDATE (box, fault) ON boxes.decided TO sathorn_app;

-- With the application's password alone nobody can sell a box or change the ladder unless two people approved exactly that.
CREATE FUNCTION boxes.check_decided() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM offer.version v WHERE v.approval = NEW.approval AND v.kind = 'box' AND v.stopped_at IS NULL AND v.fields::jsonb = NEW.fields::jsonb) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON boxes.decided FOR EACH ROW EXECUTE FUNCTION boxes.check_decided();
CREATE FUNCTION boxes.check_box() RETURNS trigger LANGUAGE plpgsql SET search_path = boxes, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM boxes.decided d WHERE d.approval = NEW.approval AND d.box IS NULL AND d.fault IS NULL) THEN
    RAISE EXCEPTION 'nobody approved this box' USING ERRCODE = 'BX004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON boxes.box FOR EACH ROW EXECUTE FUNCTION boxes.check_box();
CREATE FUNCTION rewards.check_ladder() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NEW.approval IS NULL AND NEW.version = 1 AND (SELECT mode FROM ledger.deployment) IS DISTINCT FROM 'live' THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM offer.version v WHERE v.approval = NEW.approval AND v.kind = 'ladder' AND v.stopped_at IS NULL) THEN
    RAISE EXCEPTION 'nobody approved this ladder' USING ERRCODE = 'RW003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approved BEFORE INSERT ON rewards.ladder FOR EACH ROW EXECUTE FUNCTION rewards.check_ladder();
