-- How long after its arrival an order was accepted, in ms, as its signed terms say. So anybody sees who waits. Older
-- orders have none. A clock of another process may be ahead, so it may be negative.
ALTER TABLE options.orders ADD COLUMN waited_ms integer;
GRANT INSERT (waited_ms) ON options.orders TO sathorn_app;
