-- A contract can send the chain's own coin without an event and without a transaction to the address, so no scan sees it. Balances are counted at a block
-- and compared with what was seen; what is more is a case without a transaction, which two people decide like any other.
ALTER TABLE deposits.deposit ADD COLUMN counted_since bigint;
ALTER TABLE deposits.deposit
  DROP CONSTRAINT of_chain,
  ADD CONSTRAINT of_chain CHECK ((kind = 'crypto' AND network IS NULL AND counted_since IS NULL) = (num_nonnulls(chain, hash, output, token, sender, address) = 6)),
  ADD CONSTRAINT of_count CHECK ((reason IS DISTINCT FROM 'counted' OR counted_since IS NOT NULL) AND (counted_since IS NULL
    OR kind = 'crypto' AND network IS NULL AND num_nonnulls(chain, token, address) = 3 AND num_nonnulls(hash, output, sender) = 0 AND amount > 0
      AND reason IN ('native_coin', 'counted') AND step IN ('recovery', 'recovering', 'credited', 'returned') AND (block_height > counted_since) IS NOT FALSE));
CREATE UNIQUE INDEX counted_once ON deposits.deposit (chain, address, token, counted_since) WHERE counted_since IS NOT NULL AND block_height IS NOT NULL;

-- Up to which block each address was counted.
CREATE TABLE deposits.counted (
  chain text NOT NULL,
  address text NOT NULL,
  height bigint NOT NULL,
  PRIMARY KEY (chain, address)
);

-- What is known of a page of addresses up to a block: the chain's coin, and the token.
CREATE FUNCTION deposits.known_at(_chain text, _token text, _height bigint, _after integer, _limit integer)
RETURNS TABLE (index integer, address text, customer_id bigint, since bigint, coins numeric, units numeric, is_moving boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
  SELECT a.index, a.address, a.customer_id, coalesce(c.height, -1),
    coalesce((SELECT sum(d.amount) FROM deposits.deposit d WHERE d.chain = a.chain AND d.address = a.address AND d.reason = 'native_coin' AND d.block_height <= _height), 0)
      + coalesce((SELECT s.coins FROM deposits.stray s WHERE s.chain = a.chain AND s.address = a.address), 0)
      + coalesce((SELECT sum(s.units) FROM withdrawals.sending s WHERE s.chain = a.chain AND s.receiver = a.address AND s.kind = 'gas' AND s.step = 'done' AND s.block_height <= _height), 0)
      - coalesce((SELECT sum(s.units) FROM withdrawals.sending s WHERE s.chain = a.chain AND s.sender = a.address AND s.token IS NULL AND s.step = 'done' AND s.block_height <= _height), 0)
      - coalesce((SELECT sum(g.units) FROM withdrawals.gas_paid g WHERE g.chain = a.chain AND g.sender = a.address AND g.block_height <= _height), 0),
    coalesce((SELECT sum(d.amount) FROM deposits.deposit d WHERE d.chain = a.chain AND d.address = a.address AND d.token = _token AND d.block_height <= _height), 0)
      + coalesce((SELECT sum(r.units) FROM deposits.crumb r WHERE r.chain = a.chain AND r.address = a.address AND r.block_height <= _height), 0)
      - coalesce((SELECT sum(h.amount) FROM deposits.hot_transfer h WHERE h.chain = a.chain AND h.sender = a.address AND h.direction = 'sweep' AND h.block_height <= _height), 0),
    EXISTS (SELECT FROM withdrawals.sending s WHERE s.chain = a.chain AND a.address IN (s.sender, s.receiver) AND s.step = 'sending')
  FROM chain.address a LEFT JOIN deposits.counted c ON c.chain = a.chain AND c.address = a.address
  WHERE a.chain = _chain AND a.index > _after ORDER BY a.index LIMIT _limit
$$;
CREATE INDEX hot_transfer_of_sender ON deposits.hot_transfer (chain, sender) WHERE direction = 'sweep';
CREATE INDEX deposit_of_address ON deposits.deposit (chain, address) WHERE kind = 'crypto';
CREATE INDEX sending_of_receiver ON withdrawals.sending (chain, receiver) WHERE kind = 'gas';
CREATE INDEX gas_paid_of_sender ON withdrawals.gas_paid (chain, sender);

-- A count waits for transfers that are being stored, and they wait for the count.
CREATE FUNCTION deposits.lock_count(_chain text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('deposits.count ' || _chain, 0))
$$;

-- A transfer that both scans missed and that somebody names later is already in a count: it is no second deposit.
CREATE FUNCTION deposits.pass_over_counted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('deposits.count ' || NEW.chain, 0));
  IF EXISTS (SELECT FROM deposits.deposit c WHERE c.chain = NEW.chain AND c.address = NEW.address AND c.token = NEW.token
      AND c.counted_since < NEW.block_height AND c.block_height >= NEW.block_height)
    AND NOT EXISTS (SELECT FROM deposits.deposit d WHERE d.chain = NEW.chain AND d.hash = NEW.hash AND d.output = NEW.output AND d.kind = 'crypto') THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pass_over_counted BEFORE INSERT ON deposits.deposit FOR EACH ROW
  WHEN (NEW.kind = 'crypto' AND NEW.hash IS NOT NULL) EXECUTE FUNCTION deposits.pass_over_counted();
CREATE FUNCTION deposits.keep_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.counted_since, OLD.amount, OLD.address, OLD.token) IS DISTINCT FROM (NEW.counted_since, NEW.amount, NEW.address, NEW.token) THEN
    RAISE EXCEPTION 'what was counted is kept' USING ERRCODE = 'DP003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_count BEFORE UPDATE ON deposits.deposit FOR EACH ROW
  WHEN (OLD.counted_since IS NOT NULL OR NEW.counted_since IS NOT NULL) EXECUTE FUNCTION deposits.keep_count();

-- As before, also for what was counted.
CREATE OR REPLACE FUNCTION deposits.credit_recovered(_id uuid, _fee bigint, _journal uuid, _at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = deposits, pg_temp AS $$
BEGIN
  UPDATE deposits.deposit SET step = 'credited', journal = _journal, recovery_fee = _fee, finished_at = _at, version = version + 1
  WHERE id = _id AND step = 'recovering' AND recovery_plan = 'credit' AND reason IN ('below_minimum', 'counted') AND block_height IS NOT NULL AND amount > _fee;
  IF NOT FOUND THEN RAISE EXCEPTION 'deposit % is not what was to be credited', _id USING ERRCODE = 'DP002'; END IF;
END $$;

REVOKE ALL ON FUNCTION deposits.known_at, deposits.lock_count, deposits.pass_over_counted, deposits.keep_count FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.known_at, deposits.lock_count TO sathorn_app;
GRANT SELECT ON deposits.counted TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE ON deposits.counted TO sathorn_app;
GRANT INSERT (counted_since) ON deposits.deposit TO sathorn_app;
