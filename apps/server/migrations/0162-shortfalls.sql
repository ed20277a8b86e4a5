-- A reversed deposit that was partly spent: its owner is frozen by rule, pays the house back from what comes later, and is free again with the last unit.
-- Deciding a customer's withdrawal and freezing that customer are serialised.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (62, '{s}', '{1000}', '{200}', false, 'app', false);

CREATE TABLE deposits.repayment (
  -- Also the id of the journal that reversed it.
  id uuid PRIMARY KEY,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  units bigint NOT NULL CHECK (units > 0),
  at timestamptz NOT NULL
);
CREATE INDEX repayment_of_customer ON deposits.repayment (customer_id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON deposits.repayment FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.repayment FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();

-- A customer's debt to the house for reversed deposits.
CREATE VIEW deposits.shortfall AS
  SELECT borne.customer_id, borne.units - coalesce((SELECT sum(p.units) FROM deposits.repayment p WHERE p.customer_id = borne.customer_id), 0) AS units
  FROM (SELECT d.customer_id, sum(r.shortfall) AS units FROM deposits.reversal r JOIN deposits.deposit d ON d.id = r.deposit_id
    WHERE r.shortfall > 0 GROUP BY d.customer_id) borne;
CREATE INDEX reversal_with_shortfall ON deposits.reversal (deposit_id) WHERE shortfall > 0;

CREATE FUNCTION deposits.check_repayment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('shortfall:' || NEW.customer_id, 0));
  IF NOT EXISTS (SELECT FROM deposits.shortfall s WHERE s.customer_id = NEW.customer_id AND s.units >= NEW.units) THEN
    RAISE EXCEPTION 'customer % does not owe %', NEW.customer_id, NEW.units USING ERRCODE = 'DP005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_repayment BEFORE INSERT ON deposits.repayment FOR EACH ROW EXECUTE FUNCTION deposits.check_repayment();

-- Maker 0 is the platform itself, for reversed deposits only. Such a freeze ends automatically once nothing is owed.
ALTER TABLE customers.freeze DROP CONSTRAINT freeze_check1;
ALTER TABLE customers.freeze ADD CONSTRAINT lifted_by CHECK (lifted_at IS NULL OR approval IS NOT NULL OR (made_by = 0 AND reason = 'deposit_reversed'));
ALTER TABLE customers.freeze ADD CONSTRAINT made_by_platform CHECK (made_by <> 0 OR reason = 'deposit_reversed');
CREATE FUNCTION customers.end_reversal_freezes(_customer bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = customers, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  IF EXISTS (SELECT FROM deposits.shortfall WHERE customer_id = _customer AND units > 0) THEN
    RAISE EXCEPTION 'customer % still owes', _customer USING ERRCODE = 'CU004';
  END IF;
  UPDATE customers.freeze SET lifted_at = clock_timestamp()
  WHERE customer = _customer AND made_by = 0 AND reason = 'deposit_reversed' AND lifted_at IS NULL AND until > clock_timestamp();
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END $$;

-- Returns the customers who are frozen. Until the transaction ends nobody can freeze any of them: a freeze is either seen here or
-- begins after the decision.
CREATE FUNCTION customers.lock_frozen(_customers bigint[], _scope text) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('freeze:' || c, 0)) FROM (SELECT DISTINCT unnest(_customers) AS c ORDER BY c) ordered;
  RETURN QUERY SELECT c FROM unnest(_customers) c WHERE customers.is_frozen(c, _scope);
END $$;
CREATE FUNCTION customers.wait_for_decisions() RETURNS trigger LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('freeze:' || CASE TG_TABLE_NAME WHEN 'freeze' THEN to_jsonb(NEW) ->> 'customer' ELSE to_jsonb(NEW) ->> 'id' END, 0));
  RETURN NEW;
END $$;
CREATE TRIGGER wait_for_decisions BEFORE INSERT ON customers.freeze FOR EACH ROW EXECUTE FUNCTION customers.wait_for_decisions();
CREATE TRIGGER wait_for_decisions BEFORE UPDATE OF frozen_reason ON customers.customer FOR EACH ROW
  WHEN (NEW.frozen_reason IS DISTINCT FROM OLD.frozen_reason) EXECUTE FUNCTION customers.wait_for_decisions();

REVOKE ALL ON FUNCTION deposits.check_repayment, customers.end_reversal_freezes, customers.lock_frozen, customers.wait_for_decisions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.end_reversal_freezes, customers.lock_frozen TO sathorn_app;
GRANT SELECT ON deposits.repayment, deposits.shortfall TO sathorn_app, sathorn_checker;
GRANT INSERT ON deposits.repayment TO sathorn_app;
