-- Finds each order by its key, whatever the planner believes of a table that grows by thousands a second: it took the index of all that is
-- holding for a way to find a thousand of them. How many were holding until now.
CREATE FUNCTION options.settle_orders(_ids uuid[], _statuses text[], _reasons text[], _start_sequences bigint[], _start_prices bigint[],
  _end_sequences bigint[], _end_prices bigint[], _profits bigint[], _fees bigint[], _credited bigint[], _settled_ms bigint, _journal uuid) RETURNS bigint
LANGUAGE plpgsql SET search_path = options, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  settled bigint;
BEGIN
  UPDATE options.orders o SET status = s.status, reason = s.reason, start_sequence = s.start_sequence, start_price = s.start_price,
    end_sequence = s.end_sequence, end_price = s.end_price, profit = s.profit, fee = s.fee, credited = s.credited, settled_ms = _settled_ms, journal = _journal
  FROM unnest(_ids, _statuses, _reasons, _start_sequences, _start_prices, _end_sequences, _end_prices, _profits, _fees, _credited)
    AS s(id, status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited)
  -- Not "=": the index of what is holding would be taken for a way to find them.
  WHERE o.id = s.id AND o.status IS NOT DISTINCT FROM 'holding';
  GET DIAGNOSTICS settled = ROW_COUNT;
  RETURN settled;
END $$;
REVOKE ALL ON FUNCTION options.settle_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.settle_orders TO sathorn_app;
