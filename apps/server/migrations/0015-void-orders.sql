-- Whoever begins to settle looks for orders that were voided lately: the notice of one may have been lost in a crash.
CREATE INDEX orders_void ON options.orders (settled_ms) WHERE status = 'void';
