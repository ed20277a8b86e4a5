-- A kind is one letter. The column keeps the first one of a longer word, so what the arithmetic took for no kind at all ("hold", "post") was
-- kept as a transfer that had moved nothing, and what it resolves was not compared with its hold.

/*
 * The only door. Posts journals with their transfers, in the order given, under the lock of ledger.head. The poster says what
 * each side's entry number and balances are after each transfer; nothing of that is believed: every step is recomputed here.
 * Refuses (and so rolls everything back): a halted ledger, a fraction or an amount ≤ 0, an unknown account or one of another
 * asset, a closed account, an unknown kind, a resolution that does not fit its hold, a balance below what the account's rule allows after any
 * single transfer.
 */
CREATE OR REPLACE FUNCTION ledger.post(
  _first_sequence bigint,
  _journals uuid[], _journal_kinds text[], _digests text[], _refusals text[], _answers text[], _journal_firsts bigint[], _journal_counts integer[],
  _transfer_journals uuid[], _kinds text[], _resolves bigint[], _assets text[], _debits bigint[], _credits bigint[], _units numeric[], _held numeric[], _codes smallint[],
  _debit_entries bigint[], _debit_totals numeric[], _debit_helds numeric[], _credit_entries bigint[], _credit_totals numeric[], _credit_helds numeric[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
-- One plan for every batch, by index: made anew for each it takes longer than a single transfer does, and made while there are few
-- accounts it would read all of them until it is made again.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  posted integer := coalesce(array_length(_kinds, 1), 0);
  locked ledger.head;
  legs integer;
  faults integer;
  fractions integer;
  moved ledger.moved[];
BEGIN
  IF NOT _kinds <@ ARRAY['s', 'h', 'p', 'v'] THEN RAISE EXCEPTION 'no such kind of transfer' USING ERRCODE = 'LD008'; END IF;
  SELECT * INTO STRICT locked FROM ledger.head FOR UPDATE;
  IF locked.halted IS NOT NULL AND posted > 0 THEN RAISE EXCEPTION 'halted: %', locked.halted USING ERRCODE = 'LD006'; END IF;
  IF locked.last_sequence + 1 <> _first_sequence THEN RAISE EXCEPTION 'another poster was here' USING ERRCODE = 'LD007'; END IF;

  INSERT INTO ledger.journal (id, kind, digest, refusal, answer, first_sequence, transfers)
  SELECT id, kind, digest, refusal, answer, first, number
  FROM unnest(_journals, _journal_kinds, _digests, _refusals, _answers, _journal_firsts, _journal_counts) AS j(id, kind, digest, refusal, answer, first, number);
  IF posted = 0 THEN RETURN; END IF;

  -- Every leg follows from the one before it on its account, the first from the account itself. What an account's legs come to is
  -- kept for its counters.
  WITH transfer AS MATERIALIZED (
    -- A hold adds its units to what is held; `held` is the whole hold that a post or void takes away.
    SELECT n, asset, debit, credit, units, de, dt, dh, ce, ct, ch, kind = 'v' AS is_void,
      CASE kind WHEN 'h' THEN units WHEN 's' THEN 0 ELSE -held END AS kept, CASE WHEN kind IN ('s', 'p') THEN units ELSE 0 END AS paid,
      -- The column would round a fraction without a word.
      (units > 0 AND units < 1e38 AND units = trunc(units) AND held = trunc(held)) IS NOT TRUE AS is_fraction
    FROM unnest(_kinds, _assets, _debits, _credits, _units, _held, _debit_entries, _debit_totals, _debit_helds, _credit_entries, _credit_totals,
      _credit_helds) WITH ORDINALITY AS t(kind, asset, debit, credit, units, held, de, dt, dh, ce, ct, ch, n)
  ), leg AS (
    SELECT n, debit AS account, asset, is_void, is_fraction, de AS entry, dt AS total, dh AS held, kept AS debit_kept, 0 AS credit_kept, paid AS debit_paid, 0 AS credit_paid
    FROM transfer
    UNION ALL
    SELECT n, credit, asset, is_void, is_fraction, ce, ct, ch, 0, kept, 0, paid FROM transfer
  ), step AS (
    SELECT leg.*, lag(entry) OVER w AS entry_before, lag(total) OVER w AS total_before, lag(held) OVER w AS held_before
    FROM leg WINDOW w AS (PARTITION BY account ORDER BY n)
  ), chain AS (
    SELECT account, asset, sum(debit_kept) AS dk, sum(debit_paid) AS dp, sum(credit_kept) AS ck, sum(credit_paid) AS cp, count(*) AS legs,
      count(*) FILTER (WHERE is_fraction) AS fractions,
      count(*) FILTER (WHERE (entry_before IS NULL
        OR (entry = entry_before + 1 AND total = total_before + credit_paid - debit_paid AND held = held_before + debit_kept)) IS NOT TRUE) AS faults,
      count(*) FILTER (WHERE (total >= held) IS NOT TRUE) AS overdrafts, bool_and(is_void) AS is_void,
      min(entry - 1) FILTER (WHERE entry_before IS NULL) AS entries,
      min(total - credit_paid + debit_paid) FILTER (WHERE entry_before IS NULL) AS total,
      min(held - debit_kept) FILTER (WHERE entry_before IS NULL) AS held
    FROM step GROUP BY account, asset
  )
  SELECT sum(c.legs), sum(c.fractions),
    sum(c.faults) + count(*) FILTER (WHERE (a.entries = c.entries AND a.credits_posted - a.debits_posted = c.total AND a.debits_held = c.held
      AND (a.rule <> 'c' OR c.overdrafts = 0) AND (NOT a.closed OR c.is_void)) IS NOT TRUE),
    array_agg(ROW(c.account, c.dk, c.dp, c.ck, c.cp, c.legs)::ledger.moved)
  INTO legs, fractions, faults, moved FROM chain c JOIN ledger.account a ON a.id = c.account AND a.asset = c.asset;
  IF fractions > 0 THEN RAISE EXCEPTION 'bad amount' USING ERRCODE = 'LD005'; END IF;
  IF legs IS DISTINCT FROM 2 * posted OR faults > 0 THEN
    RAISE EXCEPTION 'a transfer overdraws an account, or names one that is closed, unknown or of another asset' USING ERRCODE = 'LD003';
  END IF;

  INSERT INTO ledger.transfer (sequence, journal, kind, resolves, asset, debit, credit, units, code, debit_entry, debit_total, debit_held, credit_entry, credit_total, credit_held)
  SELECT _first_sequence + n - 1, journal, kind::"char", resolves, asset, debit, credit, units, code, de, dt, dh, ce, ct, ch
  FROM unnest(_transfer_journals, _kinds, _resolves, _assets, _debits, _credits, _units, _codes, _debit_entries, _debit_totals, _debit_helds,
    _credit_entries, _credit_totals, _credit_helds) WITH ORDINALITY AS t(journal, kind, resolves, asset, debit, credit, units, code, de, dt, dh, ce, ct, ch, n);

  IF (_kinds && '{p,v}') AND EXISTS (
    SELECT FROM unnest(_kinds, _resolves, _debits, _credits, _assets, _units, _held) AS t(kind, resolves, debit, credit, asset, units, held)
    LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
    WHERE t.resolves IS NOT NULL AND (h.sequence IS NULL OR h.kind <> 'h' OR h.debit <> t.debit OR h.credit <> t.credit OR h.asset <> t.asset
      OR h.units <> t.held OR t.units > h.units OR (t.kind = 'v' AND t.units <> h.units))
  ) THEN
    RAISE EXCEPTION 'a resolution does not fit its hold' USING ERRCODE = 'LD002';
  END IF;

  UPDATE ledger.account a SET
    debits_held = a.debits_held + m.debits_held, debits_posted = a.debits_posted + m.debits_posted,
    credits_held = a.credits_held + m.credits_held, credits_posted = a.credits_posted + m.credits_posted,
    entries = a.entries + m.entries
  FROM unnest(moved) AS m WHERE a.id = m.account;

  UPDATE ledger.head SET last_sequence = locked.last_sequence + posted;
END $$;
