-- 40001 says: decide again. Where newer terms were in force for good, the ledger decided the whole batch again for seconds,
-- and the accrual tried its day for ever without a word. These have codes of their own: the ledger then decides the
-- entries of a batch one by one, and the accrual reports its fault.
CREATE OR REPLACE FUNCTION earning.refuse_older_lockup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added a WHERE a.version <> (SELECT max(v.version) FROM earning.version v WHERE v.product = a.product)) THEN
    RAISE EXCEPTION 'a lock-up under older terms' USING ERRCODE = 'EA009';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION earning.refuse_older_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version IS DISTINCT FROM (CASE WHEN NEW.product = 1 THEN (earning.version_on(NEW.product, NEW.day)).version END) THEN
    RAISE EXCEPTION 'day % of product % under the terms of another day', NEW.day, NEW.product USING ERRCODE = 'EA009';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION rewards.refuse_older_ladder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> (SELECT max(version) FROM rewards.ladder) THEN
    RAISE EXCEPTION 'a sign-in under an older ladder' USING ERRCODE = 'RW004';
  END IF;
  RETURN NEW;
END $$;
