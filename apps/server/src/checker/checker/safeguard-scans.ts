import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** How long before its commit a batch may have read a limit. */
const IN_FLIGHT = `interval '12 seconds'`;

const at = (ms: string): string => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`;
/**
 * The looser of two limits: the one in force when the order was decided and the one when it was posted. Null means no
 * limit.
 */
const allowed = (kind: string): string =>
  `CASE WHEN safeguards.in_force(o.customer_id, '${kind}', stake.at - ${IN_FLIGHT}) IS NOT NULL
     THEN greatest(safeguards.in_force(o.customer_id, '${kind}', stake.at - ${IN_FLIGHT}), safeguards.in_force(o.customer_id, '${kind}', stake.at))
       + CASE WHEN safeguards.in_force(o.customer_id, '${kind}', stake.at) IS NULL THEN NULL ELSE 0 END END`;
/** The sum over the period in which the order was accepted, up to and including the order. */
const sumOf = (what: string, period: string): string =>
  `(SELECT sum(${what}) FROM options.orders p WHERE p.customer_id = o.customer_id AND p.stake_hold <= o.stake_hold AND p.accepted_ms <= o.accepted_ms
     AND p.accepted_ms >= extract(epoch FROM date_trunc('${period}', ${at('o.accepted_ms')}, g.zone)) * 1000)`;
const LOSS = 'p.stake - coalesce(p.credited, 0)';
/** Few customers have a guard, so only their orders are read. */
const GUARDED = `FROM o JOIN safeguards.guard g ON g.customer = o.customer_id ${lateralLookUp('ledger.transfer', 'stake', 'stake.sequence = o.stake_hold', 'at')}`;

/** Checks of each option order in `o`. */
export const GUARDED_ORDER_INVARIANTS: readonly Invariant[] = [
  {
    id: 'SG1',
    says: 'no option was bought while its customer took a break or had excluded themselves',
    text: `SELECT o.id::text AS subject ${GUARDED}
           ${lateralLookUp('safeguards.pause', 'p', `p.customer = o.customer_id AND p.until > stake.at AND p.starts_at + ${IN_FLIGHT} < stake.at`, 'id')}
           WHERE p.id IS NOT NULL`,
    isHalting: false,
  },
  {
    id: 'SG2',
    says: 'no option was bought beyond what its customer had allowed themselves to stake, and none whose loss could pass their limit',
    text: `SELECT o.id::text AS subject ${GUARDED}
           WHERE o.stake > ${allowed('stake_option')} OR ${sumOf('p.stake', 'day')} > ${allowed('stake_day')}
             OR ${sumOf(LOSS, 'day')} > ${allowed('loss_day')} OR ${sumOf(LOSS, 'week')} > ${allowed('loss_week')} OR ${sumOf(LOSS, 'month')} > ${allowed('loss_month')}`,
    isHalting: false,
  },
];

/** Checks the limits that customers set for themselves. */
export const OWN_LIMIT_SCAN: Scan = {
  name: 'own limits',
  tables: ['safeguards.guard', 'safeguards.limit_change'],
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[max(customer)::text] AS cursor, count(*) AS rows FROM (
           SELECT customer FROM safeguards.guard WHERE customer > ($1::text[])[1]::bigint ORDER BY customer LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    g: 'SELECT * FROM safeguards.guard WHERE customer > ($1::text[])[1]::bigint AND customer <= ($2::text[])[1]::bigint',
  },
  invariants: [
    {
      id: 'SG3',
      says: 'every limit that was loosened began a day after it was asked for',
      text: `SELECT c.id::text AS subject FROM g ${lateralLookUp('safeguards.limit_change', 'c', 'c.customer = g.customer')}
             LEFT JOIN LATERAL (SELECT value FROM safeguards.limit_change p WHERE p.customer = c.customer AND p.kind = c.kind AND p.sequence < c.sequence
               AND p.from_at <= c.asked_at AND (p.cancelled_at IS NULL OR p.cancelled_at > c.asked_at) ORDER BY p.from_at DESC, p.sequence DESC LIMIT 1) before ON true
             WHERE c.from_at < c.asked_at OR c.cancelled_at >= c.from_at
               OR (before.value < coalesce(c.value, before.value + 1) AND c.from_at < c.asked_at + interval '24 hours')`,
      isHalting: false,
    },
    {
      id: 'SG4',
      says: 'every self-exclusion lasts for half a year or longer, and every break as long as was chosen',
      text: `SELECT p.id::text AS subject FROM g ${lateralLookUp('safeguards.pause', 'p', 'p.customer = g.customer')}
             WHERE p.id IS NOT NULL AND (CASE p.kind WHEN 'self_exclusion' THEN p.until >= p.starts_at + interval '6 months'
               ELSE p.until - p.starts_at IN (interval '24 hours', interval '7 days', interval '30 days') END) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};
