import { lateralLookUp, type Scan } from './scan.ts';

/** Checks that each version of the terms is exactly the content that two people approved. */
export const OFFER_TERMS_SCAN: Scan = {
  name: 'terms',
  tables: ['offer.version'],
  starts: `SELECT ARRAY['', '', '0'] AS cursor`,
  next: `SELECT ARRAY[kind, subject, version::text] AS cursor, n AS rows
         FROM (SELECT kind, subject, version, row_number() OVER (ORDER BY kind, subject, version) AS n FROM offer.version
               WHERE (kind, subject, version) > (($1::text[])[1], ($1::text[])[2], ($1::text[])[3]::integer) ORDER BY kind, subject, version LIMIT $2::bigint) ahead
         ORDER BY n DESC LIMIT 1`,
  given: {
    v: `SELECT * FROM offer.version WHERE (kind, subject, version) > (($1::text[])[1], ($1::text[])[2], ($1::text[])[3]::integer)
          AND (kind, subject, version) <= (($2::text[])[1], ($2::text[])[2], ($2::text[])[3]::integer)`,
  },
  invariants: [
    {
      id: 'OF1',
      says: 'every version of terms but the first is what two people approved, with the notice that customers are promised',
      text: `SELECT concat_ws('/', v.kind, v.subject, v.version) AS subject FROM v
             ${lateralLookUp('operators.approval', 'a', 'a.id = v.approval')}
             WHERE (CASE WHEN v.approval IS NULL THEN v.version = 1 ELSE a.kind = 'offer' AND a.status = 'approved' AND a.subject = concat(v.kind, '/', v.subject)
               AND a.content::jsonb -> 'after' = v.fields::jsonb AND (a.content::jsonb ->> 'effective_from')::timestamptz = v.effective_from
               AND (v.applied_at IS NULL OR (v.applied_at >= v.effective_from AND v.stopped_at IS NULL))
               AND (v.effective_from >= v.at + (SELECT notice FROM offer.kind WHERE name = v.kind) OR (SELECT bool_or(virtual_clock) FROM market.guard))
               AND EXISTS (SELECT FROM operators.vote t WHERE t.approval = a.id AND t.decision = 'approve' AND t.operator <> a.made_by) END) IS NOT TRUE`,
    },
    {
      id: 'OF2',
      says: 'the terms of lock-up and liquidity that apply are versions that took effect',
      text: `SELECT concat_ws('/', v.kind, v.subject, v.version) AS subject FROM v
             LEFT JOIN LATERAL (SELECT e.approval FROM earning.version e
               WHERE e.product = CASE WHEN v.kind IN ('lockup', 'liquidity') THEN v.subject::smallint END AND e.approval = v.approval OFFSET 0) e ON true
             WHERE v.kind IN ('lockup', 'liquidity') AND v.approval IS NOT NULL AND v.applied_at IS NOT NULL AND e.approval IS NULL`,
    },
  ],
};
