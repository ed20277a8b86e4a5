-- What a batch writes to the books refuses by itself, so that the commit can be sent right behind it, and finds each order by its key
-- whatever the planner believes of a table that grows by thousands a second.

-- Moves books on, each under its lease and from where the batch found it.
CREATE FUNCTION contracts.move_books(_coins text[], _leases bigint[], _before bigint[], _after bigint[], _trades bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp AS $$
DECLARE
  moved integer;
BEGIN
  UPDATE contracts.book b SET sequence = m.after, trades = m.trades
  FROM unnest(_coins, _leases, _before, _after, _trades) AS m(coin, lease, before, after, trades)
  WHERE b.coin = m.coin AND b.lease = m.lease AND b.sequence = m.before;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> cardinality(_coins) THEN RAISE EXCEPTION 'the book is written under another lease' USING ERRCODE = 'CT002'; END IF;
END $$;

CREATE FUNCTION contracts.change_orders(_coins text[], _sequences bigint[], _dealt_quantities bigint[], _dealt_amounts bigint[], _dealt_values numeric[],
  _fees bigint[], _held bigint[], _are_live boolean[], _reasons text[], _updated_ms bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed integer;
BEGIN
  UPDATE contracts.orders o SET dealt_quantity = u.dealt_quantity, dealt_amount = u.dealt_amount, dealt_value = u.dealt_value, fee = u.fee, held = u.held,
    is_live = u.is_live, reason = u.reason, updated_ms = u.updated_ms
  FROM unnest(_coins, _sequences, _dealt_quantities, _dealt_amounts, _dealt_values, _fees, _held, _are_live, _reasons, _updated_ms)
    AS u(coin, sequence, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms)
  -- Not "o.is_live": the index of what is live would be taken for a way to find them.
  WHERE o.coin = u.coin AND o.sequence = u.sequence AND (o.is_live IS NOT FALSE);
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> cardinality(_coins) THEN RAISE EXCEPTION 'an order that was to change did not rest' USING ERRCODE = 'CT003'; END IF;
END $$;

CREATE FUNCTION contracts.drop_quotes(_coins text[], _sequences bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = contracts, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM contracts.orders o USING unnest(_coins, _sequences) AS d(coin, sequence)
  WHERE o.coin = d.coin AND o.sequence = d.sequence AND (o.is_live IS NOT FALSE);
END $$;

REVOKE ALL ON FUNCTION contracts.move_books, contracts.change_orders, contracts.drop_quotes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION contracts.move_books, contracts.change_orders, contracts.drop_quotes TO sathorn_app;
