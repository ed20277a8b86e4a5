-- The ledger: accounts, journals, transfers, the purposes for which money moves, and what the checker found. Only
-- this schema's functions write here; history is never changed.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- Lets the checker compare functions, triggers and grants with those that the migrations create.
GRANT SELECT ON public.migration TO sathorn_checker;
CREATE SCHEMA ledger;
GRANT USAGE ON SCHEMA ledger TO sathorn_app, sathorn_checker;

-- The assets in which amounts are counted.
CREATE TABLE ledger.asset (
  code text PRIMARY KEY,
  -- Decimal places of the smallest unit. Immutable: a new scale is a new asset.
  scale smallint NOT NULL CHECK (scale BETWEEN 0 AND 18),
  kind text NOT NULL CHECK (kind IN ('crypto', 'fiat', 'points'))
);
INSERT INTO ledger.asset (code, scale, kind) VALUES
  ('USDT', 6, 'crypto'), ('BTC', 8, 'crypto'), ('ETH', 8, 'crypto'), ('BNB', 8, 'crypto'), ('SOL', 8, 'crypto'),
  ('XRP', 8, 'crypto'), ('DOGE', 8, 'crypto'), ('ADA', 8, 'crypto'), ('TRX', 8, 'crypto'), ('THB', 2, 'fiat'),
  ('POINTS', 0, 'points');
GRANT SELECT ON ledger.asset TO sathorn_app, sathorn_checker;

-- The chart of accounts. It defines the allowed balances of an account, by the database's owner and not by the process
-- that opens it.
CREATE TABLE ledger.chart (
  code smallint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- c: a credit balance, never negative. d: a debit balance, never overdrawn. n: equity, either sign.
  rule "char" NOT NULL CHECK (rule IN ('c', 'd', 'n')),
  is_house boolean NOT NULL
);
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES
  (100, 'equity', 'n', true), (110, 'reserve_hot', 'd', true), (111, 'reserve_cold', 'd', true),
  (112, 'reserve_bank', 'd', true), (200, 'house_capital', 'c', true), (210, 'options_pool', 'c', true),
  (220, 'fee_income', 'c', true), (230, 'rounding', 'c', true), (240, 'demo_fund', 'c', true),
  (1000, 'spot', 'c', false), (1010, 'lockup', 'c', false), (1020, 'liquidity', 'c', false),
  (1030, 'accrued', 'c', false), (1040, 'restricted', 'c', false), (250, 'maker', 'c', true),
  (251, 'maker_in_orders', 'c', true), (1005, 'in_orders', 'c', false), (120, 'inbound_clearing', 'd', true),
  (121, 'outbound_clearing', 'c', true), (260, 'yield', 'c', true), (261, 'yield_reserved', 'c', true),
  (270, 'rewards', 'c', true), (271, 'boxes', 'c', true), (272, 'coupons', 'c', true), (280, 'goodwill', 'c', true);
GRANT SELECT ON ledger.chart TO sathorn_app, sathorn_checker;

-- One account per owner, code of the chart and asset; owner 0 is the house. Balances change only with transfers.
CREATE TABLE ledger.account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner bigint NOT NULL CHECK (owner >= 0),
  code smallint NOT NULL REFERENCES ledger.chart,
  asset text NOT NULL REFERENCES ledger.asset,
  -- Copied from the chart when the account was opened.
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
) WITH (fillfactor = 50);
-- Accounts never change their code, so this index costs nothing when a balance changes.
CREATE INDEX restricted_account ON ledger.account (owner) WHERE code = 1040;
GRANT SELECT ON ledger.account TO sathorn_app, sathorn_checker;

-- One row, whose lock is needed to post. So sequences have no gaps, follow the order of commits, and posters can't
-- deadlock.
CREATE TABLE ledger.head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  last_sequence bigint NOT NULL DEFAULT 0,
  halted text
) WITH (fillfactor = 50);
INSERT INTO ledger.head DEFAULT VALUES;
GRANT SELECT ON ledger.head TO sathorn_app, sathorn_checker;

-- A business event, with the intent behind it: the same id gets the first answer again, also a refusal.
CREATE TABLE ledger.journal (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  digest text NOT NULL,
  refusal text,
  -- JSON as the caller gave it, which the database never reads.
  answer text,
  first_sequence bigint NOT NULL,
  transfers integer NOT NULL CHECK (transfers >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (refusal IS NULL OR transfers = 0)
);
GRANT SELECT ON ledger.journal TO sathorn_app, sathorn_checker;

-- One debit account, one credit account, one asset, one positive amount. Each side has the account's entry number and
-- its balances after this transfer, so anyone can verify an account's history as a chain.
CREATE TABLE ledger.transfer (
  sequence bigint PRIMARY KEY,
  journal uuid NOT NULL,
  -- s: single. h: hold. p: post; what was held but not posted is released. v: void.
  kind "char" NOT NULL CHECK (kind IN ('s', 'h', 'p', 'v')),
  resolves bigint,
  asset text NOT NULL,
  debit bigint NOT NULL,
  credit bigint NOT NULL,
  units numeric(39, 0) NOT NULL CHECK (units > 0 AND units < 1e38),
  code smallint NOT NULL CHECK (code > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  debit_entry bigint NOT NULL,
  -- Posted credits less posted debits, and the held part of it.
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
GRANT SELECT ON ledger.transfer TO sathorn_app, sathorn_checker;

-- The halts of money and their ends, with the person who ended them.
CREATE TABLE ledger.halt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reason text NOT NULL,
  by_role text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event text NOT NULL DEFAULT 'halted' CHECK (event IN ('halted', 'resumed')),
  -- The person who ended the halt; null when it was ended by hand.
  by_name text
);
GRANT SELECT ON ledger.halt TO sathorn_app, sathorn_checker;

CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LD001';
END $$;

-- Opens accounts on first use; they are never removed. All callers use the same order, because otherwise two processes
-- that open the same accounts at once would deadlock.
CREATE FUNCTION ledger.open_accounts(_owners bigint[], _codes smallint[], _assets text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.account (owner, code, asset, rule)
  SELECT DISTINCT owner, code, asset, rule
  FROM unnest(_owners, _codes, _assets) AS wanted(owner, code, asset) JOIN ledger.chart USING (code)
  WHERE is_house = (owner = 0)
  ORDER BY owner, code, asset
  ON CONFLICT (owner, code, asset) DO NOTHING;
$$;

-- Locks the head until the transaction ends. The returned values stay true until then.
CREATE FUNCTION ledger.lock_head() RETURNS TABLE (last_sequence bigint, halted text, now timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  SELECT last_sequence, halted, clock_timestamp() FROM ledger.head FOR UPDATE;
$$;

-- The sums that a batch adds to an account's counters.
CREATE TYPE ledger.moved AS (account bigint, debits_held numeric, debits_posted numeric, credits_held numeric,
  credits_posted numeric, entries bigint);

-- The only way to post single transfers: posts journals in the given order, under the lock of ledger.head. The poster
-- gives each side's entry number and balances after each transfer, and this function recomputes them all. It raises,
-- and so rolls everything back, on: a halted ledger, a fraction or an amount ≤ 0, an unknown account or one of another
-- asset, a closed account, an unknown kind, a resolution that does not fit its hold, a balance below the account's rule
-- after any single transfer. An account is looked up once per batch, because its legs form a chain.
CREATE FUNCTION ledger.write_batch(
  _first_sequence bigint,
  _journals uuid[], _journal_kinds text[], _digests text[], _refusals text[], _answers text[],
    _journal_firsts bigint[], _journal_counts integer[],
  _transfer_journals uuid[], _kinds text[], _resolves bigint[], _assets text[], _debits bigint[], _credits bigint[],
    _units numeric[], _held numeric[], _codes smallint[],
  _debit_entries bigint[], _debit_totals numeric[], _debit_helds numeric[], _credit_entries bigint[],
    _credit_totals numeric[], _credit_helds numeric[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
-- Uses one generic plan with index scans for every batch. Planning each batch takes longer than a single transfer, and
-- a plan made while the table is small would scan it in full until it is replanned.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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

-- Each of our roles may halt money, with a reason. Only the database's owner may resume it.
CREATE FUNCTION ledger.halt_money(_reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  IF coalesce(_reason, '') !~ '\S' THEN RAISE EXCEPTION 'money is halted with a reason' USING ERRCODE = 'LD010'; END IF;
  UPDATE ledger.head SET halted = left(_reason, 500) WHERE halted IS NULL;
END $$;

-- The sums that ended holds of a batch add to an account's counters.
CREATE TYPE ledger.resolved AS (account bigint, debits_held numeric, debits_posted numeric, credits_held numeric,
  credits_posted numeric, entries bigint,
  -- The smallest free amount after any of its legs, starting from zero; and true if all of them only release.
  room numeric, is_void boolean);

-- Ends many holds in one journal: each is released (v) or posted up to its amount (p), and the account to which it was
-- posted may be charged (s). The hold gives the accounts of a line, and this function computes their balances. So all
-- slow work runs before the lock of ledger.head, beside the posting of others. A hold never changes, so what is read of
-- it before the lock stays true; an index ensures that it ends only once. Refuses what ledger.post refuses.
CREATE FUNCTION ledger.write_resolutions(
  _journal uuid, _kind text, _digest text, _kinds text[], _holds bigint[], _units numeric[], _charged_to bigint,
    _charge_code smallint
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
-- Uses one plan for every batch: hash joins, except for the index that finds the rows.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_hashjoin = on AS $$
DECLARE
  posted integer := coalesce(array_length(_kinds, 1), 0);
  charged_asset CONSTANT text := (SELECT asset FROM ledger.account WHERE id = _charged_to);
  locked ledger.head;
  lines integer; faults integer;
  all_debits bigint[]; all_credits bigint[]; all_units numeric[]; all_assets text[]; all_codes smallint[];
  debit_entries bigint[]; debit_totals numeric[]; debit_helds numeric[]; credit_entries bigint[]; credit_totals numeric[]; credit_helds numeric[];
  moved ledger.resolved[]; accounts bigint[];
BEGIN
  -- What each account's legs come to from nothing on, line by line; what it had before is added under the lock.
  WITH line AS MATERIALIZED (
    SELECT n, h.asset, kind = 'v' AS is_void, CASE kind WHEN 's' THEN h.credit ELSE h.debit END AS debit, CASE kind WHEN 's' THEN _charged_to ELSE h.credit END AS credit,
      CASE kind WHEN 'v' THEN h.units ELSE t.units END AS units, CASE kind WHEN 's' THEN _charge_code ELSE h.code END AS code,
      CASE kind WHEN 's' THEN 0 ELSE -h.units END AS kept, CASE kind WHEN 'v' THEN 0 ELSE t.units END AS paid,
      (hold_kind = 'h' AND CASE kind WHEN 'v' THEN t.units IS NULL ELSE t.units > 0 AND t.units <= h.units AND t.units = trunc(t.units) END
        AND (kind IN ('p', 'v') OR (kind = 's' AND h.asset = charged_asset))) IS NOT TRUE AS is_fault
    FROM unnest(_kinds, _holds, _units) WITH ORDINALITY AS t(kind, hold, units, n)
    JOIN (SELECT sequence, kind AS hold_kind, asset, debit, credit, units, code FROM ledger.transfer WHERE sequence = ANY (_holds)) h ON h.sequence = t.hold
  ), step AS MATERIALIZED (
    SELECT n, is_debit, account, is_void, change, kept,
      row_number() OVER w AS entry, sum(change) OVER w AS total, coalesce(sum(kept) FILTER (WHERE is_debit) OVER w, 0) AS held
    FROM (
      SELECT n, true AS is_debit, debit AS account, is_void, -paid AS change, kept FROM line
      UNION ALL SELECT n, false, credit, is_void, paid, kept FROM line
    ) leg WINDOW w AS (PARTITION BY account ORDER BY n ROWS UNBOUNDED PRECEDING)
  ), told AS (
    SELECT array_agg(entry ORDER BY n) FILTER (WHERE is_debit) AS de, array_agg(total ORDER BY n) FILTER (WHERE is_debit) AS dt, array_agg(held ORDER BY n) FILTER (WHERE is_debit) AS dh,
      array_agg(entry ORDER BY n) FILTER (WHERE NOT is_debit) AS ce, array_agg(total ORDER BY n) FILTER (WHERE NOT is_debit) AS ct, array_agg(held ORDER BY n) FILTER (WHERE NOT is_debit) AS ch
    FROM step
  ), said AS (
    SELECT count(*) AS lines, count(*) FILTER (WHERE is_fault) AS faults, array_agg(debit ORDER BY n) AS debits, array_agg(credit ORDER BY n) AS credits,
      array_agg(line.units ORDER BY n) AS units, array_agg(asset ORDER BY n) AS assets, array_agg(code ORDER BY n) AS codes
    FROM line
  ), sum AS (
    SELECT array_agg(m) AS moved, array_agg((m).account) AS accounts
    FROM (
      SELECT ROW(account, coalesce(sum(kept) FILTER (WHERE is_debit), 0), coalesce(-sum(change) FILTER (WHERE is_debit), 0), coalesce(sum(kept) FILTER (WHERE NOT is_debit), 0),
        coalesce(sum(change) FILTER (WHERE NOT is_debit), 0), count(*), min(total - held), bool_and(is_void))::ledger.resolved AS m
      FROM step GROUP BY account
    ) one
  )
  SELECT said.lines, said.faults, de, dt, dh, ce, ct, ch, said.debits, said.credits, said.units, said.assets, said.codes, sum.moved, sum.accounts
  INTO lines, faults, debit_entries, debit_totals, debit_helds, credit_entries, credit_totals, credit_helds, all_debits, all_credits, all_units, all_assets, all_codes, moved, accounts
  FROM told, said, sum;
  IF posted = 0 OR lines IS DISTINCT FROM posted OR faults > 0 THEN RAISE EXCEPTION 'a resolution does not fit its hold' USING ERRCODE = 'LD002'; END IF;

  SELECT * INTO STRICT locked FROM ledger.head FOR UPDATE;
  IF locked.halted IS NOT NULL THEN RAISE EXCEPTION 'halted: %', locked.halted USING ERRCODE = 'LD006'; END IF;

  SELECT count(*) INTO faults FROM unnest(moved) AS m LEFT JOIN ledger.account a ON a.id = m.account AND a.id = ANY (accounts)
  WHERE ((a.rule <> 'c' OR a.credits_posted - a.debits_posted - a.debits_held + m.room >= 0) AND (NOT a.closed OR m.is_void)) IS NOT TRUE;
  IF faults > 0 THEN RAISE EXCEPTION 'a transfer overdraws an account, or names one that is closed or unknown' USING ERRCODE = 'LD003'; END IF;

  INSERT INTO ledger.journal (id, kind, digest, first_sequence, transfers) VALUES (_journal, _kind, _digest, locked.last_sequence + 1, posted);

  WITH base AS MATERIALIZED (
    SELECT id, entries, credits_posted - debits_posted AS total, debits_held AS held FROM ledger.account WHERE id = ANY (accounts)
  )
  INSERT INTO ledger.transfer (sequence, journal, kind, resolves, asset, debit, credit, units, code, debit_entry, debit_total, debit_held, credit_entry, credit_total, credit_held)
  SELECT locked.last_sequence + n, _journal, t.kind::"char", CASE WHEN t.kind <> 's' THEN t.hold END, t.asset, t.debit, t.credit, t.units, t.code,
    d.entries + de, d.total + dt, d.held + dh, c.entries + ce, c.total + ct, c.held + ch
  FROM unnest(_kinds, _holds, all_assets, all_debits, all_credits, all_units, all_codes, debit_entries, debit_totals, debit_helds, credit_entries, credit_totals, credit_helds)
    WITH ORDINALITY AS t(kind, hold, asset, debit, credit, units, code, de, dt, dh, ce, ct, ch, n)
  JOIN base d ON d.id = t.debit JOIN base c ON c.id = t.credit
  ORDER BY n;

  UPDATE ledger.account a SET
    debits_held = a.debits_held + m.debits_held, debits_posted = a.debits_posted + m.debits_posted,
    credits_held = a.credits_held + m.credits_held, credits_posted = a.credits_posted + m.credits_posted,
    entries = a.entries + m.entries
  FROM unnest(moved) AS m WHERE a.id = m.account AND a.id = ANY (accounts);

  UPDATE ledger.head SET last_sequence = locked.last_sequence + posted;
END $$;

-- One row: whether this database has test money. The owner writes it once, at the first start.
CREATE TABLE ledger.deployment (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  mode text NOT NULL CHECK (mode IN ('demo', 'live')),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON ledger.deployment TO sathorn_app, sathorn_checker;

-- Declares at a start whether money is test money; the first declaration is final.
CREATE FUNCTION ledger.declare_mode(_mode text) RETURNS text LANGUAGE sql SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.deployment (mode) VALUES (_mode) ON CONFLICT DO NOTHING;
  SELECT mode FROM ledger.deployment;
$$;

-- The allowed purposes of transfers: kinds, debit and credit accounts, whether both belong to one owner, and who may
-- post.
CREATE TABLE ledger.purpose (
  code smallint NOT NULL,
  kinds "char"[] NOT NULL,
  debits smallint[] NOT NULL,
  credits smallint[] NOT NULL,
  -- True if both accounts must have one owner; null if that does not matter.
  is_own boolean,
  -- app: the platform posts it. owner: only the database's owner may. nobody: only older transfers have it.
  posted_by text NOT NULL CHECK (posted_by IN ('app', 'owner', 'nobody')),
  is_of_demo boolean NOT NULL,
  PRIMARY KEY (code, debits, credits)
);
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  -- Capital that is paid in, and a demonstration's, which is test money.
  (1, '{s}', '{100}', '{200,210,250}', true, 'owner', false), (1, '{s}', '{100}', '{240}', true, 'nobody', true),
  (2, '{s}', '{100}', '{200,210,250}', true, 'owner', false),
  (2, '{s}', '{200,210,250}', '{100}', true, 'owner', false), (3, '{s}', '{100}', '{210,240,250}', true, 'app', true),
  (10, '{s}', '{240}', '{1000}', false, 'app', true),
  -- Options: stake, payout, fee.
  (20, '{h,p,v}', '{1000}', '{210}', false, 'app', false), (21, '{h,p,v}', '{210}', '{1000}', false, 'app', false),
  (22, '{s}', '{1000}', '{220}', false, 'app', false),
  -- Contracts: reserve for an order, release, trade, fee.
  (40, '{s}', '{1000}', '{1005}', true, 'app', false), (40, '{s}', '{250}', '{251}', true, 'app', false),
  (41, '{s}', '{1005}', '{1000}', true, 'app', false), (41, '{s}', '{251}', '{250}', true, 'app', false),
  (42, '{s}', '{1000,250,1005,251}', '{1000,250}', false, 'app', false),
  (43, '{s}', '{1000,250}', '{220}', NULL, 'app', false),
  -- A deposit: tokens on the customer's address, or bank money that the house has exchanged.
  (50, '{s}', '{120}', '{1000}', false, 'app', false), (50, '{s}', '{200}', '{1000}', false, 'app', false),
  -- A reorganisation reversed a deposit: the customer pays as far as the balance goes, the house the rest.
  (51, '{s}', '{1000}', '{120}', false, 'app', false), (51, '{s}', '{200}', '{120}', true, 'app', false),
  (52, '{s}', '{112}', '{200}', true, 'app', false), (53, '{s}', '{110}', '{120}', true, 'app', false),
  -- A withdrawal: hold of the amount and of the fee, payout on the chain or by the bank.
  (54, '{h,p,v}', '{1000}', '{121}', false, 'app', false), (55, '{h,p,v}', '{1000}', '{220}', false, 'app', false),
  (56, '{s}', '{121}', '{110}', true, 'app', false), (57, '{s}', '{121}', '{200}', true, 'app', false),
  (58, '{s}', '{200}', '{112}', true, 'app', false),
  -- The house's own money on the chain or at the bank.
  (59, '{s}', '{110,112}', '{200}', true, 'app', false), (60, '{s}', '{121}', '{1000}', false, 'app', false),
  (61, '{s}', '{121,220}', '{1000}', false, 'app', false), (1, '{s}', '{100}', '{260}', true, 'owner', false),
  (2, '{s}', '{100}', '{260}', true, 'owner', false), (2, '{s}', '{260}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{260}', true, 'app', true),
  -- Lock-up: the principal there and back, and the daily income.
  (70, '{s}', '{1000}', '{1010}', true, 'app', false), (71, '{s}', '{1010}', '{1000}', true, 'app', false),
  -- Promised income is reserved: a lock-up's whole yield at the subscription, a day's liquidity income before any of it
  -- is paid.
  (72, '{s}', '{260}', '{261}', true, 'app', false), (73, '{s}', '{261}', '{1000}', false, 'app', false),
  -- Liquidity: a quick redemption at once, a normal one held first.
  (74, '{s}', '{1000}', '{1020}', true, 'app', false), (75, '{s,h,p,v}', '{1020}', '{1000}', true, 'app', false),
  (76, '{s}', '{261}', '{1000}', false, 'app', false), (77, '{s}', '{200}', '{260}', true, 'app', false),
  (63, '{s}', '{1000}', '{220}', false, 'app', false), (62, '{s}', '{1000}', '{200}', false, 'app', false),
  (1, '{s}', '{100}', '{270}', true, 'owner', false), (2, '{s}', '{100}', '{270}', true, 'owner', false),
  (2, '{s}', '{270}', '{100}', true, 'owner', false), (3, '{s}', '{100}', '{270}', true, 'app', true),
  (80, '{s}', '{270}', '{1000}', false, 'app', false), (81, '{s}', '{270}', '{1000}', false, 'app', false),
  -- Blind boxes: the budget before the sale, its rest afterwards, the price, and the prize, of which the largest is
  -- held.
  (82, '{s}', '{270}', '{271}', true, 'app', false), (83, '{s}', '{271}', '{270}', true, 'app', false),
  (84, '{s}', '{1000}', '{270}', false, 'app', false), (85, '{h,p,v}', '{271}', '{1000}', false, 'app', false),
  -- Fee coupons: reserved when won, then paid on fees, or returned when the coupon expires.
  (86, '{s}', '{271}', '{272}', true, 'app', false), (87, '{s}', '{272}', '{1000}', false, 'app', false),
  (88, '{s}', '{272}', '{270}', true, 'app', false), (1, '{s}', '{100}', '{280}', true, 'owner', false),
  (2, '{s}', '{100}', '{280}', true, 'owner', false), (2, '{s}', '{280}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{280}', true, 'app', true), (90, '{s}', '{200,210,220}', '{1000}', false, 'app', false),
  (91, '{s}', '{280}', '{1000}', false, 'app', false),
  (92, '{s}', '{1000}', '{200,210,220,280}', false, 'app', false), (64, '{s}', '{200}', '{110}', true, 'app', false),
  (65, '{s}', '{111}', '{110}', true, 'app', false), (65, '{s}', '{110}', '{111}', true, 'app', false),
  (66, '{s}', '{1000}', '{110}', false, 'app', false), (66, '{s}', '{200}', '{110}', true, 'app', false),
  (80, '{s}', '{270}', '{1040}', false, 'app', false), (81, '{s}', '{270}', '{1040}', false, 'app', false),
  (89, '{s}', '{1040}', '{1000}', true, 'app', false);
GRANT SELECT ON ledger.purpose TO sathorn_app, sathorn_checker;

-- The most units of equity that purpose 3 may move, with which a demonstration's house starts.
CREATE TABLE ledger.demo_capital (
  code smallint NOT NULL REFERENCES ledger.chart,
  asset text NOT NULL REFERENCES ledger.asset,
  units numeric(39, 0) NOT NULL CHECK (units > 0),
  PRIMARY KEY (code, asset)
);
INSERT INTO ledger.demo_capital (code, asset, units)
SELECT funding.account, funding.asset, funding.amount * 10::numeric ^ a.scale FROM (VALUES
  (210, 'USDT', 5000000), (250, 'USDT', 4000000), (250, 'BTC', 5.4), (250, 'ETH', 157), (250, 'BNB', 560), (250, 'SOL', 3420), (250, 'XRP', 223000),
  (250, 'DOGE', 2970000), (250, 'ADA', 1080000), (250, 'TRX', 1750000), (240, 'USDT', 100000000), (240, 'BTC', 10000), (240, 'ETH', 100000),
  (240, 'BNB', 1000000), (240, 'SOL', 1000000), (240, 'XRP', 100000000), (240, 'DOGE', 100000000), (240, 'ADA', 100000000), (240, 'TRX', 100000000),
  (240, 'THB', 1000000000), (240, 'POINTS', 100000000)
) AS funding(account, asset, amount) JOIN ledger.asset a ON a.code = funding.asset;
INSERT INTO ledger.demo_capital (code, asset, units) VALUES (260, 'USDT', 500000000000);
INSERT INTO ledger.demo_capital (code, asset, units) VALUES (270, 'USDT', 5000000000), (270, 'POINTS', 10000000);
INSERT INTO ledger.demo_capital (code, asset, units) VALUES (280, 'USDT', 2000000000);
GRANT SELECT ON ledger.demo_capital TO sathorn_app, sathorn_checker;

-- Payments of capital, each decided by two people.
CREATE TABLE ledger.capital_decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  asset text NOT NULL REFERENCES ledger.asset,
  units numeric(39, 0) NOT NULL CHECK (units > 0),
  decided_by text NOT NULL CHECK (decided_by ~ '\S'),
  approved_by text NOT NULL CHECK (approved_by ~ '\S'),
  reason text NOT NULL CHECK (reason ~ '\S'),
  journal uuid,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT two_people CHECK (lower(btrim(decided_by)) <> lower(btrim(approved_by)))
);
GRANT SELECT ON ledger.capital_decision TO sathorn_app, sathorn_checker;

-- Refuses transfers whose purpose does not allow their accounts or the current login. It runs before the ledger's lock,
-- because the owner of an account never changes, and makes two look-ups by key per transfer.
CREATE FUNCTION ledger.refuse_purposes(_kinds text[], _debits bigint[], _credits bigint[], _codes smallint[])
  RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  is_owner CONSTANT boolean := pg_has_role(session_user, current_user, 'MEMBER');
  is_live CONSTANT boolean := coalesce((SELECT mode = 'live' FROM ledger.deployment), false);
  fault text;
BEGIN
  SELECT format('purpose %s does not move money from account %s to account %s', move.code, move.debit, move.credit) INTO fault
  FROM (
    SELECT DISTINCT t.code, t.kind, d.code AS debit, c.code AS credit, d.owner = c.owner AS is_one
    FROM unnest(_kinds, _debits, _credits, _codes) AS t(kind, debit, credit, code)
    JOIN ledger.account d ON d.id = t.debit JOIN ledger.account c ON c.id = t.credit
  ) move
  WHERE NOT EXISTS (
    SELECT FROM ledger.purpose p
    WHERE p.code = move.code AND move.kind::"char" = ANY (p.kinds) AND move.debit = ANY (p.debits) AND move.credit = ANY (p.credits)
      AND (p.is_own IS NULL OR p.is_own = move.is_one) AND (p.posted_by = 'app' OR (p.posted_by = 'owner' AND is_owner)) AND NOT (p.is_of_demo AND is_live)
  )
  LIMIT 1;
  IF fault IS NOT NULL THEN RAISE EXCEPTION '%', fault USING ERRCODE = 'LD009'; END IF;
END $$;

-- Posts a batch. Checks the purposes first, before it takes the ledger's lock.
CREATE FUNCTION ledger.post(
  _first_sequence bigint,
  _journals uuid[], _journal_kinds text[], _digests text[], _refusals text[], _answers text[],
    _journal_firsts bigint[], _journal_counts integer[],
  _transfer_journals uuid[], _kinds text[], _resolves bigint[], _assets text[], _debits bigint[], _credits bigint[],
    _units numeric[], _held numeric[], _codes smallint[],
  _debit_entries bigint[], _debit_totals numeric[], _debit_helds numeric[], _credit_entries bigint[],
    _credit_totals numeric[], _credit_helds numeric[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  PERFORM ledger.refuse_purposes(_kinds, _debits, _credits, _codes);
  PERFORM ledger.write_batch(_first_sequence, _journals, _journal_kinds, _digests, _refusals, _answers, _journal_firsts, _journal_counts,
    _transfer_journals, _kinds, _resolves, _assets, _debits, _credits, _units, _held, _codes,
    _debit_entries, _debit_totals, _debit_helds, _credit_entries, _credit_totals, _credit_helds);
END $$;

-- Ends holds. A post or void has the purpose of its hold, which was checked before; a charge is a transfer with its
-- own.
CREATE FUNCTION ledger.resolve(
  _journal uuid, _kind text, _digest text, _kinds text[], _holds bigint[], _units numeric[], _charged_to bigint,
    _charge_code smallint
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  charged bigint[] := (
    SELECT array_agg(h.credit) FROM unnest(_kinds, _holds) AS t(kind, hold) JOIN ledger.transfer h ON h.sequence = t.hold WHERE t.kind = 's');
  charges CONSTANT integer := coalesce(cardinality(charged), 0);
BEGIN
  IF charges > 0 THEN
    PERFORM ledger.refuse_purposes(array_fill('s'::text, ARRAY[charges]), charged, array_fill(_charged_to, ARRAY[charges]), array_fill(_charge_code, ARRAY[charges]));
  END IF;
  PERFORM ledger.write_resolutions(_journal, _kind, _digest, _kinds, _holds, _units, _charged_to, _charge_code);
END $$;

-- Pays capital into an account of the house: house_capital, options_pool or maker. The amount is in whole coins, as
-- people write it. Two people decide, and their decision is stored; the checker compares equity's payments with the
-- decisions.
CREATE FUNCTION ledger.pay_in_capital(_into text, _amount numeric, _asset text, _decided_by text, _approved_by text,
  _reason text) RETURNS bigint
LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
DECLARE
  units CONSTANT numeric := _amount * 10::numeric ^ (SELECT scale FROM ledger.asset WHERE code = _asset);
  into_code CONSTANT smallint := (SELECT code FROM ledger.chart WHERE name = _into AND is_house);
  journal CONSTANT uuid := gen_random_uuid();
  head record; equity ledger.account; account ledger.account; decision bigint;
BEGIN
  IF units IS NULL OR units <= 0 OR units <> trunc(units) THEN RAISE EXCEPTION '% is no amount of %', _amount, _asset USING ERRCODE = 'LD005'; END IF;
  IF into_code IS NULL THEN RAISE EXCEPTION 'the house has no account %', _into USING ERRCODE = 'LD009'; END IF;
  INSERT INTO ledger.capital_decision (asset, units, decided_by, approved_by, reason, journal)
  VALUES (_asset, units, _decided_by, _approved_by, _reason, journal) RETURNING id INTO decision;
  PERFORM ledger.open_accounts('{0,0}', ARRAY[100, into_code]::smallint[], ARRAY[_asset, _asset]);
  SELECT * INTO STRICT head FROM ledger.lock_head();
  SELECT * INTO STRICT equity FROM ledger.account WHERE owner = 0 AND code = 100 AND asset = _asset;
  SELECT * INTO STRICT account FROM ledger.account WHERE owner = 0 AND code = into_code AND asset = _asset;
  PERFORM ledger.post(head.last_sequence + 1, ARRAY[journal], '{house.capital}', ARRAY['decision ' || decision], '{NULL}', '{NULL}',
    ARRAY[head.last_sequence + 1], '{1}', ARRAY[journal], '{s}', '{NULL}', ARRAY[_asset], ARRAY[equity.id], ARRAY[account.id], ARRAY[units], '{0}', '{1}',
    ARRAY[equity.entries + 1], ARRAY[equity.credits_posted - equity.debits_posted - units], ARRAY[equity.debits_held],
    ARRAY[account.entries + 1], ARRAY[account.credits_posted - account.debits_posted + units], ARRAY[account.debits_held]);
  RETURN decision;
END $$;

-- Writes a row for every halt and every resumption.
CREATE FUNCTION ledger.trace_halt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger,
  pg_temp AS $$
BEGIN
  IF NEW.halted IS NOT NULL THEN
    INSERT INTO ledger.halt (reason, by_role) VALUES (NEW.halted, session_user);
  ELSE
    INSERT INTO ledger.halt (reason, by_role, event, by_name)
    VALUES (coalesce(nullif(current_setting('sathorn.resumed_because', true), ''), 'by hand, without a reason'), session_user, 'resumed',
      nullif(current_setting('sathorn.resumed_by', true), ''));
  END IF;
  RETURN NULL;
END $$;
-- Posting updates the head a thousand times a second, but never this column.
CREATE TRIGGER trace_halt AFTER UPDATE OF halted ON ledger.head FOR EACH ROW
  WHEN (OLD.halted IS DISTINCT FROM NEW.halted) EXECUTE FUNCTION ledger.trace_halt();

-- One row per violation that the checker found.
CREATE TABLE ledger.violation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invariant text NOT NULL,
  subject text NOT NULL,
  says text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (invariant, subject)
);
GRANT SELECT ON ledger.violation TO sathorn_app, sathorn_checker;

-- The owner's answer to a violation. From then on the violation no longer halts money, and is shown as acknowledged.
CREATE TABLE ledger.acknowledgement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  violation bigint NOT NULL UNIQUE REFERENCES ledger.violation,
  by_name text NOT NULL CHECK (by_name ~ '\S'),
  why text NOT NULL CHECK (why ~ '\S'),
  by_role text NOT NULL DEFAULT session_user,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON ledger.acknowledgement TO sathorn_app, sathorn_checker;

-- Only the checker may call this. It stores at most ten thousand findings, because more would say nothing new.
CREATE FUNCTION ledger.report_violations(_invariants text[], _subjects text[], _says text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.violation (invariant, subject, says)
  SELECT DISTINCT ON (1, 2) left(invariant, 20), subject, left(says, 500) FROM unnest(_invariants, _subjects, _says) AS t(invariant, subject, says)
  WHERE length(subject) <= 500 AND (SELECT count(*) FROM ledger.violation) < 10000
    AND NOT EXISTS (SELECT FROM ledger.violation v WHERE v.invariant = t.invariant AND v.subject = t.subject)
  ON CONFLICT DO NOTHING;
$$;

-- Only the database's owner may call this.
CREATE FUNCTION ledger.acknowledge(_violation bigint, _by text, _why text) RETURNS void
LANGUAGE sql SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.acknowledgement (violation, by_name, why) VALUES (_violation, _by, _why);
$$;

-- Only the database's owner may call this. Ends the halt of money once every violation has been acknowledged; returns
-- false if money was not halted.
CREATE FUNCTION ledger.resume_money(_by text, _why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
DECLARE
  unanswered CONSTANT bigint := (SELECT count(*) FROM ledger.violation v WHERE NOT EXISTS (SELECT FROM ledger.acknowledgement a WHERE a.violation = v.id));
BEGIN
  IF coalesce(_by, '') !~ '\S' OR coalesce(_why, '') !~ '\S' THEN RAISE EXCEPTION 'money is opened again by somebody, with a reason' USING ERRCODE = 'LD010'; END IF;
  IF unanswered > 0 THEN RAISE EXCEPTION '% violations are not acknowledged', unanswered USING ERRCODE = 'LD010'; END IF;
  PERFORM set_config('sathorn.resumed_by', _by, true), set_config('sathorn.resumed_because', _why, true);
  UPDATE ledger.head SET halted = NULL WHERE halted IS NOT NULL;
  RETURN FOUND;
END $$;

-- Posts many single transfers of one asset in one journal, by owner and account of the chart, as if ledger.post had
-- posted them one after another. This function computes every entry, total and balance, under the lock of ledger.head.
-- In one call an account either pays or receives, so each side's history is one window, and no leg has to search for
-- another. Refuses what ledger.post refuses.
CREATE FUNCTION ledger.post_singles(
  _journal uuid, _kind text, _digest text, _asset text,
  _debit_owners bigint[], _debit_codes smallint[], _credit_owners bigint[], _credit_codes smallint[],
    _units numeric[], _codes smallint[]
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
-- Uses one plan for every batch: hash joins, except for the index that finds the rows.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off
  SET jit = off SET enable_material = off AS $$
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

-- Pays many owners, each once, from one account of the house in one journal, as if ledger.post had done so one after
-- another. It changes the accounts first and takes the transfers' balances from the result, so no account is read
-- twice. It runs under the lock of ledger.head, and refuses what ledger.post refuses.
CREATE FUNCTION ledger.pay_owners(
  _journal uuid, _kind text, _digest text, _asset text, _debit_code smallint, _credit_code smallint, _code smallint,
    _owners bigint[], _units numeric[]
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_material = off SET jit = off AS $$
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

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger.journal', 'ledger.transfer', 'ledger.halt', 'ledger.asset', 'ledger.chart',
    'ledger.deployment', 'ledger.purpose', 'ledger.demo_capital', 'ledger.capital_decision', 'ledger.violation',
    'ledger.acknowledgement'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['ledger.account', 'ledger.head'] LOOP
    EXECUTE format('CREATE TRIGGER no_delete BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.lock_head, ledger.open_accounts, ledger.post, ledger.resolve, ledger.post_singles,
  ledger.pay_owners TO sathorn_app;
GRANT EXECUTE ON FUNCTION ledger.halt_money TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION ledger.report_violations TO sathorn_checker;
