import { isOther } from './ordered-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Clocks of processes differ. */
const SLACK_MS = 10_000;

/** An instruction's executions. `OFFSET` keeps the planner from reading those of all instructions. */
const EXECUTIONS = 'CROSS JOIN LATERAL (SELECT * FROM standing.execution WHERE instruction = i.id OFFSET 0) e';

/**
 * Standing orders of earning. A row is read again with the newest, because it changes after later ones were added. A
 * deposit whose block left its chain was subscribed rightly before that.
 */
export const STANDING_SCAN: Scan = {
  name: 'standing orders of earning',
  // An instruction's executions, their sources and what was made of them count as further reads.
  tables: Array(4).fill('standing.instruction'),
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(arrival)::text] AS cursor, count(*) AS rows FROM (
           SELECT arrival FROM standing.instruction WHERE arrival > ($1::text[])[1]::bigint ORDER BY arrival LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    i: `SELECT *, instruction AS whole FROM standing.instruction WHERE arrival > ($1::text[])[1]::bigint AND arrival <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'SO1',
      says: 'every standing order of earning is sealed by the process that took it, as it stands',
      text: `SELECT id::text AS subject, ARRAY[replace(seal::text, '-', ''), concat('standing ', id, ' ', customer_id, ' ', kind, ' ', lockup, ' ', product, ' ', rate_min, ' ',
               amount_min, ' ', amount_max, ' ', created_ms)] AS evidence FROM i WHERE seal IS NOT NULL`,
      isBroken: ([seal = '', said = ''], keys) => !keys.isSealed('order', seal, said),
    },
    {
      id: 'SO2',
      says: 'every standing order of earning has subscribed what it says, of its own sources, within its bounds, and nothing after its end',
      text: `SELECT i.id::text AS subject FROM i
             CROSS JOIN LATERAL (SELECT count(*) AS n, count(made) AS made, coalesce(max(number), 0) AS last,
                 coalesce(bool_or(refusal IS NOT NULL), false) AS is_skipped
               FROM standing.execution WHERE instruction = i.id) done
             WHERE (done.n, done.made, done.last) IS DISTINCT FROM (i.attempts, i.done, i.attempts)
               OR CASE i.kind WHEN 'renewal' THEN (i.state = 'ended') <> done.is_skipped
                   OR i.current IS DISTINCT FROM coalesce((SELECT made FROM standing.execution WHERE instruction = i.id AND made IS NOT NULL ORDER BY number DESC LIMIT 1), i.lockup)
                 ELSE i.state = 'ended' OR i.current IS NOT NULL END
             UNION ALL
             SELECT i.id::text FROM i ${EXECUTIONS}
             ${lateralLookUp('standing.execution', 'b', 'b.instruction = i.id AND b.number = e.number - 1', 'made')}
             WHERE i.kind = 'renewal' AND e.source IS DISTINCT FROM coalesce(b.made, i.lockup)
             UNION ALL
             SELECT i.id::text FROM i ${EXECUTIONS}
             ${lateralLookUp('earning.lockup', 'l', 'l.id = e.source')} ${lateralLookUp('deposits.deposit', 'd', 'd.id = e.source')}
             ${lateralLookUp('earning.lockup', 'ml', 'ml.id = e.made')} ${lateralLookUp('earning.movement', 'mm', 'mm.id = e.made')}
             CROSS JOIN LATERAL (SELECT coalesce(ml.standing, mm.standing) AS standing, coalesce(ml.source, mm.source) AS source,
                 coalesce(ml.customer_id, mm.customer_id) AS customer_id, coalesce(ml.product, 1::smallint) AS product, coalesce(ml.principal, mm.units) AS units,
                 ml.daily_rate, coalesce(ml.start_day - 1, mm.day) AS day, coalesce(ml.subscribed_at, mm.at) AS at) m
             CROSS JOIN LATERAL (SELECT CASE i.kind
                 WHEN 'renewal' THEN ROW(e.source, i.kind, l.customer_id, l.principal, l.product, l.end_day, NULL)::standing.source
                 ELSE ROW(e.source, i.kind, d.customer_id, (d.amount - d.recovery_fee)::bigint, NULL, NULL, d.finished_at)::standing.source END AS source) s
             WHERE e.made IS NOT NULL AND (m.standing = i.id AND m.source = e.source AND (ml.id IS NOT NULL OR mm.kind = 'subscription')
               AND m.at >= to_timestamp((i.created_ms - ${SLACK_MS}) / 1000.0)
               AND (i.state <> 'revoked' OR m.at <= to_timestamp((i.changed_ms + ${SLACK_MS}) / 1000.0))
               AND CASE WHEN CASE i.kind WHEN 'renewal' THEN l.matured_at IS NOT NULL ELSE d.step = 'credited' END THEN e.units = (s.source).units
                   AND standing.is_covered(i.whole, s.source, m.customer_id, m.product, m.units, m.daily_rate, m.day, m.at)
                 ELSE i.kind = 'deposits' AND d.customer_id = i.customer_id AND m.customer_id = i.customer_id AND m.product = i.product
                   AND e.units >= i.amount_min AND m.units = least(e.units, i.amount_max) END) IS NOT TRUE`,
    },
    {
      id: 'SO3',
      says: 'a standing order of earning that a device signed is as it was signed',
      text: `SELECT i.id::text AS subject, ARRAY[d.body, CASE i.kind
               WHEN 'renewal' THEN jsonb_build_object('id', i.lockup, 'rate_min', i.rate_min::text)
               ELSE jsonb_build_object('type', CASE i.product WHEN 1 THEN 'liquidity' ELSE 'regular' END, 'rate_min', i.rate_min::text,
                 'amount_min', i.amount_min::text, 'amount_max', i.amount_max::text)
                 || CASE i.product WHEN 1 THEN '{}'::jsonb ELSE jsonb_build_object('product', i.product::text) END END::text] AS evidence
             FROM i CROSS JOIN LATERAL (SELECT body FROM customers.ordered WHERE intent = i.id AND digest = i.digest AND customer = i.customer_id OFFSET 0) d`,
      isBroken: isOther,
      isKeyless: true,
      isHalting: false,
    },
  ],
  newest: {
    starts:
      'SELECT ARRAY[greatest(coalesce(max(arrival), 0) - $1::bigint, 0)::text] AS cursor FROM standing.instruction',
    invariants: [],
  },
};
