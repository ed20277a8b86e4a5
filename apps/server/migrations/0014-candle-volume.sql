-- A week of a cheap coin's trades on all venues is more than a bigint holds of 10^-8 coins, and a candle that can't be written takes the
-- second's ticks of all coins with it.
ALTER TABLE market.candle ALTER COLUMN volume TYPE numeric(38, 0);
