-- A customer may sell all of a coin, though it is not whole lots: the house buys the part of a lot. Nothing else is ever a part of a lot. In
-- particular nothing on the book is, because a book counts lots and would lose the rest of a resting order when it is loaded again.
-- The numbers are one lot in the coin's smallest unit.
ALTER TABLE contracts.orders ADD CONSTRAINT whole_lots CHECK (
  quantity % CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH' THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000 WHEN 'XRP' THEN 10000000
    WHEN 'DOGE' THEN 100000000 WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000 ELSE 1 END = 0
  OR (type = 'market' AND side = 'sell') OR (customer_id = 0 AND side = 'buy' AND dealt_quantity = quantity)) NOT VALID;
ALTER TABLE contracts.trade ADD CONSTRAINT whole_lots CHECK (
  quantity % CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH' THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000 WHEN 'XRP' THEN 10000000
    WHEN 'DOGE' THEN 100000000 WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000 ELSE 1 END = 0
  OR (maker_customer = 0 AND taker_side = 'sell'
    AND quantity < CASE coin WHEN 'BTC' THEN 1000 WHEN 'ETH' THEN 10000 WHEN 'BNB' THEN 100000 WHEN 'SOL' THEN 100000 WHEN 'XRP' THEN 10000000
      WHEN 'DOGE' THEN 100000000 WHEN 'ADA' THEN 10000000 WHEN 'TRX' THEN 100000000 ELSE 1 END)) NOT VALID;
