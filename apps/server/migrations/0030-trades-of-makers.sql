-- The checker finds what a resting order has dealt without reading all trades of its coin.
CREATE INDEX trade_of_maker ON contracts.trade (coin, maker_sequence);
