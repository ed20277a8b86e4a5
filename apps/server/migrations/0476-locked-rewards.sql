-- A brand may lock the rewards of customers whom nobody has certified: otherwise each email address earns money. They are booked in an account of the
-- customer's own that only one purpose leads out of, and the database lets that happen only for a certified customer.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (80, '{s}', '{270}', '{1040}', false, 'app', false),
  (81, '{s}', '{270}', '{1040}', false, 'app', false),
  (89, '{s}', '{1040}', '{1000}', true, 'app', false);

INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
VALUES ('switch', 'reward_lock', 1, 'epoch', '{"jurisdiction":"","licence":"","on_offer":false}', 'epoch', 'epoch');

CREATE TABLE rewards.release (
  -- Also the journal's.
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  asset text NOT NULL CHECK (asset IN ('USDT', 'POINTS')),
  units numeric(39, 0) NOT NULL CHECK (units > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON rewards.release FOR EACH ROW EXECUTE FUNCTION rewards.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON rewards.release FOR EACH STATEMENT EXECUTE FUNCTION rewards.refuse_change();

CREATE FUNCTION rewards.is_certified(_customer bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = rewards, pg_temp AS $$
  SELECT EXISTS (SELECT FROM certifications.application WHERE customer = _customer AND state = 'verified')
$$;

-- Whoever posts it, and by whichever door of the ledger.
CREATE FUNCTION rewards.refuse_locked() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = rewards, pg_temp AS $$
BEGIN
  IF NOT rewards.is_certified(NEW.owner) THEN
    RAISE EXCEPTION 'the rewards of customer % are locked until the certification', NEW.owner USING ERRCODE = 'RW003';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER stays_locked AFTER UPDATE OF debits_posted, debits_held ON ledger.account FOR EACH ROW
  WHEN (NEW.code = 1040 AND (NEW.debits_posted > OLD.debits_posted OR NEW.debits_held > OLD.debits_held)) EXECUTE FUNCTION rewards.refuse_locked();

-- The purpose code never changes, so this index costs no update of a balance.
CREATE INDEX restricted_account ON ledger.account (owner) WHERE code = 1040;
CREATE VIEW rewards.locked AS
  SELECT owner AS customer_id, asset, credits_posted - debits_posted AS units FROM ledger.account WHERE code = 1040 AND credits_posted > debits_posted;

-- Makes a customer's locked rewards available. Nothing happens while money is halted: the next round does it then.
CREATE FUNCTION rewards.release_locked(_customer bigint) RETURNS boolean LANGUAGE plpgsql SET search_path = rewards, pg_temp AS $$
DECLARE
  one record;
  journal uuid;
  is_moved boolean := false;
BEGIN
  IF (SELECT halted FROM ledger.head) IS NOT NULL THEN RETURN false; END IF;
  FOR one IN SELECT asset, units FROM rewards.locked WHERE customer_id = _customer ORDER BY asset LOOP
    journal := gen_random_uuid();
    PERFORM ledger.open_accounts(ARRAY[_customer], ARRAY[1000::smallint], ARRAY[one.asset]);
    INSERT INTO rewards.release (id, customer_id, asset, units) VALUES (journal, _customer, one.asset, one.units);
    PERFORM ledger.post_singles(journal, 'rewards.release', _customer::text, one.asset,
      ARRAY[_customer], ARRAY[1040::smallint], ARRAY[_customer], ARRAY[1000::smallint], ARRAY[one.units], ARRAY[89::smallint]);
    is_moved := true;
  END LOOP;
  RETURN is_moved;
END $$;

REVOKE ALL ON FUNCTION rewards.is_certified, rewards.refuse_locked, rewards.release_locked FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rewards.release_locked TO sathorn_app;
GRANT EXECUTE ON FUNCTION rewards.is_certified TO sathorn_checker;
GRANT SELECT ON rewards.release, rewards.locked TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, asset, units) ON rewards.release TO sathorn_app;
