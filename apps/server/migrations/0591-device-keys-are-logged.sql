-- Keys of customers' devices belong into the public log too, so that nobody can date one back
-- (docs/verification.md, sections 25 and 27).
CREATE OR REPLACE VIEW log.record AS
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
  FROM deposits.bank_line
  UNION ALL
  SELECT 'device_key', id, created_at, jsonb_build_object('public_key', encode(public_key, 'hex')), jsonb_build_object('customer', customer::text)
  FROM customers.device_key
  UNION ALL
  SELECT 'device_key_removed', id, revoked_at, '{}', NULL FROM customers.device_key WHERE revoked_at IS NOT NULL;
