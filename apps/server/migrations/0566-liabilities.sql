-- What the platform owes its customers, as signed sum trees (docs/verification.md, section 23). The signed texts stay;
-- the nodes of the newest trees are kept, so that each customer gets the way from their own leaf.
CREATE TABLE books.liabilities (
  sequence bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL CHECK (hash = sha256(convert_to('liabilities/1' || chr(10) || body, 'UTF8'))),
  signature text NOT NULL CHECK (signature ~ '^[0-9a-f]{128}$'),
  key text NOT NULL
);
GRANT SELECT ON books.liabilities TO sathorn_app, sathorn_checker;
GRANT INSERT ON books.liabilities TO sathorn_app;

-- Each text follows the one before it, so that none can be left out afterwards.
CREATE FUNCTION books.follow_liabilities() RETURNS trigger LANGUAGE plpgsql SET search_path = books, pg_temp AS $$
DECLARE
  before books.liabilities;
BEGIN
  SELECT * INTO before FROM books.liabilities ORDER BY sequence DESC LIMIT 1;
  IF (NEW.sequence = coalesce(before.sequence, 0) + 1 AND NEW.at > coalesce(before.at, '-infinity')
    AND NEW.body::jsonb->>'seq' = NEW.sequence::text
    AND NEW.body::jsonb->>'prev' = coalesce(encode(before.hash, 'hex'), repeat('0', 64))) IS NOT TRUE THEN
    RAISE EXCEPTION 'liabilities % do not follow the ones before', NEW.sequence USING ERRCODE = 'BK003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER follow_liabilities BEFORE INSERT ON books.liabilities FOR EACH ROW EXECUTE FUNCTION books.follow_liabilities();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON books.liabilities FOR EACH ROW EXECUTE FUNCTION books.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON books.liabilities FOR EACH STATEMENT EXECUTE FUNCTION books.refuse_change();

-- `node` is a JSON list of the hash and the sums. A leaf, at level 0, has its customer and its text.
CREATE TABLE books.liability_node (
  sequence bigint NOT NULL REFERENCES books.liabilities,
  level smallint NOT NULL,
  position integer NOT NULL,
  node text NOT NULL,
  customer bigint,
  leaf text,
  PRIMARY KEY (sequence, level, position),
  CONSTRAINT leaves CHECK ((level = 0) = (customer IS NOT NULL) AND (level = 0) = (leaf IS NOT NULL))
);
CREATE UNIQUE INDEX liability_of_customer ON books.liability_node (customer, sequence) WHERE level = 0;
GRANT SELECT ON books.liability_node TO sathorn_app, sathorn_checker;
GRANT INSERT, DELETE ON books.liability_node TO sathorn_app;

-- All balances of customers and what their open options could pay beyond the stakes, in one snapshot with the ledger's
-- newest transfer. Customers without a balance are absent.
CREATE FUNCTION books.owed() RETURNS TABLE (ledger bigint, customer bigint, accounts jsonb, options numeric)
LANGUAGE sql STABLE SET search_path = pg_temp AS $$
  SELECT (SELECT last_sequence FROM ledger.head), coalesce(a.owner, o.customer_id), coalesce(a.accounts, '[]'), coalesce(o.promised, 0)
  FROM (
    SELECT owner, jsonb_agg(jsonb_build_array(c.name, asset, entries::text, (credits_posted - debits_posted)::text)
      ORDER BY c.name COLLATE "C", asset COLLATE "C") AS accounts
    FROM ledger.account JOIN ledger.chart c USING (code)
    WHERE owner > 0 AND credits_posted > debits_posted GROUP BY owner
  ) a
  FULL JOIN (SELECT customer_id, sum(promised) AS promised FROM options.orders WHERE status = 'holding' GROUP BY customer_id) o
    ON o.customer_id = a.owner;
$$;
REVOKE ALL ON FUNCTION books.owed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books.owed TO sathorn_app;
