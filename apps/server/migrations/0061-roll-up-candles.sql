-- From now on a second writes its one-minute candles alone; the wider ones take in a minute when it has ended, and readers add the one that has
-- not. So what the newest ones have of the newest minute is taken out, once.
UPDATE market.candle wide SET volume = greatest(wide.volume - newest.volume, 0)
FROM (SELECT DISTINCT ON (coin) coin, at, volume FROM market.candle WHERE interval = '1m' ORDER BY coin, at DESC) newest
WHERE wide.coin = newest.coin AND wide.interval <> '1m'
  AND wide.at = (SELECT max(c.at) FROM market.candle c WHERE c.coin = wide.coin AND c.interval = wide.interval AND c.at <= newest.at)
  AND wide.at + CASE wide.interval WHEN '5m' THEN interval '5 minutes' WHEN '15m' THEN interval '15 minutes' WHEN '30m' THEN interval '30 minutes'
    WHEN '1h' THEN interval '1 hour' WHEN '4h' THEN interval '4 hours' WHEN '1d' THEN interval '1 day' ELSE interval '7 days' END > newest.at;

-- Nobody lists the house's quotes by their time, and they are most of what is put on the books and taken off again.
DROP INDEX contracts.orders_of_customer;
CREATE INDEX orders_of_customer ON contracts.orders (customer_id, accepted_ms) WHERE customer_id <> 0;

-- Rows that change each second and are always as many: statistics of them, each minute anew, are log and nothing else.
ALTER TABLE market.head SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
ALTER TABLE contracts.orders SET (autovacuum_analyze_threshold = 5000);
