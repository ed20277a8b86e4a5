-- As before, and with the coins that the house's wallet sent by hand, or in the time that a restoration lost: the count took them for a customer's deposit.
CREATE OR REPLACE FUNCTION deposits.known_at(_chain text, _token text, _height bigint, _after integer, _limit integer)
RETURNS TABLE (index integer, address text, customer_id bigint, since bigint, coins numeric, units numeric, is_moving boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT a.index, a.address, a.customer_id, coalesce(c.height, -1),
    coalesce((SELECT sum(d.amount) FROM deposits.deposit d WHERE d.chain = a.chain AND d.address = a.address AND d.reason = 'native_coin' AND d.block_height <= _height), 0)
      + coalesce((SELECT s.coins FROM deposits.stray s WHERE s.chain = a.chain AND s.address = a.address), 0)
      + coalesce((SELECT sum(s.units) FROM withdrawals.sending s WHERE s.chain = a.chain AND s.receiver = a.address AND s.kind = 'gas' AND s.step = 'done' AND s.block_height <= _height), 0)
      - coalesce((SELECT sum(s.units) FROM withdrawals.sending s WHERE s.chain = a.chain AND s.sender = a.address AND s.token IS NULL AND s.step = 'done' AND s.block_height <= _height), 0)
      + coalesce((SELECT sum(u.value) FROM deposits.unsigned_transaction u WHERE u.chain = a.chain AND u.receiver = a.address AND u.block_height <= _height
          AND NOT EXISTS (SELECT FROM chain.address o WHERE o.chain = u.chain AND o.address = u.sender)), 0)
      - coalesce((SELECT sum(u.value) FROM deposits.unsigned_transaction u WHERE u.chain = a.chain AND u.sender = a.address AND u.block_height <= _height), 0)
      - coalesce((SELECT sum(g.units) FROM withdrawals.gas_paid g WHERE g.chain = a.chain AND g.sender = a.address AND g.block_height <= _height), 0),
    coalesce((SELECT sum(d.amount) FROM deposits.deposit d WHERE d.chain = a.chain AND d.address = a.address AND d.token = _token AND d.block_height <= _height), 0)
      + coalesce((SELECT sum(r.units) FROM deposits.crumb r WHERE r.chain = a.chain AND r.address = a.address AND r.block_height <= _height), 0)
      - coalesce((SELECT sum(h.amount) FROM deposits.hot_transfer h WHERE h.chain = a.chain AND h.sender = a.address AND h.direction = 'sweep' AND h.block_height <= _height), 0),
    EXISTS (SELECT FROM withdrawals.sending s WHERE s.chain = a.chain AND a.address IN (s.sender, s.receiver) AND s.step = 'sending')
  FROM chain.address a LEFT JOIN deposits.counted c ON c.chain = a.chain AND c.address = a.address
  WHERE a.chain = _chain AND a.index > _after ORDER BY a.index LIMIT _limit
$$;
CREATE INDEX unsigned_transaction_to ON deposits.unsigned_transaction (chain, receiver);
CREATE INDEX unsigned_transaction_of ON deposits.unsigned_transaction (chain, sender);
