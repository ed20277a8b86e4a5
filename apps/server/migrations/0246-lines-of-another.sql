-- A bank line that carries the reference of one customer's order pays no other customer. Until now one operator could match it with any order of the
-- same amount.
CREATE FUNCTION deposits.is_line_of_another(_line uuid, _id uuid) RETURNS boolean LANGUAGE sql STABLE SET search_path = deposits, pg_temp AS $$
  SELECT EXISTS (SELECT FROM deposits.bank_line l JOIN deposits.deposit o ON o.reference = l.reference
    WHERE l.id = _line AND o.customer_id <> (SELECT d.customer_id FROM deposits.deposit d WHERE d.id = _id))
$$;
CREATE OR REPLACE FUNCTION deposits.match(_id uuid, _version integer, _line uuid, _amount bigint, _rate bigint, _journal uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, bank_line = _line, amount = _amount, rate = _rate, finished_at = _at, reason = NULL, version = version + 1
  WHERE id = _id AND version = _version AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review')
    AND EXISTS (SELECT FROM deposits.bank_line l WHERE l.id = _line AND l.amount = deposit.baht) AND NOT deposits.is_line_of_another(_line, _id);
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be matched', _id USING ERRCODE = 'DP002'; END IF;
END $$;
REVOKE ALL ON FUNCTION deposits.is_line_of_another FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.is_line_of_another TO sathorn_app;
