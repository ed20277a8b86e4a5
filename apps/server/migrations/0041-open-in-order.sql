-- In one order everywhere: two processes that opened many of the same accounts at once, each in the order of its own plan, waited for each other.
CREATE OR REPLACE FUNCTION ledger.open_accounts(_owners bigint[], _codes smallint[], _assets text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.account (owner, code, asset, rule)
  SELECT DISTINCT owner, code, asset, rule
  FROM unnest(_owners, _codes, _assets) AS wanted(owner, code, asset) JOIN ledger.chart USING (code)
  WHERE is_house = (owner = 0)
  ORDER BY owner, code, asset
  ON CONFLICT (owner, code, asset) DO NOTHING;
$$;
