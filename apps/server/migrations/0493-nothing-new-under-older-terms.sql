-- Terms that were replaced stay in their table for what was begun under them. Whoever had the application's login could
-- begin something new under them: a lock-up, a day of liquidity or a sign-in at rates that are over. 40001: a batch
-- that was decided while newer terms were being written is decided again.
CREATE FUNCTION earning.refuse_older_lockup() RETURNS trigger LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added a WHERE a.version <> (SELECT max(v.version) FROM earning.version v WHERE v.product = a.product)) THEN
    RAISE EXCEPTION 'a lock-up under older terms' USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER of_newest AFTER INSERT ON earning.lockup REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION earning.refuse_older_lockup();

CREATE FUNCTION earning.refuse_older_day() RETURNS trigger LANGUAGE plpgsql SET search_path = earning, pg_temp AS $$
BEGIN
  IF NEW.version IS DISTINCT FROM (CASE WHEN NEW.product = 1 THEN (earning.version_on(NEW.product, NEW.day)).version END) THEN
    RAISE EXCEPTION 'day % of product % under the terms of another day', NEW.day, NEW.product USING ERRCODE = '40001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER of_its_day BEFORE INSERT ON earning.accrual FOR EACH ROW EXECUTE FUNCTION earning.refuse_older_day();

CREATE FUNCTION rewards.refuse_older_ladder() RETURNS trigger LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NEW.version <> (SELECT max(version) FROM rewards.ladder) THEN
    RAISE EXCEPTION 'a sign-in under an older ladder' USING ERRCODE = '40001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER of_newest BEFORE INSERT ON rewards.sign_in FOR EACH ROW EXECUTE FUNCTION rewards.refuse_older_ladder();
REVOKE ALL ON FUNCTION earning.refuse_older_lockup, earning.refuse_older_day, rewards.refuse_older_ladder FROM PUBLIC;
