-- What the house's market maker was one side of: in each candle's volume, and the fees that it has paid up to the candles' head.
ALTER TABLE contracts.candle ADD COLUMN house_volume numeric(38, 0) NOT NULL DEFAULT 0;
ALTER TABLE contracts.candle_head
  -- Of what it sold, and of what it bought.
  ADD COLUMN house_fees_usdt numeric(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN house_fees_coin numeric(38, 0) NOT NULL DEFAULT 0;
GRANT UPDATE (house_volume) ON contracts.candle TO sathorn_app;
GRANT UPDATE (house_fees_usdt, house_fees_coin) ON contracts.candle_head TO sathorn_app;
