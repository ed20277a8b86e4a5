-- A day's income of a million positions: the second day compared each position with the whole day before, and each payment read its accounts twice.

/*
 * Pays many owners, each once, from one account of the house in one journal: as ledger.post would one after another. The accounts are changed first, and
 * what that gives is what the transfers say, so no account is read twice. Under the lock of ledger.head. Refuses what ledger.post refuses.
 */
CREATE FUNCTION ledger.pay_owners(
  _journal uuid, _kind text, _digest text, _asset text, _debit_code smallint, _credit_code smallint, _code smallint, _owners bigint[], _units numeric[]
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET jit = off AS $$
DECLARE
  posted CONSTANT integer := coalesce(cardinality(_units), 0);
  paid CONSTANT numeric := (SELECT sum(u) FROM unnest(_units) u);
  is_owner CONSTANT boolean := pg_has_role(session_user, current_user, 'MEMBER');
  is_live CONSTANT boolean := coalesce((SELECT mode = 'live' FROM ledger.deployment), false);
  locked ledger.head;
  payer ledger.account;
  lines bigint;
BEGIN
  IF posted = 0 THEN RAISE EXCEPTION 'a journal without transfers' USING ERRCODE = 'LD005'; END IF;
  -- The house has none of the accounts that customers have, so no transfer here has one owner on both sides.
  IF NOT EXISTS (
    SELECT FROM ledger.purpose p
    WHERE p.code = _code AND 's' = ANY (p.kinds) AND _debit_code = ANY (p.debits) AND _credit_code = ANY (p.credits)
      AND p.is_own IS NOT TRUE AND (p.posted_by = 'app' OR (p.posted_by = 'owner' AND is_owner)) AND NOT (p.is_of_demo AND is_live)
  ) OR 0 = ANY (_owners) THEN
    RAISE EXCEPTION 'purpose % does not move money from account % to account %', _code, _debit_code, _credit_code USING ERRCODE = 'LD009';
  END IF;

  SELECT * INTO STRICT locked FROM ledger.head FOR UPDATE;
  IF locked.halted IS NOT NULL THEN RAISE EXCEPTION 'halted: %', locked.halted USING ERRCODE = 'LD006'; END IF;
  SELECT * INTO payer FROM ledger.account WHERE owner = 0 AND code = _debit_code AND asset = _asset;
  IF (NOT payer.closed AND (payer.rule <> 'c' OR payer.credits_posted - payer.debits_posted - paid >= payer.debits_held)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the paying account is closed, unknown or has too little' USING ERRCODE = 'LD003';
  END IF;
  INSERT INTO ledger.journal (id, kind, digest, first_sequence, transfers) VALUES (_journal, _kind, _digest, locked.last_sequence + 1, posted);

  -- An owner that is named twice would be changed once, and the count below would not agree.
  WITH moved AS (
    UPDATE ledger.account a SET credits_posted = a.credits_posted + t.units, entries = a.entries + 1
    FROM unnest(_owners, _units) WITH ORDINALITY AS t(owner, units, n)
    WHERE a.owner = t.owner AND a.code = _credit_code AND a.asset = _asset AND NOT a.closed AND t.units > 0 AND t.units < 1e38 AND t.units = trunc(t.units)
    RETURNING t.n, t.units, a.id, a.entries, a.credits_posted - a.debits_posted AS total, a.debits_held AS held
  )
  INSERT INTO ledger.transfer (sequence, journal, kind, asset, debit, credit, units, code, debit_entry, debit_total, debit_held, credit_entry, credit_total, credit_held)
  SELECT locked.last_sequence + n, _journal, 's', _asset, payer.id, id, units, _code,
    payer.entries + n, payer.credits_posted - payer.debits_posted - sum(units) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING), payer.debits_held, entries, total, held
  FROM moved ORDER BY n;
  GET DIAGNOSTICS lines = ROW_COUNT;
  IF lines <> posted OR cardinality(_owners) <> posted THEN
    RAISE EXCEPTION 'a transfer names an account that is closed, unknown or named twice, or its amount is none' USING ERRCODE = 'LD003';
  END IF;
  UPDATE ledger.account SET debits_posted = debits_posted + paid, entries = entries + posted WHERE id = payer.id;
  UPDATE ledger.head SET last_sequence = locked.last_sequence + posted;
  RETURN locked.last_sequence + 1;
END $$;
REVOKE ALL ON FUNCTION ledger.pay_owners FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.pay_owners TO sathorn_app;

/*
 * As before (0151), but that the incomes of the day before are read as one range beside the positions: with statistics from before that day, a plan
 * looked through all of that day for each of them.
 */
CREATE OR REPLACE FUNCTION earning.count_liquidity(_day integer, _limit integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = earning, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_material = off SET jit = off AS $$
DECLARE
  work earning.accrual;
  terms earning.version;
  -- What the stages below each stage come to when they are full.
  full_sums numeric[] := '{0}';
  seen bigint; last_seen bigint; earned_units numeric; earned_positions bigint;
BEGIN
  SELECT * INTO STRICT work FROM earning.accrual WHERE product = 1 AND day = _day FOR UPDATE;
  IF work.state <> 'counting' THEN RETURN true; END IF;
  SELECT * INTO STRICT terms FROM earning.version WHERE product = 1 AND version = work.version;
  FOR n IN 2 .. cardinality(terms.stage_froms) LOOP
    full_sums[n] := full_sums[n - 1] + (terms.stage_froms[n] - terms.stage_froms[n - 1])::numeric * terms.stage_rates[n - 1];
  END LOOP;

  WITH place AS MATERIALIZED (
    SELECT * FROM earning.liquidity WHERE customer_id > work.counted_to ORDER BY customer_id LIMIT _limit
  ), based AS MATERIALIZED (
    SELECT p.customer_id, CASE
        WHEN p.day = _day THEN p.earning
        WHEN p.day < _day THEN p.earning - p.leaving + p.fresh
        ELSE coalesce((SELECT CASE WHEN o.day = _day THEN o.earning ELSE o.earning - o.leaving + o.fresh END
          FROM earning.liquidity_past o WHERE o.customer_id = p.customer_id AND o.day <= _day ORDER BY o.day DESC LIMIT 1), 0)
      END AS base
    FROM place p
  ), before AS MATERIALIZED (
    SELECT i.position, i.carry_after, i.total_after FROM earning.income i
    WHERE i.product = 1 AND i.day = _day - 1 AND i.position > work.counted_to AND i.position <= (SELECT max(customer_id) FROM place)
  ), carried AS MATERIALIZED (
    SELECT b.customer_id, b.base, i.position IS NOT NULL AS has_earned,
      coalesce(i.carry_after, CASE WHEN b.base > 0 THEN (SELECT r.carry FROM earning.rest r WHERE r.customer_id = b.customer_id ORDER BY r.day DESC LIMIT 1) END, 0) AS carry,
      coalesce(i.total_after, CASE WHEN b.base > 0 THEN (SELECT r.total FROM earning.rest r WHERE r.customer_id = b.customer_id ORDER BY r.day DESC LIMIT 1) END, 0) AS total,
      width_bucket(b.base, terms.stage_froms) AS stage
    FROM based b LEFT JOIN before i ON i.position = b.customer_id
  ), earned AS MATERIALIZED (
    SELECT customer_id, base, carry, total, carry + full_sums[stage] + (base - terms.stage_froms[stage])::numeric * terms.stage_rates[stage] AS numerator
    FROM carried WHERE base > 0
  ), paid AS MATERIALIZED (
    SELECT *, div(numerator, 36500000000) AS units FROM earned
  ), written AS (
    INSERT INTO earning.income (product, day, position, customer_id, base, carry_before, carry_after, units, total_after, chunk, leg)
    SELECT 1, _day, customer_id, customer_id, base, carry, numerator - units * 36500000000, units, total + units, work.chunks + 1,
      CASE WHEN units > 0 THEN count(*) FILTER (WHERE units > 0) OVER (ORDER BY customer_id ROWS UNBOUNDED PRECEDING) END
    FROM paid
  ), rested AS (
    INSERT INTO earning.rest (customer_id, day, carry, total) SELECT customer_id, _day, carry, total FROM carried WHERE base = 0 AND has_earned
  )
  SELECT (SELECT count(*) FROM place), (SELECT max(customer_id) FROM place), (SELECT coalesce(sum(units), 0) FROM paid), (SELECT count(*) FROM paid)
  INTO seen, last_seen, earned_units, earned_positions;

  IF earned_positions > 0 THEN
    INSERT INTO earning.chunk (product, day, chunk, journal, first_position, last_position, units)
    VALUES (1, _day, work.chunks + 1, gen_random_uuid(), work.counted_to + 1, last_seen, earned_units);
  END IF;
  UPDATE earning.accrual SET counted_to = coalesce(last_seen, counted_to), positions = positions + earned_positions, units = units + earned_units,
    chunks = chunks + CASE WHEN earned_positions > 0 THEN 1 ELSE 0 END,
    state = CASE WHEN seen = _limit THEN 'counting' ELSE 'waiting' END
  WHERE product = 1 AND day = _day;
  RETURN seen < _limit;
END $$;

-- As before (0151), but that liquidity is paid by ledger.pay_owners: a customer has one position there, so each is paid once.
CREATE OR REPLACE FUNCTION earning.pay_chunk(_product smallint, _day integer, _kind text) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = earning, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off SET enable_material = off SET jit = off AS $$
DECLARE
  work earning.accrual;
  part earning.chunk;
  customers bigint[]; units numeric[];
  back_numbers bigint[]; back_customers bigint[]; back_units numeric[];
  paid integer; returned integer;
BEGIN
  SELECT * INTO STRICT work FROM earning.accrual WHERE product = _product AND day = _day FOR UPDATE;
  IF work.state = 'paid' THEN RETURN NULL; END IF;
  IF work.state <> 'paying' THEN RAISE EXCEPTION 'day % of product % is %', _day, _product, work.state USING ERRCODE = 'EA004'; END IF;
  IF work.chunks_paid = work.chunks THEN
    UPDATE earning.accrual SET state = 'paid', paid_at = clock_timestamp() WHERE product = _product AND day = _day;
    RETURN NULL;
  END IF;
  SELECT * INTO STRICT part FROM earning.chunk WHERE product = _product AND day = _day AND chunk = work.chunks_paid + 1;
  SELECT array_agg(i.customer_id ORDER BY i.leg), array_agg(i.units ORDER BY i.leg) INTO customers, units
  FROM earning.income i
  WHERE i.product = _product AND i.day = _day AND i.position BETWEEN part.first_position AND part.last_position AND i.leg IS NOT NULL;
  IF _product > 1 THEN
    SELECT array_agg(l.number ORDER BY l.number), array_agg(l.customer_id ORDER BY l.number), array_agg(l.principal ORDER BY l.number)
    INTO back_numbers, back_customers, back_units
    FROM earning.lockup l
    WHERE l.product = _product AND l.matured_at IS NULL AND l.number BETWEEN part.first_position AND part.last_position AND l.end_day = _day + 1;
  END IF;
  paid := coalesce(cardinality(customers), 0);
  returned := coalesce(cardinality(back_numbers), 0);
  IF _product = 1 AND paid > 0 THEN
    PERFORM ledger.pay_owners(part.journal, _kind, format('%s/%s/%s', _product, _day, part.chunk), 'USDT', 261::smallint, 1000::smallint, 76::smallint, customers, units);
  ELSIF paid + returned > 0 THEN
    PERFORM ledger.post_singles(part.journal, _kind, format('%s/%s/%s', _product, _day, part.chunk), 'USDT',
      array_fill(0::bigint, ARRAY[paid]) || coalesce(back_customers, '{}'),
      array_fill(261::smallint, ARRAY[paid]) || array_fill(1010::smallint, ARRAY[returned]),
      coalesce(customers, '{}') || coalesce(back_customers, '{}'), array_fill(1000::smallint, ARRAY[paid + returned]),
      coalesce(units, '{}') || coalesce(back_units, '{}'),
      array_fill(73::smallint, ARRAY[paid]) || array_fill(71::smallint, ARRAY[returned]));
  END IF;
  IF returned > 0 THEN
    UPDATE earning.lockup SET matured_at = clock_timestamp(), matured_journal = part.journal WHERE number = ANY (back_numbers);
    UPDATE earning.lockup_total SET taken = taken - (SELECT sum(u) FROM unnest(back_units) u) WHERE product = _product;
  END IF;
  UPDATE earning.accrual SET chunks_paid = chunks_paid + 1,
    state = CASE WHEN chunks_paid + 1 = chunks THEN 'paid' ELSE state END,
    paid_at = CASE WHEN chunks_paid + 1 = chunks THEN clock_timestamp() END
  WHERE product = _product AND day = _day;
  RETURN coalesce(customers, '{}') || coalesce(back_customers, '{}');
END $$;
ALTER FUNCTION earning.count_liquidity RESET enable_hashjoin;
ALTER FUNCTION earning.count_lockup SET enable_material = off;
ALTER FUNCTION ledger.post_singles SET enable_material = off;

-- An accrual changes an account of every customer, half of a page's rows at once. With room for them on the page, no index has to be written.
ALTER TABLE ledger.account SET (fillfactor = 50);
