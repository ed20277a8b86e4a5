-- Heads of customers' accounts that were signed: the hash of an entry covers all entries before it, so nobody can
-- change an older transfer without a hash that no longer follows. Rows are only added, each after the one before.
CREATE TABLE ledger.account_head (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account bigint NOT NULL,
  -- The entry of the account's head before this one; 0 for the first.
  previous bigint NOT NULL CHECK (previous >= 0),
  entry bigint NOT NULL CHECK (entry > previous),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- When it was first signed. Later heads of one customer have later times.
  at timestamptz NOT NULL,
  UNIQUE (account, entry),
  UNIQUE (account, previous)
);
GRANT SELECT ON ledger.account_head TO sathorn_app, sathorn_checker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.account_head FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger.account_head FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

-- Locks the heads of one customer, before the accounts are read: whoever adds heads has seen all earlier ones.
CREATE FUNCTION ledger.lock_heads(_owner bigint) RETURNS void
LANGUAGE sql SET search_path = ledger, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('ledger.account_head ' || _owner, 0));
$$;

-- Adds heads of one customer's accounts, in the order of their entries. Refuses a head that does not continue the
-- newest one of its account, and one ahead of the account. Returns their time.
CREATE FUNCTION ledger.remember_heads(_owner bigint, _accounts bigint[], _previous bigint[], _entries bigint[], _hashes text[])
RETURNS timestamptz LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
DECLARE
  moment timestamptz;
  faults integer;
BEGIN
  PERFORM ledger.lock_heads(_owner);
  -- A clock that was set back must not make a later head look like the earlier one.
  SELECT greatest(date_trunc('milliseconds', clock_timestamp()), max(newest.at) + interval '1 millisecond') INTO moment
  FROM ledger.account a CROSS JOIN LATERAL (SELECT at FROM ledger.account_head WHERE account = a.id ORDER BY entry DESC LIMIT 1) newest
  WHERE a.owner = _owner;
  SELECT count(*) INTO faults FROM (
    SELECT h.*, lag(entry) OVER (PARTITION BY account ORDER BY n) AS before
    FROM unnest(_accounts, _previous, _entries, _hashes) WITH ORDINALITY AS h(account, previous, entry, hash, n)
  ) h
  LEFT JOIN ledger.account a ON a.id = h.account AND a.owner = _owner
  LEFT JOIN LATERAL (SELECT entry FROM ledger.account_head WHERE account = h.account ORDER BY entry DESC LIMIT 1) newest ON true
  WHERE (h.entry <= a.entries AND a.owner <> 0 AND h.previous = coalesce(h.before, newest.entry, 0)) IS NOT TRUE;
  IF faults > 0 THEN RAISE EXCEPTION 'a head does not continue its account' USING ERRCODE = 'LD003'; END IF;
  INSERT INTO ledger.account_head (account, previous, entry, hash, at)
  SELECT account, previous, entry, decode(hash, 'hex'), moment
  FROM unnest(_accounts, _previous, _entries, _hashes) WITH ORDINALITY AS h(account, previous, entry, hash, n) ORDER BY n;
  RETURN moment;
END $$;
REVOKE ALL ON FUNCTION ledger.lock_heads, ledger.remember_heads FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.lock_heads, ledger.remember_heads TO sathorn_app;
