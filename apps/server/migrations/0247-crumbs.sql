-- Transfers below the minimum and dust of the chain's coin cost a stranger next to nothing, and each became a case and a row for ever. Of each kind at
-- one address twenty cases are open at a time. The rest is summed here: for our token per block, so that custody agrees with the chain to the unit and a
-- reorganisation takes away what it took, and older blocks become one row an address; for coins in the address's row of strays.
CREATE TABLE deposits.crumb (
  chain text NOT NULL,
  address text NOT NULL,
  block_height bigint NOT NULL,
  transfers bigint NOT NULL CHECK (transfers > 0),
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  last_hash text NOT NULL CHECK (last_hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (chain, address, block_height)
);
CREATE INDEX crumb_of_block ON deposits.crumb (chain, block_height);
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON deposits.crumb FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();
CREATE INDEX deposit_of_crumb ON deposits.deposit (chain, address) WHERE step IN ('confirming', 'recovery', 'recovering');

-- Coins that were only counted, in the coin's smallest units. They belong to a customer and are no gas.
ALTER TABLE deposits.stray ADD COLUMN coins numeric(78, 0) NOT NULL DEFAULT 0 CHECK (coins >= 0);
CREATE OR REPLACE VIEW withdrawals.kept_coins AS
  SELECT kept.chain, kept.address, sum(kept.amount) AS units FROM (
    SELECT d.chain, d.address, d.amount FROM deposits.deposit d
    WHERE d.kind = 'crypto' AND d.reason = 'native_coin' AND d.step IN ('recovery', 'recovering') AND d.block_height IS NOT NULL
      AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'done')
    UNION ALL SELECT s.chain, s.address, s.coins FROM deposits.stray s WHERE s.coins > 0) kept
  GROUP BY kept.chain, kept.address;

GRANT SELECT ON deposits.crumb TO sathorn_app, sathorn_checker;
GRANT INSERT, UPDATE, DELETE ON deposits.crumb TO sathorn_app;
GRANT UPDATE (coins) ON deposits.stray TO sathorn_app;
