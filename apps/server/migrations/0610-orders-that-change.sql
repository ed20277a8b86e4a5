-- A resting order can shrink at its place: `cut_quantity` is what its owner took back of it. Its text stays as it was
-- sealed. With another price it ends, and `replaces` of the new order names it.
ALTER TABLE contracts.orders ADD COLUMN cut_quantity bigint NOT NULL DEFAULT 0 CHECK (cut_quantity >= 0);
ALTER TABLE contracts.orders ADD COLUMN replaces bigint CHECK (replaces < sequence);
ALTER TABLE contracts.orders DROP CONSTRAINT orders_reason_check;
ALTER TABLE contracts.orders ADD CONSTRAINT orders_reason_check
  CHECK (reason IN ('revoked', 'self_trade', 'unfilled', 'amended', 'paired')) NOT VALID;
ALTER TABLE contracts.orders DROP CONSTRAINT orders_check;
ALTER TABLE contracts.orders ADD CONSTRAINT orders_dealt_of_quantity
  CHECK (dealt_quantity BETWEEN 0 AND quantity - cut_quantity) NOT VALID;
ALTER TABLE contracts.orders DROP CONSTRAINT orders_check4;
ALTER TABLE contracts.orders ADD CONSTRAINT orders_live_while_open
  CHECK (is_live = (reason IS NULL AND dealt_quantity < quantity - cut_quantity)) NOT VALID;
-- One order has one successor.
CREATE UNIQUE INDEX orders_replaced ON contracts.orders (coin, replaces) WHERE replaces IS NOT NULL;
GRANT UPDATE (cut_quantity) ON contracts.orders TO sathorn_app;

DROP FUNCTION contracts.change_orders(text[], bigint[], bigint[], bigint[], numeric[], bigint[], bigint[], boolean[], text[], bigint[]);
-- As before, with what was taken back, which only grows.
CREATE FUNCTION contracts.change_orders(_coins text[], _sequences bigint[], _cut_quantities bigint[],
  _dealt_quantities bigint[], _dealt_amounts bigint[], _dealt_values numeric[],
  _fees bigint[], _held bigint[], _are_live boolean[], _reasons text[], _updated_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE contracts.orders o SET cut_quantity = u.cut_quantity, dealt_quantity = u.dealt_quantity, dealt_amount = u.dealt_amount,
    dealt_value = u.dealt_value, fee = u.fee, held = u.held, is_live = u.is_live, reason = u.reason, updated_ms = u.updated_ms
  FROM unnest(_coins, _sequences, _cut_quantities, _dealt_quantities, _dealt_amounts, _dealt_values, _fees, _held, _are_live, _reasons, _updated_ms)
    AS u(coin, sequence, cut_quantity, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms)
  -- Not "o.is_live": the index of what is live would be taken for a way to find them.
  WHERE o.coin = u.coin AND o.sequence = u.sequence AND (o.is_live IS NOT FALSE) AND o.cut_quantity <= u.cut_quantity;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> cardinality(_coins) THEN RAISE EXCEPTION 'an order that was to change did not rest' USING ERRCODE = 'CT003'; END IF;
END $$;
REVOKE ALL ON FUNCTION contracts.change_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION contracts.change_orders TO sathorn_app;
