import type { Invariant } from './invariant.ts';

/** As many of the newest entries as a round compares. */
const NEWEST = 5_000;

/** The public log beside the books. Money goes on: what was logged stays with witnesses and readers. */
export const PUBLIC_LOG_INVARIANTS: readonly Invariant[] = [
  {
    id: 'LG1',
    says: 'each entry of the public log is the leaf of its place in the tree',
    isHalting: false,
    text: `SELECT e.index::text AS subject FROM (SELECT index, body FROM log.entry ORDER BY index DESC LIMIT ${NEWEST}) e
           LEFT JOIN log.hash h ON h.level = 0 AND h.index = e.index
           WHERE h.hash IS DISTINCT FROM sha256('\\x00'::bytea || convert_to(e.body, 'UTF8'))`,
  },
  {
    id: 'LG2',
    says: 'once there is a public log, each record that belongs into it is there within ten minutes',
    isHalting: false,
    text: `SELECT r.kind || ' ' || r.subject AS subject FROM log.record r
           WHERE r.at < clock_timestamp() - interval '10 minutes' AND EXISTS (SELECT FROM log.entry)
             AND NOT EXISTS (SELECT FROM log.entry e WHERE e.kind = r.kind AND e.subject = r.subject)
             -- What this itself found would be missing next.
             AND (r.kind = 'violation' AND r.said ->> 'invariant' = 'LG2') IS NOT TRUE
           ORDER BY r.at LIMIT 100`,
  },
  {
    id: 'LG3',
    says: 'each record says what the public log says about it',
    isHalting: false,
    text: `SELECT e.kind || ' ' || e.subject AS subject FROM log.entry e LEFT JOIN log.record r USING (kind, subject)
           WHERE e.subject IS NOT NULL AND (e.kind <> 'bank_line' OR e.index > (SELECT max(index) FROM log.entry) - ${NEWEST})
             AND (e.body::jsonb -> 'said' = r.said AND e.body::jsonb ->> 'at' = floor(extract(epoch FROM r.at) * 1000)::text) IS NOT TRUE`,
  },
];
