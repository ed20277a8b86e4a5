-- The public log (docs/verification.md, section 25): what the platform did, in an append-only tree that witnesses
-- cosign. Only the log's own process writes it, with its own login.
CREATE SCHEMA log;
GRANT USAGE ON SCHEMA log TO sathorn_app, sathorn_log, sathorn_checker;

CREATE TABLE log.entry (
  index bigint PRIMARY KEY CHECK (index >= 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  -- Which record it is about; null for heads.
  subject text,
  -- The exact text (logged/1), which is the leaf of the tree.
  body text NOT NULL CHECK (octet_length(body) <= 65535),
  -- With it the part that the text only commits to can be checked.
  salt bytea CHECK (length(salt) = 16),
  UNIQUE (kind, subject)
);
GRANT SELECT ON log.entry TO sathorn_app, sathorn_log, sathorn_checker;
GRANT INSERT (index, kind, subject, body, salt) ON log.entry TO sathorn_log;

-- Hashes of the tiles. Those of level 0 are leaves; at each higher level, each is the root of a full tile below it.
CREATE TABLE log.hash (
  level smallint NOT NULL CHECK (level >= 0),
  index bigint NOT NULL CHECK (index >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (level, index)
);
GRANT SELECT ON log.hash TO sathorn_app, sathorn_log, sathorn_checker;
GRANT INSERT ON log.hash TO sathorn_log;

-- Heads of customers' chains that an entry includes, by one root.
CREATE TABLE log.account_head (
  head bigint PRIMARY KEY REFERENCES ledger.account_head,
  entry bigint NOT NULL REFERENCES log.entry,
  position integer NOT NULL CHECK (position >= 0),
  UNIQUE (entry, position)
);
GRANT SELECT ON log.account_head TO sathorn_app, sathorn_log, sathorn_checker;
GRANT INSERT ON log.account_head TO sathorn_log;

-- What everybody gets: the policy, and the newest checkpoint that enough witnesses cosigned.
CREATE TABLE log.published (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  policy text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  note text NOT NULL,
  at timestamptz NOT NULL
);
GRANT SELECT ON log.published TO sathorn_app, sathorn_log, sathorn_checker;
GRANT INSERT, UPDATE (policy, size, note, at) ON log.published TO sathorn_log;

CREATE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'LG001';
END $$;
CREATE FUNCTION log.follow_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = log, pg_temp AS $$
BEGIN
  IF NEW.index <> coalesce((SELECT max(index) FROM log.entry), -1) + 1 THEN
    RAISE EXCEPTION 'entry % leaves a gap', NEW.index USING ERRCODE = 'LG001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER follow_entry BEFORE INSERT ON log.entry FOR EACH ROW EXECUTE FUNCTION log.follow_entry();
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['log.entry', 'log.hash', 'log.account_head'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION log.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change()', name);
  END LOOP;
END $$;

-- Everything that belongs into the log once. `said` is public. The text only commits to `hidden`, which concerns one
-- customer, a payer or a person.
CREATE VIEW log.record AS
  SELECT 'key' AS kind, use || '/' || id AS subject, at,
    jsonb_build_object('use', use, 'id', id, 'public_key', encode(public_key, 'hex'), 'record', record) AS said, NULL::jsonb AS hidden
  FROM proofs.key
  UNION ALL
  SELECT 'offer', kind || '/' || subject || '/' || version, at,
    jsonb_build_object('effective_from', floor(extract(epoch FROM effective_from) * 1000)::text, 'fields', fields), NULL
  FROM offer.version
  UNION ALL
  SELECT 'offer_stopped', kind || '/' || subject || '/' || version, stopped_at, '{}', NULL FROM offer.version WHERE stopped_at IS NOT NULL
  UNION ALL
  SELECT 'publication', id, published_at,
    CASE WHEN audience ~ '^customer:' THEN jsonb_build_object('kind', kind)
      ELSE jsonb_build_object('kind', kind, 'audience', audience, 'digest', encode(digest, 'hex')) END,
    CASE WHEN audience ~ '^customer:' THEN jsonb_build_object('audience', audience, 'digest', encode(digest, 'hex')) END
  FROM content.publication WHERE published_at IS NOT NULL
  UNION ALL
  SELECT 'taken_down', id, taken_down_at, '{}', NULL FROM content.publication WHERE taken_down_at IS NOT NULL
  UNION ALL
  SELECT 'incident', id::text, opened_at, jsonb_build_object('severity', severity, 'parts', to_jsonb(parts)), NULL FROM status.incident
  UNION ALL
  SELECT 'incident_update', incident || '/' || n, at, jsonb_build_object('texts', texts), NULL FROM status.incident_update
  UNION ALL
  SELECT 'incident_closed', id::text, closed_at, '{}', NULL FROM status.incident WHERE closed_at IS NOT NULL
  UNION ALL
  SELECT 'box', id::text, published_at, jsonb_build_object('hash', hash), NULL FROM boxes.box
  UNION ALL
  SELECT 'halt', id::text, at, jsonb_build_object('event', event), jsonb_build_object('reason', reason, 'by', coalesce(by_name, by_role)) FROM ledger.halt
  UNION ALL
  SELECT 'violation', id::text, at, jsonb_build_object('invariant', invariant), jsonb_build_object('subject', subject) FROM ledger.violation
  UNION ALL
  SELECT 'acknowledgement', violation::text, at, '{}', jsonb_build_object('by', by_name, 'why', why) FROM ledger.acknowledgement
  UNION ALL
  SELECT 'restoration', id::text, restored_at,
    jsonb_build_object('ends_at', floor(extract(epoch FROM ends_at) * 1000)::text, 'known_at', floor(extract(epoch FROM known_at) * 1000)::text,
      'transfers', transfers::text, 'known_transfers', known_transfers::text), NULL
  FROM proofs.restoration
  UNION ALL
  SELECT 'attestation', id::text, at, jsonb_build_object('asset', asset, 'counted', counted::text, 'as_of', floor(extract(epoch FROM as_of) * 1000)::text),
    jsonb_build_object('statement', statement, 'operator', operator::text)
  FROM books.attestation
  UNION ALL
  SELECT 'bank_statement', id::text, imported_at,
    jsonb_build_object('source', source, 'opening', opening::text, 'received', received::text, 'paid_out', paid_out::text, 'closing', closing::text,
      'lines', lines::text, 'previous', previous::text), jsonb_build_object('account', account)
  FROM deposits.bank_statement
  UNION ALL
  SELECT 'bank_line', id::text, imported_at, jsonb_build_object('statement', statement::text),
    jsonb_build_object('bank_reference', bank_reference, 'at', floor(extract(epoch FROM at) * 1000)::text, 'amount', amount::text, 'payer', payer,
      'reference', reference)
  FROM deposits.bank_line;
GRANT SELECT ON log.record TO sathorn_checker;

-- The oldest records that the log lacks.
CREATE FUNCTION log.unlogged_records(_most integer) RETURNS SETOF log.record
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = log, pg_temp AS $$
  SELECT r.* FROM log.record r WHERE NOT EXISTS (SELECT FROM log.entry e WHERE e.kind = r.kind AND e.subject = r.subject)
  ORDER BY at, kind, subject LIMIT _most;
$$;

-- Customers' heads that are in no entry. Numbers are given before the commit, so one may appear after a larger one: the
-- newest 10,000 are compared.
CREATE FUNCTION log.unlogged_heads(_most integer) RETURNS TABLE (head bigint, hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = log, pg_temp AS $$
  SELECT h.number, encode(h.hash, 'hex') FROM ledger.account_head h
  WHERE h.number > coalesce((SELECT max(l.head) FROM log.account_head l), 0) - 10000
    AND NOT EXISTS (SELECT FROM log.account_head l WHERE l.head = h.number)
  ORDER BY h.number LIMIT _most;
$$;

-- The newest record of each chain: its number and hash. And what the house holds on each blockchain at a block.
CREATE FUNCTION log.heads() RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = log, pg_temp AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'ticks', (SELECT jsonb_object_agg(coin, jsonb_build_array(sequence::text, encode(hash, 'hex'))) FROM market.head),
    'promises', (SELECT jsonb_build_array(sequence::text, encode(hash, 'hex')) FROM proofs.promise_link ORDER BY sequence DESC LIMIT 1),
    'operators', (SELECT jsonb_build_array(n::text, encode(hash, 'hex')) FROM operators.log_head),
    'liabilities', (SELECT jsonb_build_array(sequence::text, encode(hash, 'hex')) FROM books.liabilities ORDER BY sequence DESC LIMIT 1),
    'custody', (SELECT jsonb_object_agg(chain, jsonb_build_object('height', height::text, 'block', block_hash, 'safe', address, 'in_safe', safe::text,
        'in_hot_wallet', hot::text, 'in_addresses', addresses::text)) FROM treasury.state JOIN treasury.safe s USING (chain))));
$$;
-- The newest head of each account of one customer that an entry of the log includes.
CREATE FUNCTION log.heads_of(_owner bigint) RETURNS TABLE (account text, asset text, n bigint, entry bigint, "position" integer)
LANGUAGE sql STABLE SET search_path = log, pg_temp AS $$
  SELECT c.name, a.asset, newest.n, newest.entry, newest.position
  FROM ledger.account a JOIN ledger.chart c USING (code)
  CROSS JOIN LATERAL (SELECT h.entry AS n, l.entry, l.position FROM ledger.account_head h JOIN log.account_head l ON l.head = h.number
    WHERE h.account = a.id ORDER BY h.entry DESC LIMIT 1) newest
  WHERE a.owner = _owner ORDER BY c.name COLLATE "C", a.asset COLLATE "C";
$$;
-- The hashes that the root of an entry covers, in their order.
CREATE FUNCTION log.account_leaves(_entry bigint) RETURNS TABLE (hash text)
LANGUAGE sql STABLE SET search_path = log, pg_temp AS $$
  SELECT encode(h.hash, 'hex') FROM log.account_head l JOIN ledger.account_head h ON h.number = l.head WHERE l.entry = _entry ORDER BY l.position;
$$;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.heads_of, log.account_leaves TO sathorn_app;
GRANT EXECUTE ON FUNCTION log.unlogged_records, log.unlogged_heads, log.heads TO sathorn_log;
