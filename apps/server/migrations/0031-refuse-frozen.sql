-- Orders that are decided ahead of the ledger's lock take their customers for such as may trade: where one may not, the transaction fails.
CREATE FUNCTION customers.refuse_frozen(_customers bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = customers, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM customers.customer WHERE id = ANY (_customers) AND frozen_reason IS NOT NULL) THEN
    RAISE EXCEPTION 'a customer may not trade any more' USING ERRCODE = 'CU001';
  END IF;
END $$;
REVOKE ALL ON FUNCTION customers.refuse_frozen FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customers.refuse_frozen TO sathorn_app;
