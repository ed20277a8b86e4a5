import { lateralLookUp, type Scan } from './scan.ts';

/** Checks that each published text was written by an operator and approved by as many people as its kind requires. */
export const PUBLICATION_SCAN: Scan = {
  name: 'publications',
  tables: ['content.publication'],
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[max(number)::text] AS cursor, count(*) AS rows
         FROM (SELECT number FROM content.publication WHERE number > ($1::text[])[1]::bigint ORDER BY number LIMIT $2::bigint) ahead
         HAVING count(*) > 0`,
  given: {
    p: 'SELECT * FROM content.publication WHERE number > ($1::text[])[1]::bigint AND number <= ($2::text[])[1]::bigint',
  },
  invariants: [
    {
      id: 'CT1',
      says: 'every publication is exactly the text that was kept, of its entry’s kind, by as many people as it takes',
      text: `SELECT p.id AS subject FROM p ${lateralLookUp('content.entry', 'e', 'e.id = p.entry')}
             ${lateralLookUp('content.version', 'v', 'v.entry = p.entry AND v.n = p.version', 'n')}
             WHERE (p.digest = sha256(convert_to(p.content, 'UTF8')) AND e.kind = p.kind AND v.n IS NOT NULL
               AND (p.made_by IS NULL OR p.people >= content.people_for(p.kind, p.audience, p.content))) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'CT2',
      says: 'what is published and needs two people was approved by another one, for exactly this text, audience and time',
      text: `SELECT p.id AS subject FROM p ${lateralLookUp('operators.approval', 'a', 'a.id = p.approval')}
             WHERE p.published_at IS NOT NULL AND p.people > 1 AND p.made_by IS NOT NULL
               AND (a.kind = 'content' AND a.subject = p.entry AND a.status = 'approved' AND a.made_by = p.made_by
                 AND a.content::jsonb ->> 'digest' = encode(p.digest, 'hex') AND a.content::jsonb ->> 'publication' = p.id
                 AND a.content::jsonb ->> 'audience' = p.audience AND (a.content::jsonb ->> 'from')::timestamptz = p.from_at
                 AND nullif(a.content::jsonb ->> 'to', '')::timestamptz IS NOT DISTINCT FROM p.to_at) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'CT3',
      says: 'every publication, with its text and audience, and every take-down of an operator is an entry of the operators’ log',
      text: `SELECT p.id AS subject FROM p
             WHERE p.made_by IS NOT NULL AND (
               NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'content' AND e.subject = p.entry AND e.operator = p.made_by
                 AND e.what IN ('content.published', 'content.check_asked') AND e.text::jsonb -> 'after' ->> 'publication' = p.id
                 AND e.text::jsonb -> 'after' ->> 'digest' = encode(p.digest, 'hex') AND e.text::jsonb -> 'after' ->> 'audience' = p.audience)
               OR p.taken_down_at IS NOT NULL AND NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'content' AND e.subject = p.entry
                 AND e.operator = p.taken_down_by AND e.what = 'content.taken_down'))`,
      isHalting: false,
    },
    {
      id: 'CT4',
      says: 'rules of an operator begin no earlier than their notice after they were approved, and nobody takes them down',
      text: `SELECT p.id AS subject FROM p
             WHERE p.published_at IS NOT NULL AND p.made_by IS NOT NULL AND content.rules_notice(p.kind) IS NOT NULL
               AND (p.from_at >= p.published_at + content.rules_notice(p.kind) AND p.taken_down_at IS NULL) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};
