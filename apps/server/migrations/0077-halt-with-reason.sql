-- As before there were traces: money is halted with a reason, or the caller is told.
CREATE OR REPLACE FUNCTION ledger.halt_money(_reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  IF coalesce(_reason, '') !~ '\S' THEN RAISE EXCEPTION 'money is halted with a reason' USING ERRCODE = 'LD010'; END IF;
  UPDATE ledger.head SET halted = left(_reason, 500) WHERE halted IS NULL;
END $$;
