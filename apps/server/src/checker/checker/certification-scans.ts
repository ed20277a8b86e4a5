import type { Scan } from './scan.ts';

/** Certified customers may withdraw more, so nobody is certified past the operators' log. */
export const CERTIFICATION_SCAN: Scan = {
  name: 'certifications',
  tables: ['certifications.application'],
  starts: `SELECT ARRAY[''] AS cursor`,
  next: `SELECT ARRAY[max(id)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM certifications.application WHERE id > ($1::text[])[1] ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    a: `SELECT id, customer, level, state, decided_by FROM certifications.application
        WHERE id > ($1::text[])[1] AND id <= ($2::text[])[1]`,
  },
  invariants: [
    {
      id: 'CE1',
      says: 'every decision about a certification is in the operators’ log, for its customer and level, by the operator whom it names',
      isOfPlatform: true,
      text: `SELECT a.id AS subject FROM a
             WHERE a.state <> 'review' AND NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'certification' AND e.subject = a.id
               AND e.operator = a.decided_by AND e.customer = a.customer AND e.what = 'certification.' || a.state
               AND e.text::jsonb -> 'after' ->> 'level' = a.level)`,
      isHalting: false,
    },
  ],
};
