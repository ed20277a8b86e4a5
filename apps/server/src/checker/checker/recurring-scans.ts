import { isOther } from './ordered-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Clocks of processes differ. */
const SLACK_MS = 10_000;

/** Regular purchases. A row is read again with the newest, because it changes after later ones were added. */
export const RECURRING_SCAN: Scan = {
  name: 'regular purchases',
  // An instruction's executions and their trades count as further reads.
  tables: Array(4).fill('recurring.instruction'),
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(arrival)::text] AS cursor, count(*) AS rows FROM (
           SELECT arrival FROM recurring.instruction WHERE arrival > ($1::text[])[1]::bigint ORDER BY arrival LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    i: `SELECT * FROM recurring.instruction WHERE arrival > ($1::text[])[1]::bigint AND arrival <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'RP1',
      says: 'every regular purchase is sealed by the process that took it, as it stands',
      text: `SELECT id::text AS subject, ARRAY[replace(seal::text, '-', ''), concat('recurring ', id, ' ', customer_id, ' ', coin, ' ', amount, ' ', every, ' ', day, ' ', hour, ' ',
               price_max, ' ', times, ' ', time_zone, ' ', created_ms)] AS evidence FROM i WHERE seal IS NOT NULL`,
      isBroken: ([seal = '', said = ''], keys) => !keys.isSealed('order', seal, said),
    },
    {
      id: 'RP2',
      says: 'every regular purchase has bought what it says, on its days, for no more than its amount and price, and nothing after its end',
      text: `SELECT i.id::text AS subject FROM i
             CROSS JOIN LATERAL (SELECT count(*) AS n, count(order_sequence) AS bought, coalesce(max(number), 0) AS last, max(day) AS day
               FROM recurring.execution WHERE instruction = i.id) done
             WHERE (done.n, done.bought, done.last) IS DISTINCT FROM (i.attempts, i.bought, i.attempts) OR done.day > i.last_day OR i.bought > i.times
             UNION ALL
             SELECT i.id::text FROM i
             CROSS JOIN LATERAL (SELECT * FROM recurring.execution WHERE instruction = i.id AND order_sequence IS NOT NULL OFFSET 0) e
             ${lateralLookUp('contracts.orders', 'o', 'o.coin = i.coin AND o.sequence = e.order_sequence')}
             CROSS JOIN LATERAL (SELECT max(price) AS price FROM contracts.trade
               WHERE taker_customer = o.customer_id AND taker_customer <> 0 AND at_ms = o.accepted_ms AND coin = o.coin AND taker_sequence = o.sequence) dealt
             WHERE (o.recurring = i.id AND o.recurring_number = e.number AND o.recurring_day = e.day AND o.customer_id = i.customer_id
               AND o.side = 'buy' AND o.type = 'market' AND o.amount <= i.amount AND (i.price_max IS NULL OR dealt.price <= i.price_max)
               AND recurring.is_day(i.every, i.day, e.day) AND o.accepted_ms >= i.created_ms - ${SLACK_MS}
               AND o.accepted_ms BETWEEN recurring.due_ms(e.day, i.hour, i.time_zone) - 3600000 AND recurring.due_ms(e.day, i.hour, i.time_zone) + 7 * 3600000
               AND (i.state <> 'revoked' OR o.accepted_ms <= i.changed_ms + ${SLACK_MS})) IS NOT TRUE`,
    },
    {
      id: 'RP3',
      says: 'a regular purchase that a device signed is as it was signed',
      text: `SELECT i.id::text AS subject, ARRAY[d.body, jsonb_build_object('code', i.coin, 'amount', i.amount::text, 'every', i.every, 'day', i.day::text,
               'hour', i.hour::text, 'price_max', i.price_max::text, 'times', i.times::text)::text] AS evidence
             FROM i CROSS JOIN LATERAL (SELECT body FROM customers.ordered WHERE intent = i.id AND digest = i.digest AND customer = i.customer_id OFFSET 0) d`,
      isBroken: isOther,
      isKeyless: true,
      isHalting: false,
    },
  ],
  newest: {
    starts:
      'SELECT ARRAY[greatest(coalesce(max(arrival), 0) - $1::bigint, 0)::text] AS cursor FROM recurring.instruction',
    invariants: [],
  },
};
