-- The house's market maker takes customers' orders that the index has passed. The checker finds what an order of the
-- house has taken, as it does for a customer's.
CREATE INDEX trade_taken_by_house ON contracts.trade (at_ms, coin) WHERE taker_customer = 0;
