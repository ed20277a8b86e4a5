-- Yields are paid from a funded account, and by the hundred thousand at once: its accounts and purposes, and a door for many payments in one journal.
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES (260, 'yield', 'c', true), (261, 'yield_reserved', 'c', true);

INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (1, '{s}', '{100}', '{260}', true, 'owner', false),
  (2, '{s}', '{100}', '{260}', true, 'owner', false),
  (2, '{s}', '{260}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{260}', true, 'app', true),
  -- Lock-up: the principal there and back, and the daily income.
  (70, '{s}', '{1000}', '{1010}', true, 'app', false),
  (71, '{s}', '{1010}', '{1000}', true, 'app', false),
  -- What has been promised is set aside: a lock-up's whole yield when it is subscribed, a day's liquidity income before any of it is paid.
  (72, '{s}', '{260}', '{261}', true, 'app', false),
  (73, '{s}', '{261}', '{1000}', false, 'app', false),
  -- Liquidity: a quick redemption at once, a normal one held first.
  (74, '{s}', '{1000}', '{1020}', true, 'app', false),
  (75, '{s,h,p,v}', '{1020}', '{1000}', true, 'app', false),
  (76, '{s}', '{261}', '{1000}', false, 'app', false),
  (77, '{s}', '{200}', '{260}', true, 'app', false);

INSERT INTO ledger.demo_capital (code, asset, units) VALUES (260, 'USDT', 500000000000);

/*
 * Posts many singles of one asset in one journal, by owner and account of the chart: between them they are as ledger.post would post them one
 * after another. Every entry, total and balance is computed here, under the lock of ledger.head. Refuses what ledger.post refuses.
 */
CREATE FUNCTION ledger.post_singles(
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
    SELECT n, is_debit, account, change, rule, held, entries + row_number() OVER w AS entry, total + sum(change) OVER w AS total
    FROM (
      SELECT n, true AS is_debit, debit AS account, -units AS change, debit_rule AS rule, de AS entries, dt AS total, dh AS held FROM line
      UNION ALL SELECT n, false, credit, units, credit_rule, ce, ct, ch FROM line
    ) side WINDOW w AS (PARTITION BY account ORDER BY n ROWS UNBOUNDED PRECEDING)
  ), written AS (
    INSERT INTO ledger.transfer (sequence, journal, kind, asset, debit, credit, units, code, debit_entry, debit_total, debit_held, credit_entry, credit_total, credit_held)
    SELECT locked.last_sequence + line.n, _journal, 's', _asset, line.debit, line.credit, line.units, line.code, d.entry, d.total, d.held, c.entry, c.total, c.held
    FROM line JOIN leg d ON d.n = line.n AND d.is_debit JOIN leg c ON c.n = line.n AND NOT c.is_debit
    ORDER BY line.n
    RETURNING 1
  ), sum AS (
    SELECT account, count(*) AS entries, coalesce(-sum(change) FILTER (WHERE is_debit), 0) AS debits, coalesce(sum(change) FILTER (WHERE NOT is_debit), 0) AS credits,
      bool_or(rule = 'c' AND total < held) AS is_overdrawn
    FROM leg GROUP BY account
  ), changed AS (
    UPDATE ledger.account a SET debits_posted = a.debits_posted + sum.debits, credits_posted = a.credits_posted + sum.credits, entries = a.entries + sum.entries
    FROM sum WHERE a.id = sum.account
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM written), (SELECT count(*) FILTER (WHERE is_fault) FROM line) + (SELECT count(*) FILTER (WHERE is_overdrawn) FROM sum),
    (SELECT count(*) FROM changed), (SELECT count(*) FROM sum)
  INTO lines, faults, moved, accounts;
  IF lines <> posted OR faults > 0 OR moved <> accounts THEN
    RAISE EXCEPTION 'a transfer overdraws an account, or names one that is closed or unknown, or its amount is none' USING ERRCODE = 'LD003';
  END IF;
  UPDATE ledger.head SET last_sequence = locked.last_sequence + posted;
  RETURN locked.last_sequence + 1;
END $$;
REVOKE ALL ON FUNCTION ledger.post_singles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.post_singles TO sathorn_app;
