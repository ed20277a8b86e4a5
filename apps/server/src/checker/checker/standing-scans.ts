import { isOther } from './ordered-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Clocks of processes differ. */
const SLACK_MS = 10_000;

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
    i: `SELECT * FROM standing.instruction WHERE arrival > ($1::text[])[1]::bigint AND arrival <= ($2::text[])[1]::bigint`,
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
             SELECT i.id::text FROM i JOIN standing.execution e ON e.instruction = i.id
             ${lateralLookUp('standing.execution', 'b', 'b.instruction = i.id AND b.number = e.number - 1', 'made')}
             WHERE i.kind = 'renewal' AND e.source IS DISTINCT FROM coalesce(b.made, i.lockup)
             UNION ALL
             SELECT i.id::text FROM i JOIN standing.execution e ON e.instruction = i.id AND e.made IS NOT NULL
             ${lateralLookUp('standing.source', 's', 's.id = e.source')}
             ${lateralLookUp('deposits.deposit', 'd', 'd.id = e.source', 'customer_id, step')}
             LEFT JOIN LATERAL (
               SELECT standing, source, customer_id, product, principal AS units, daily_rate, start_day - 1 AS day, subscribed_at AS at FROM earning.lockup WHERE id = e.made
               UNION ALL
               SELECT standing, source, customer_id, 1::smallint, units, NULL, day, at FROM earning.movement WHERE id = e.made AND kind = 'subscription') m ON true
             WHERE (m.standing = i.id AND m.source = e.source AND m.at >= to_timestamp((i.created_ms - ${SLACK_MS}) / 1000.0)
               AND (i.state <> 'revoked' OR m.at <= to_timestamp((i.changed_ms + ${SLACK_MS}) / 1000.0))
               AND CASE WHEN s.id IS NOT NULL THEN e.units = s.units
                   AND standing.is_covered((SELECT x FROM standing.instruction x WHERE x.id = i.id), (SELECT x FROM standing.source x WHERE x.id = e.source), m.customer_id, m.product, m.units, m.daily_rate, m.day, m.at)
                 ELSE i.kind = 'deposits' AND d.step <> 'credited' AND d.customer_id = i.customer_id AND m.customer_id = i.customer_id AND m.product = i.product
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
             FROM i JOIN customers.ordered d ON d.intent = i.id AND d.digest = i.digest AND d.customer = i.customer_id`,
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
