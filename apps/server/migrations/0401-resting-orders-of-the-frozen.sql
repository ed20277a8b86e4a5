-- Each second the platform looks for customers who are frozen for trading, and ends their resting orders.
CREATE INDEX customer_frozen ON customers.customer (id) WHERE frozen_reason IS NOT NULL;
CREATE INDEX freeze_open ON customers.freeze (customer) WHERE lifted_at IS NULL;
