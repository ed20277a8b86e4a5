import type { Invariant } from './invariant.ts';
import { lateralLookUp } from './scan.ts';

/** Checks that start from the operators' log, in the scan over its entries. */
export const BOOK_ENTRY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'BK1',
    says: 'every balance that somebody attested is still there, as it was signed for',
    text: `SELECT e.n::text AS subject FROM entries e
           ${lateralLookUp('books.attestation', 'b', `b.id = CASE WHEN e.kind = 'attestation' THEN e.subject::uuid END`)}
           CROSS JOIN LATERAL (SELECT e.text::jsonb -> 'after' AS said OFFSET 0) a
           WHERE e.kind = 'attestation' AND ((b.operator, b.asset, b.counted::text, b.booked::text, b.as_of)
             = (e.operator, a.said ->> 'asset', a.said ->> 'counted', a.said ->> 'booked', (a.said ->> 'as_of')::timestamptz)) IS NOT TRUE`,
    isHalting: false,
  },
];
