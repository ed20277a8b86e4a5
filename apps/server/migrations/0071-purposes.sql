-- What a transfer may be for, and between which accounts: until now whoever had the application's role could post from the house's equity to anybody.

-- One row: whether this database has test money. Written by the owner at the first start, and for good.
CREATE TABLE ledger.deployment (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  mode text NOT NULL CHECK (mode IN ('demo', 'live')),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO ledger.deployment (mode)
SELECT CASE WHEN bool_or(code = 240) THEN 'demo' ELSE 'live' END FROM ledger.account WHERE owner = 0 HAVING count(*) > 0;

CREATE FUNCTION ledger.declare_mode(_mode text) RETURNS text LANGUAGE sql SET search_path = ledger, pg_temp AS $$
  INSERT INTO ledger.deployment (mode) VALUES (_mode) ON CONFLICT DO NOTHING;
  SELECT mode FROM ledger.deployment;
$$;

CREATE TABLE ledger.purpose (
  code smallint NOT NULL,
  kinds "char"[] NOT NULL,
  debits smallint[] NOT NULL,
  credits smallint[] NOT NULL,
  -- Whether both accounts have one owner; null where either will do.
  is_own boolean,
  -- app: the platform posts it. owner: only the owner of the database may. nobody: older versions did, and their history stays.
  posted_by text NOT NULL CHECK (posted_by IN ('app', 'owner', 'nobody')),
  is_of_demo boolean NOT NULL,
  PRIMARY KEY (code, debits, credits)
);
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  -- Capital that is paid in, and that of a demonstration, which is test money.
  (1, '{s}', '{100}', '{200,210,250}', true, 'owner', false),
  (1, '{s}', '{100}', '{240}', true, 'nobody', true),
  (2, '{s}', '{100}', '{200,210,250}', true, 'owner', false),
  (2, '{s}', '{200,210,250}', '{100}', true, 'owner', false),
  (3, '{s}', '{100}', '{210,240,250}', true, 'app', true),
  (10, '{s}', '{240}', '{1000}', false, 'app', true),
  -- Options: stake, payout, fee.
  (20, '{h,p,v}', '{1000}', '{210}', false, 'app', false),
  (21, '{h,p,v}', '{210}', '{1000}', false, 'app', false),
  (22, '{s}', '{1000}', '{220}', false, 'app', false),
  -- Contracts: what orders keep, what they give back, what they trade, and their fees.
  (40, '{s}', '{1000}', '{1005}', true, 'app', false),
  (40, '{s}', '{250}', '{251}', true, 'app', false),
  (41, '{s}', '{1005}', '{1000}', true, 'app', false),
  (41, '{s}', '{251}', '{250}', true, 'app', false),
  (42, '{s}', '{1000,250,1005,251}', '{1000,250}', false, 'app', false),
  (43, '{s}', '{1000,250}', '{220}', NULL, 'app', false);

-- What a demonstration's house starts with, at most: units of equity that purpose 3 may move.
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

-- Each payment of capital, decided by two people. What equity had paid before there was this table is its first row.
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
INSERT INTO ledger.capital_decision (asset, units, decided_by, approved_by, reason)
SELECT asset, debits_posted, 'earlier version', 'migration 0071', 'paid in before decisions were kept'
FROM ledger.account WHERE owner = 0 AND code = 100 AND debits_posted > 0;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['deployment', 'purpose', 'demo_capital', 'capital_decision'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.%I FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger.%I FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change()', name);
  END LOOP;
END $$;

/*
 * Refuses transfers whose purpose does not allow their accounts, or not whoever is logged in. Ahead of the ledger's lock: which account is whose
 * never changes. Two look-ups by key a transfer.
 */
CREATE FUNCTION ledger.refuse_purposes(_kinds text[], _debits bigint[], _credits bigint[], _codes smallint[]) RETURNS void
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

-- The two doors look at the purposes, then do what they did.
ALTER FUNCTION ledger.post RENAME TO write_batch;
ALTER FUNCTION ledger.resolve RENAME TO write_resolutions;
REVOKE ALL ON FUNCTION ledger.write_batch, ledger.write_resolutions FROM sathorn_app;

CREATE FUNCTION ledger.post(
  _first_sequence bigint,
  _journals uuid[], _journal_kinds text[], _digests text[], _refusals text[], _answers text[], _journal_firsts bigint[], _journal_counts integer[],
  _transfer_journals uuid[], _kinds text[], _resolves bigint[], _assets text[], _debits bigint[], _credits bigint[], _units numeric[], _held numeric[], _codes smallint[],
  _debit_entries bigint[], _debit_totals numeric[], _debit_helds numeric[], _credit_entries bigint[], _credit_totals numeric[], _credit_helds numeric[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
BEGIN
  PERFORM ledger.refuse_purposes(_kinds, _debits, _credits, _codes);
  PERFORM ledger.write_batch(_first_sequence, _journals, _journal_kinds, _digests, _refusals, _answers, _journal_firsts, _journal_counts,
    _transfer_journals, _kinds, _resolves, _assets, _debits, _credits, _units, _held, _codes,
    _debit_entries, _debit_totals, _debit_helds, _credit_entries, _credit_totals, _credit_helds);
END $$;

-- A post or void has the purpose of its hold, which was looked at; a charge is a transfer of its own.
CREATE FUNCTION ledger.resolve(
  _journal uuid, _kind text, _digest text, _kinds text[], _holds bigint[], _units numeric[], _charged_to bigint, _charge_code smallint
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

/*
 * Pays capital into an account of the house: house_capital, options_pool or maker. The amount is of whole coins, as people write it. Two people
 * decide, and their decision is kept; the checker compares what equity has paid with what was decided.
 */
CREATE FUNCTION ledger.pay_in_capital(_into text, _amount numeric, _asset text, _decided_by text, _approved_by text, _reason text) RETURNS bigint
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

REVOKE ALL ON FUNCTION ledger.declare_mode, ledger.refuse_purposes, ledger.post, ledger.resolve, ledger.pay_in_capital FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.post, ledger.resolve TO sathorn_app;
GRANT SELECT ON ledger.deployment, ledger.purpose, ledger.demo_capital, ledger.capital_decision TO sathorn_app, sathorn_checker;
