-- A frozen customer's resting order could be filled until the platform ended it, up to a second later. Now no trade of theirs is written once the freeze has
-- committed: the matcher decides the batch again, ends their orders, and the other side deals with the next one or rests.

-- As before; and a freeze begins when it has the lock, so that every trade of the customer that was written before is older than it.
CREATE OR REPLACE FUNCTION customers.wait_for_decisions() RETURNS trigger LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('freeze:' || CASE TG_TABLE_NAME WHEN 'freeze' THEN to_jsonb(NEW) ->> 'customer' ELSE to_jsonb(NEW) ->> 'id' END, 0));
  IF TG_TABLE_NAME = 'freeze' THEN NEW.starts_at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION contracts.refuse_frozen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = contracts, pg_temp AS $$
DECLARE
  traders CONSTANT bigint[] := ARRAY(SELECT maker_customer FROM added WHERE maker_customer <> 0 UNION SELECT taker_customer FROM added WHERE taker_customer <> 0);
BEGIN
  -- Until it commits, a freeze has this lock. It is not waited for: this batch holds the ledger, which the freeze's transaction may want next.
  IF EXISTS (SELECT FROM unnest(traders) AS c WHERE NOT pg_try_advisory_xact_lock_shared(hashtextextended('freeze:' || c, 0))) THEN
    RAISE EXCEPTION 'a trader is being frozen' USING ERRCODE = '40001';
  END IF;
  -- A statement of its own, which sees what was committed before the locks were free. 40001: the batch is decided again.
  IF EXISTS (SELECT FROM unnest(traders) AS c WHERE customers.is_frozen(c, 'trading')) THEN
    RAISE EXCEPTION 'a trader is frozen' USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_frozen AFTER INSERT ON contracts.trade REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION contracts.refuse_frozen();
REVOKE ALL ON FUNCTION contracts.refuse_frozen FROM PUBLIC;
