-- Purchases that are decided ahead of the ledger's lock take the offers for those that they know, and no tick to be newer than their
-- acceptance: where it is otherwise the transaction fails. Rows of offers are only ever added, so their number says which there are.
CREATE FUNCTION options.refuse_overtaken(_offers bigint, _coins text[], _accepted_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = options, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM options.terms) <> _offers THEN
    RAISE EXCEPTION 'what is offered has changed' USING ERRCODE = 'OP005';
  END IF;
  IF EXISTS (SELECT FROM unnest(_coins, _accepted_ms) AS accepted(coin, ms) JOIN market.head USING (coin) WHERE head.at > timestamptz 'epoch' + accepted.ms * interval '1 millisecond') THEN
    RAISE EXCEPTION 'a tick came before the purchase' USING ERRCODE = 'OP006';
  END IF;
END $$;
REVOKE ALL ON FUNCTION options.refuse_overtaken FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.refuse_overtaken TO sathorn_app;

-- As before, but each coin's newest tick is looked up once a statement.
CREATE OR REPLACE FUNCTION options.check_purchase() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT coin, min(accepted_ms) AS earliest FROM bought GROUP BY coin) of_coin JOIN market.head USING (coin)
    WHERE head.at > options.at(earliest) + interval '2 seconds'
  ) THEN
    RAISE EXCEPTION 'an option order is older than a tick that is kept' USING ERRCODE = 'OP004';
  END IF;
  RETURN NULL;
END $$;
