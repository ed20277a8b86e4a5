-- Bank money that came after its rate had run out is converted at the rate of the day; the checker and the customer see which.
GRANT UPDATE (rate) ON deposits.deposit TO sathorn_app;
CREATE FUNCTION deposits.match(_id uuid, _version integer, _line uuid, _amount bigint, _rate bigint, _journal uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, amount = _amount, rate = _rate, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND version = _version AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review')
    AND EXISTS (SELECT FROM deposits.bank_line l WHERE l.id = _line AND l.amount = deposit.baht);
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be matched', _id USING ERRCODE = 'DP002'; END IF;
END $$;
REVOKE ALL ON FUNCTION deposits.match FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.match TO sathorn_app;
