-- Each leg looked for its other side among all of the batch, which a plan for few rows did one by one: a batch of thousands took its square.
/*
 * Posts many singles of one asset in one journal, by owner and account of the chart: between them they are as ledger.post would post them one
 * after another. Every entry, total and balance is computed here, under the lock of ledger.head. An account either pays or receives in one call,
 * so each side's history is a window of its own and no leg has to look for another. Refuses what ledger.post refuses.
 */
CREATE OR REPLACE FUNCTION ledger.post_singles(
  _journal uuid, _kind text, _digest text, _asset text,
  _debit_owners bigint[], _debit_codes smallint[], _credit_owners bigint[], _credit_codes smallint[], _units numeric[], _codes smallint[]
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
-- One plan for every batch: by hashing, but for the index that finds the rows.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off AS $$
DECLARE
  posted CONSTANT integer := coalesce(array_length(_units, 1), 0);
  is_owner CONSTANT boolean := pg_has_role(session_user, current_user, 'MEMBER');
  is_live CONSTANT boolean := coalesce((SELECT mode = 'live' FROM ledger.deployment), false);
  locked ledger.head;
  fault text;
  lines bigint; faults bigint; moved bigint; accounts bigint;
BEGIN
  IF posted = 0 THEN RAISE EXCEPTION 'a journal without transfers' USING ERRCODE = 'LD005'; END IF;
  SELECT format('purpose %s does not move money from account %s to account %s', move.code, move.debit, move.credit) INTO fault
  FROM (
    SELECT DISTINCT t.code, t.debit, t.credit, t.debit_owner = t.credit_owner AS is_one
    FROM unnest(_debit_owners, _debit_codes, _credit_owners, _credit_codes, _codes) AS t(debit_owner, debit, credit_owner, credit, code)
  ) move
  WHERE NOT EXISTS (
    SELECT FROM ledger.purpose p
    WHERE p.code = move.code AND 's' = ANY (p.kinds) AND move.debit = ANY (p.debits) AND move.credit = ANY (p.credits)
      AND (p.is_own IS NULL OR p.is_own = move.is_one) AND (p.posted_by = 'app' OR (p.posted_by = 'owner' AND is_owner)) AND NOT (p.is_of_demo AND is_live)
  )
  LIMIT 1;
  IF fault IS NOT NULL THEN RAISE EXCEPTION '%', fault USING ERRCODE = 'LD009'; END IF;

  SELECT * INTO STRICT locked FROM ledger.head FOR UPDATE;
  IF locked.halted IS NOT NULL THEN RAISE EXCEPTION 'halted: %', locked.halted USING ERRCODE = 'LD006'; END IF;
  INSERT INTO ledger.journal (id, kind, digest, first_sequence, transfers) VALUES (_journal, _kind, _digest, locked.last_sequence + 1, posted);

  WITH line AS MATERIALIZED (
    SELECT n, units, t.code, d.id AS debit, c.id AS credit,
      d.entries AS de, d.credits_posted - d.debits_posted AS dt, d.debits_held AS dh,
      c.entries AS ce, c.credits_posted - c.debits_posted AS ct, c.debits_held AS ch,
      d.rule AS debit_rule, c.rule AS credit_rule,
      (units > 0 AND units < 1e38 AND units = trunc(units) AND NOT d.closed AND NOT c.closed AND d.id <> c.id) IS NOT TRUE AS is_fault
    FROM unnest(_debit_owners, _debit_codes, _credit_owners, _credit_codes, _units, _codes)
      WITH ORDINALITY AS t(debit_owner, debit_code, credit_owner, credit_code, units, code, n)
    JOIN ledger.account d ON d.owner = t.debit_owner AND d.code = t.debit_code AND d.asset = _asset
    JOIN ledger.account c ON c.owner = t.credit_owner AND c.code = t.credit_code AND c.asset = _asset
  ), leg AS MATERIALIZED (
    SELECT line.*, de + row_number() OVER d AS debit_entry, dt - sum(units) OVER d AS debit_total,
      ce + row_number() OVER c AS credit_entry, ct + sum(units) OVER c AS credit_total
    FROM line WINDOW d AS (PARTITION BY debit ORDER BY n ROWS UNBOUNDED PRECEDING), c AS (PARTITION BY credit ORDER BY n ROWS UNBOUNDED PRECEDING)
  ), written AS (
    INSERT INTO ledger.transfer (sequence, journal, kind, asset, debit, credit, units, code, debit_entry, debit_total, debit_held, credit_entry, credit_total, credit_held)
    SELECT locked.last_sequence + n, _journal, 's', _asset, debit, credit, units, code, debit_entry, debit_total, dh, credit_entry, credit_total, ch
    FROM leg ORDER BY n
    RETURNING 1
  ), sum AS MATERIALIZED (
    SELECT debit AS account, count(*) AS entries, sum(units) AS debits, 0::numeric AS credits, bool_or(debit_rule = 'c' AND debit_total < dh) AS is_overdrawn
    FROM leg GROUP BY debit
    UNION ALL
    SELECT credit, count(*), 0, sum(units), bool_or(credit_rule = 'c' AND credit_total < ch) FROM leg GROUP BY credit
  ), changed AS (
    UPDATE ledger.account a SET debits_posted = a.debits_posted + sum.debits, credits_posted = a.credits_posted + sum.credits, entries = a.entries + sum.entries
    FROM sum WHERE a.id = sum.account
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM written), (SELECT count(*) FILTER (WHERE is_fault) FROM line) + (SELECT count(*) FILTER (WHERE is_overdrawn) FROM sum),
    (SELECT count(*) FROM changed), (SELECT count(*) FROM sum)
  INTO lines, faults, moved, accounts;
  IF lines <> posted OR faults > 0 OR moved <> accounts THEN
    RAISE EXCEPTION 'a transfer overdraws an account, or names one that is closed, unknown or on the other side too, or its amount is none' USING ERRCODE = 'LD003';
  END IF;
  UPDATE ledger.head SET last_sequence = locked.last_sequence + posted;
  RETURN locked.last_sequence + 1;
END $$;

-- A hash of a whole table for each chunk would cost as much as there are accounts, or as a day's income: rows are looked up by their keys.
ALTER FUNCTION ledger.post_singles SET enable_hashjoin = off;
ALTER FUNCTION earning.count_liquidity SET enable_hashjoin = off;
ALTER FUNCTION earning.count_lockup SET enable_hashjoin = off;
ALTER FUNCTION earning.pay_chunk SET enable_hashjoin = off;
ALTER FUNCTION ledger.post_singles SET jit = off;
ALTER FUNCTION earning.count_liquidity SET jit = off;
ALTER FUNCTION earning.count_lockup SET jit = off;
ALTER FUNCTION earning.pay_chunk SET jit = off;
