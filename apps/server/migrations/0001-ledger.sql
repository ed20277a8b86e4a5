-- The ledger: accounts, journals, transfers. Only ledger.post writes here; history is never changed.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA ledger;

CREATE TABLE ledger.asset (
  code text PRIMARY KEY,
  -- Decimal places of the smallest unit. Immutable: a new scale is a new asset.
  scale smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  kind text NOT NULL CHECK (kind IN ('crypto', 'fiat', 'points'))
);

-- The chart of accounts. Which balances an account may have is said here, by its owner, and not by who opens it.
CREATE TABLE ledger.chart (
  code smallint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- c: what it owes can't go below zero; d: what it has can't be overdrawn; n: equity, either way.
  rule "char" NOT NULL CHECK (rule IN ('c', 'd', 'n')),
  is_house boolean NOT NULL
);
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES
  (100, 'equity', 'n', true), (110, 'reserve_hot', 'd', true), (111, 'reserve_cold', 'd', true), (112, 'reserve_bank', 'd', true),
  (200, 'house_capital', 'c', true), (210, 'options_pool', 'c', true), (220, 'fee_income', 'c', true), (230, 'rounding', 'c', true),
  (240, 'demo_fund', 'c', true), (1000, 'spot', 'c', false), (1010, 'lockup', 'c', false), (1020, 'liquidity', 'c', false),
  (1030, 'accrued', 'c', false), (1040, 'restricted', 'c', false);

CREATE TABLE ledger.account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner bigint NOT NULL CHECK (owner >= 0),
  code smallint NOT NULL REFERENCES ledger.chart,
  asset text NOT NULL REFERENCES ledger.asset,
  -- As the chart said when it was opened.
  rule "char" NOT NULL CHECK (rule IN ('c', 'd', 'n')),
  debits_held numeric(39, 0) NOT NULL DEFAULT 0 CHECK (debits_held >= 0),
  debits_posted numeric(39, 0) NOT NULL DEFAULT 0 CHECK (debits_posted >= 0),
  credits_held numeric(39, 0) NOT NULL DEFAULT 0 CHECK (credits_held >= 0),
  credits_posted numeric(39, 0) NOT NULL DEFAULT 0 CHECK (credits_posted >= 0),
  entries bigint NOT NULL DEFAULT 0 CHECK (entries >= 0),
  closed boolean NOT NULL DEFAULT false,
  UNIQUE (owner, code, asset),
  CONSTRAINT no_overdraft_c CHECK (rule <> 'c' OR debits_held + debits_posted <= credits_posted),
  CONSTRAINT no_overdraft_d CHECK (rule <> 'd' OR credits_held + credits_posted <= debits_posted)
) WITH (fillfactor = 70);

-- One row: whoever holds it posts. So sequences have no gaps, follow the order of commits, and posters can't deadlock.
CREATE TABLE ledger.head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  last_sequence bigint NOT NULL DEFAULT 0,
  halted text
) WITH (fillfactor = 50);
INSERT INTO ledger.head DEFAULT VALUES;

-- A business event, and the memory of the intent behind it: the same id gets the first answer again, refusals included.
CREATE TABLE ledger.journal (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  digest text NOT NULL,
  refusal text,
  -- JSON, as it was given; never looked into here.
  answer text,
  first_sequence bigint NOT NULL,
  transfers integer NOT NULL CHECK (transfers >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (refusal IS NULL OR transfers = 0)
);

-- One debit account, one credit account, one asset, one positive amount. Each side carries the account's entry number and
-- its balances after this transfer, so an account's history is a chain that anyone can walk.
CREATE TABLE ledger.transfer (
  sequence bigint PRIMARY KEY,
  journal uuid NOT NULL,
  -- s single, h hold, p post (what was held and not posted goes back), v void
  kind "char" NOT NULL CHECK (kind IN ('s', 'h', 'p', 'v')),
  resolves bigint,
  asset text NOT NULL,
  debit bigint NOT NULL,
  credit bigint NOT NULL,
  units numeric(39, 0) NOT NULL CHECK (units > 0 AND units < 1e38),
  code smallint NOT NULL CHECK (code > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  debit_entry bigint NOT NULL,
  -- Posted credits less posted debits, and what is held of it.
  debit_total numeric(39, 0) NOT NULL,
  debit_held numeric(39, 0) NOT NULL,
  credit_entry bigint NOT NULL,
  credit_total numeric(39, 0) NOT NULL,
  credit_held numeric(39, 0) NOT NULL,
  CHECK (debit <> credit),
  CHECK ((kind IN ('p', 'v')) = (resolves IS NOT NULL))
);
CREATE UNIQUE INDEX transfer_debit ON ledger.transfer (debit, debit_entry);
CREATE UNIQUE INDEX transfer_credit ON ledger.transfer (credit, credit_entry);
CREATE UNIQUE INDEX transfer_one_resolution ON ledger.transfer (resolves) WHERE resolves IS NOT NULL;

CREATE TABLE ledger.halt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reason text NOT NULL,
  by_role text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LD001';
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['journal', 'transfer', 'halt', 'asset', 'chart'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.%I FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger.%I FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['account', 'head'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON ledger.%I FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger.%I FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
END $$;

-- Accounts are opened on first use and never removed.
CREATE FUNCTION ledger.open_accounts(_owners bigint[], _codes smallint[], _assets text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.account (owner, code, asset, rule)
  SELECT DISTINCT owner, code, asset, rule
  FROM unnest(_owners, _codes, _assets) AS wanted(owner, code, asset) JOIN ledger.chart USING (code)
  WHERE is_house = (owner = 0)
  ON CONFLICT (owner, code, asset) DO NOTHING;
$$;

-- Takes the poster's lock until the transaction ends. What it returns is true until then.
CREATE FUNCTION ledger.lock_head() RETURNS TABLE (last_sequence bigint, halted text, now timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  SELECT last_sequence, halted, clock_timestamp() FROM ledger.head FOR UPDATE;
$$;

-- What a batch adds to an account's counters.
CREATE TYPE ledger.moved AS (account bigint, debits_held numeric, debits_posted numeric, credits_held numeric, credits_posted numeric, entries bigint);

/*
 * The only door. Posts journals with their transfers, in the order given, under the lock of ledger.head. The poster says what
 * each side's entry number and balances are after each transfer; nothing of that is believed: every step is recomputed here.
 * Refuses (and so rolls everything back): a halted ledger, a fraction or an amount ≤ 0, an unknown account or one of another
 * asset, a closed account, a resolution that does not fit its hold, a balance below what the account's rule allows after any
 * single transfer.
 */
CREATE FUNCTION ledger.post(
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
    SELECT a.rule, a.closed, leg.*,
      lag(leg.entry, 1, a.entries) OVER w AS entry_before,
      lag(leg.total, 1, a.credits_posted - a.debits_posted) OVER w AS total_before,
      lag(leg.held, 1, a.debits_held) OVER w AS held_before
    FROM leg JOIN ledger.account a ON a.id = leg.account AND a.asset = leg.asset
    WINDOW w AS (PARTITION BY leg.account ORDER BY leg.n)
  ), sum AS (
    SELECT ROW(account, sum(debit_kept), sum(debit_paid), sum(credit_kept), sum(credit_paid), count(*))::ledger.moved AS moved, count(*) AS legs,
      count(*) FILTER (WHERE is_fraction) AS fractions,
      count(*) FILTER (WHERE (entry = entry_before + 1 AND total = total_before + credit_paid - debit_paid AND held = held_before + debit_kept
        AND (rule <> 'c' OR total >= held) AND (NOT closed OR is_void)) IS NOT TRUE) AS faults
    FROM step GROUP BY account
  )
  SELECT sum(s.legs), sum(s.fractions), sum(s.faults), array_agg(s.moved) INTO legs, fractions, faults, moved FROM sum s;
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

-- Anyone of us may stop money; the checker does when an invariant is broken. Starting again is the owner's deed.
CREATE FUNCTION ledger.halt_money(_reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  UPDATE ledger.head SET halted = left(_reason, 500) WHERE halted IS NULL;
  IF FOUND THEN INSERT INTO ledger.halt (reason, by_role) VALUES (left(_reason, 500), session_user); END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT USAGE ON SCHEMA ledger TO sathorn_app, sathorn_checker;
GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION ledger.open_accounts, ledger.lock_head, ledger.post TO sathorn_app;
GRANT EXECUTE ON FUNCTION ledger.halt_money TO sathorn_app, sathorn_checker;

INSERT INTO ledger.asset (code, scale, kind) VALUES
  ('USDT', 6, 'crypto'), ('BTC', 8, 'crypto'), ('ETH', 8, 'crypto'), ('BNB', 8, 'crypto'), ('SOL', 8, 'crypto'), ('XRP', 8, 'crypto'),
  ('DOGE', 8, 'crypto'), ('ADA', 8, 'crypto'), ('TRX', 8, 'crypto'), ('THB', 2, 'fiat'), ('POINTS', 0, 'points');
