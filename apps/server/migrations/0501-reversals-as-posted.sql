-- Whoever had the application's login reversed a real deposit at the house's cost, said that the customer had paid, and had
-- it credited again: the house paid twice and nobody owed it anything. A reversal says what its journal took, and from whom.
CREATE FUNCTION deposits.check_reversal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  d deposits.deposit;
  taken record;
BEGIN
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit_id;
  SELECT coalesce(sum(t.units) FILTER (WHERE payer.owner = 0), 0) AS by_house, coalesce(sum(t.units) FILTER (WHERE payer.owner = d.customer_id), 0) AS by_customer,
    bool_and(t.code = 51) AS is_reversal INTO taken
  FROM ledger.journal j JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
  JOIN ledger.account payer ON payer.id = t.debit WHERE j.id = NEW.journal;
  IF (taken.is_reversal AND (taken.by_house, taken.by_customer) = (NEW.shortfall, NEW.amount - NEW.shortfall) AND NEW.amount = d.amount) IS NOT TRUE THEN
    RAISE EXCEPTION 'deposit % was not reversed like that', NEW.deposit_id USING ERRCODE = 'DP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_reversal BEFORE INSERT ON deposits.reversal FOR EACH ROW EXECUTE FUNCTION deposits.check_reversal();
REVOKE ALL ON FUNCTION deposits.check_reversal FROM PUBLIC;
