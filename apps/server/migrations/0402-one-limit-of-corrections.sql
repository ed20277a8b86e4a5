-- One limit, held here alone: 3,000 USDT are ฿100,000 at 33 baht and need no price. Before, only the application asked for compliance between the
-- ฿100,000 of its own price and 4,000 USDT.
CREATE OR REPLACE FUNCTION corrections.small_max(_asset text) RETURNS numeric LANGUAGE sql STABLE SET search_path = corrections, pg_temp AS $$
  SELECT CASE WHEN _asset <> 'USDT' THEN 0 ELSE least(3000000000, CASE WHEN held > 0 THEN div(held, 1000) END) END
  FROM (SELECT sum(debits_posted - credits_posted) AS held FROM ledger.account WHERE owner = 0 AND code IN (110, 111, 112, 120) AND asset = _asset) outside
$$;
