import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** The one house account of a code, in USDT. */
const HOUSE = (code: number): string =>
  `(SELECT min(id) FROM ledger.account WHERE owner = 0 AND code = ${code} AND asset = 'USDT')`;
/** A chunk has up to 4,000 rows of income, so this many chunks fill a page. */
const CHUNKS = 'greatest(1, $2::bigint / 4000)';

/**
 * Days of income, chunk by chunk. Every sum is recomputed stage by stage with exact numbers, unlike in the statement
 * that computed it first.
 */
export const INCOME_SCAN: Scan = {
  name: 'incomes',
  tables: ['earning.chunk', 'earning.income'],
  starts: `SELECT '{0,-2147483648,0}'::text[] AS cursor`,
  next: `SELECT ARRAY[product::text, day::text, chunk::text] AS cursor,
           CASE WHEN count(*) OVER () = ${CHUNKS} THEN $2::bigint ELSE count(*) OVER () END AS rows
         FROM (SELECT product, day, chunk FROM earning.chunk
           WHERE (product, day, chunk) > (($1::text[])[1]::smallint, ($1::text[])[2]::integer, ($1::text[])[3]::integer)
           ORDER BY product, day, chunk LIMIT ${CHUNKS}) page ORDER BY product DESC, day DESC, chunk DESC LIMIT 1`,
  given: {
    c: `SELECT c.*, a.version, a.chunks_paid >= c.chunk AS is_paid, j.first_sequence, j.transfers
        FROM earning.chunk c ${lateralLookUp('earning.accrual', 'a', 'a.product = c.product AND a.day = c.day', 'version, chunks_paid')}
        ${lateralLookUp('ledger.journal', 'j', 'j.id = c.journal', 'first_sequence, transfers')}
        WHERE (c.product, c.day, c.chunk) > (($1::text[])[1]::smallint, ($1::text[])[2]::integer, ($1::text[])[3]::integer)
          AND (c.product, c.day, c.chunk) <= (($2::text[])[1]::smallint, ($2::text[])[2]::integer, ($2::text[])[3]::integer)`,
    i: `SELECT i.*, c.is_paid, c.journal, c.first_sequence, c.version
        FROM c CROSS JOIN LATERAL (SELECT * FROM earning.income i
          WHERE i.product = c.product AND i.day = c.day AND i.position BETWEEN c.first_position AND c.last_position OFFSET 0) i`,
  },
  invariants: [
    {
      id: 'N1',
      says: 'each day of income that is paid has its transfer, from what was set aside to its customer, and none is paid twice',
      text: `SELECT concat_ws('/', i.product, i.day, i.position) AS subject FROM i
             ${lateralLookUp('ledger.transfer', 't', 't.sequence = i.first_sequence + i.leg - 1')}
             ${lateralLookUp('ledger.account', 'd', 'd.id = t.debit', 'owner, code')} ${lateralLookUp('ledger.account', 'p', 'p.id = t.credit', 'owner, code')}
             WHERE i.leg IS NOT NULL AND CASE WHEN i.is_paid
               THEN (t.journal, t.kind, t.units, t.code, d.owner, d.code, p.owner, p.code)
                 IS DISTINCT FROM (i.journal, 's'::"char", i.units, (CASE i.product WHEN 1 THEN 76 ELSE 73 END)::smallint, 0::bigint, 261::smallint, i.customer_id, 1000::smallint)
               ELSE i.first_sequence IS NOT NULL END
             UNION ALL
             SELECT concat_ws('/', c.product, c.day, c.chunk) FROM c
             LEFT JOIN (SELECT product, day, chunk, sum(units) AS units, bool_or(leg IS NOT NULL) AS has_legs FROM i GROUP BY product, day, chunk) counted
               USING (product, day, chunk)
             WHERE (c.is_paid AND c.transfers IS NULL AND coalesce(counted.has_legs, false)) OR c.units <> coalesce(counted.units, 0)`,
    },
    {
      id: 'N2',
      says: 'each day of income is what its balance, its terms and the remainder of the day before come to',
      text: `SELECT concat_ws('/', i.product, i.day, i.position) AS subject FROM i
             CROSS JOIN LATERAL (SELECT
               CASE WHEN i.product = 1 THEN (
                 SELECT sum(greatest(0, least(i.base, coalesce(v.stage_froms[n + 1], i.base)) - v.stage_froms[n])::numeric * v.stage_rates[n])
                 FROM earning.version v CROSS JOIN generate_subscripts(v.stage_froms, 1) n WHERE v.product = 1 AND v.version = i.version)
               ELSE (SELECT l.principal::numeric * l.daily_rate FROM earning.lockup l WHERE l.number = i.position AND l.principal = i.base
                   AND i.day >= l.start_day AND i.day < l.end_day AND l.customer_id = i.customer_id) END AS sum,
               CASE WHEN i.product = 1 THEN 36500000000 ELSE 100000000 END AS divisor) told
             ${lateralLookUp('earning.income', 'b', 'b.product = i.product AND b.day = i.day - 1 AND b.position = i.position', 'carry_after, total_after')}
             LEFT JOIN LATERAL (SELECT carry, total FROM earning.rest r WHERE i.product = 1 AND r.customer_id = i.position AND r.day < i.day ORDER BY r.day DESC LIMIT 1) r ON true
             WHERE (told.sum + i.carry_before = i.units * told.divisor + i.carry_after AND i.carry_after >= 0 AND i.carry_after < told.divisor
               AND i.carry_before = coalesce(b.carry_after, r.carry, 0) AND i.total_after = coalesce(b.total_after, r.total, 0) + i.units) IS NOT TRUE`,
    },
    {
      id: 'N3',
      says: 'what earned on a day is what the customer had in liquidity that day',
      text: `SELECT concat_ws('/', i.product, i.day, i.position) AS subject FROM i
             ${lateralLookUp('earning.liquidity', 'p', 'p.customer_id = i.position')}
             LEFT JOIN LATERAL (SELECT o.* FROM earning.liquidity_past o WHERE o.customer_id = i.position AND o.day <= i.day ORDER BY o.day DESC LIMIT 1) o ON true
             WHERE i.product = 1 AND i.base IS DISTINCT FROM CASE
               WHEN p.day = i.day THEN p.earning WHEN p.day < i.day THEN p.earning - p.leaving + p.fresh
               WHEN o.day = i.day THEN o.earning ELSE o.earning - o.leaving + o.fresh END`,
    },
  ],
};

/** Accounts by id. Starts from the accounts, so that it also finds a missing position. */
export const EARNING_ACCOUNT_SCAN: Scan = {
  name: 'earning accounts',
  tables: ['ledger.account', 'earning.liquidity'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(id)::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM ledger.account WHERE id > ($1::text[])[1]::bigint ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    e: `SELECT owner, code, credits_posted - debits_posted AS total, debits_held AS held FROM ledger.account
        WHERE id > ($1::text[])[1]::bigint AND id <= ($2::text[])[1]::bigint AND code IN (1010, 1020) AND asset = 'USDT'`,
  },
  invariants: [
    {
      id: 'N4',
      says: 'what is in liquidity and in lock-ups is what the customers’ positions, pending redemptions and open orders say',
      text: `SELECT concat_ws(' ', e.owner, e.code, e.total) AS subject FROM e ${lateralLookUp('earning.liquidity', 'p', 'p.customer_id = e.owner')}
             WHERE CASE e.code
               WHEN 1020 THEN (e.total - e.held, e.held) IS DISTINCT FROM (coalesce(p.earning - p.leaving + p.fresh, 0),
                 (SELECT coalesce(sum(m.units), 0) FROM earning.movement m WHERE m.customer_id = e.owner AND m.kind IS NOT DISTINCT FROM 'normal' AND coalesce(m.issued_at, 'infinity') = 'infinity'))
               ELSE (e.total, e.held) IS DISTINCT FROM (
                 (SELECT coalesce(sum(l.principal), 0) FROM earning.lockup l WHERE l.customer_id = e.owner AND coalesce(l.matured_at, 'infinity') = 'infinity'), 0::numeric) END`,
    },
  ],
};

/** Rows of `of` that name a standing order, and that it has not recorded. */
const UNRECORDED = (of: string): string =>
  `SELECT ${of}.id::text AS subject FROM ${of} ${lateralLookUp('standing.execution', 'e', `e.source = ${of}.source`)}
   WHERE num_nonnulls(${of}.standing, ${of}.source) > 0 AND (e.instruction = ${of}.standing AND e.made = ${of}.id) IS NOT TRUE`;

/** Subscriptions, redemptions and lock-up orders, in the order of their numbers. */
export const EARNING_MOVEMENT_SCAN: Scan = {
  name: 'liquidity movements',
  tables: ['earning.movement', 'earning.movement'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(number)::text] AS cursor, count(*) AS rows
         FROM (SELECT number FROM earning.movement WHERE number > ($1::text[])[1]::bigint ORDER BY number LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    m: `SELECT m.*, j.first_sequence FROM earning.movement m ${lateralLookUp('ledger.journal', 'j', 'j.id = m.id', 'first_sequence')}
        WHERE number > ($1::text[])[1]::bigint AND number <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'N5',
      says: 'every subscription and redemption of liquidity has its transfer, and a pending one its hold',
      text: `SELECT m.id::text AS subject FROM m ${lateralLookUp('ledger.transfer', 't', 't.sequence = m.first_sequence')}
             ${lateralLookUp('ledger.account', 'd', 'd.id = t.debit', 'owner, code')} ${lateralLookUp('ledger.transfer', 'p', 'p.resolves = m.hold')}
             WHERE (t.kind, t.units, t.code, d.owner, d.code) IS DISTINCT FROM (CASE m.kind WHEN 'normal' THEN 'h' ELSE 's' END::"char", m.units::numeric,
                 CASE m.kind WHEN 'subscription' THEN 74 ELSE 75 END::smallint, m.customer_id, CASE m.kind WHEN 'subscription' THEN 1000 ELSE 1020 END::smallint)
               OR (m.kind = 'normal' AND m.hold IS DISTINCT FROM t.sequence)
               OR (m.kind = 'normal' AND (p.kind, p.units, p.journal) IS DISTINCT FROM
                 (CASE WHEN m.issued_at IS NULL THEN NULL ELSE 'p'::"char" END, CASE WHEN m.issued_at IS NULL THEN NULL ELSE m.units::numeric END, m.issued_journal))`,
    },
    {
      id: 'N9',
      says: 'every subscription of liquidity by a standing order is one of its executions',
      text: UNRECORDED('m'),
    },
  ],
};

export const LOCKUP_SCAN: Scan = {
  name: 'lock-ups',
  tables: ['earning.lockup', 'earning.lockup'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(number)::text] AS cursor, count(*) AS rows
         FROM (SELECT number FROM earning.lockup WHERE number > ($1::text[])[1]::bigint ORDER BY number LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    l: `SELECT l.*, j.first_sequence, j.transfers FROM earning.lockup l ${lateralLookUp('ledger.journal', 'j', 'j.id = l.id', 'first_sequence, transfers')}
        WHERE number > ($1::text[])[1]::bigint AND number <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'N6',
      says: 'every lock-up took its principal, set its whole yield aside, has the terms of its day, and gave all back when it ended',
      text: `SELECT l.id::text AS subject FROM l
             ${lateralLookUp('ledger.transfer', 'p', 'p.sequence = l.first_sequence')} ${lateralLookUp('ledger.transfer', 'y', 'y.sequence = l.first_sequence + 1 AND l.transfers = 2')}
             ${lateralLookUp('ledger.account', 'd', 'd.id = p.debit', 'owner, code')}
             ${lateralLookUp('earning.version', 'v', 'v.product = l.product AND v.version = l.version')}
             WHERE (p.kind, p.units, p.code, d.owner, d.code) IS DISTINCT FROM ('s'::"char", l.principal::numeric, 70::smallint, l.customer_id, 1000::smallint)
               OR (coalesce(y.units, 0), coalesce(y.code, 72)) IS DISTINCT FROM (l.yield::numeric, 72::smallint)
               OR (v.daily_rate = l.daily_rate AND v.effective_day < l.start_day AND l.principal >= v.units_min) IS NOT TRUE
               OR l.yield <> floor(l.principal::numeric * l.daily_rate * l.days / 100000000) OR l.end_day <> l.start_day + l.days
               OR (l.matured_at IS NOT NULL AND NOT EXISTS (
                 SELECT FROM earning.income i JOIN earning.chunk c USING (product, day, chunk)
                 WHERE i.product = l.product AND i.day = l.end_day - 1 AND i.position = l.number AND i.total_after = l.yield AND c.journal = l.matured_journal))`,
    },
    {
      id: 'N8',
      says: 'every lock-up by a standing order is one of its executions',
      text: UNRECORDED('l'),
    },
  ],
};

/** Invariants over sums, checked in thorough rounds. */
export const EARNING_SUM_INVARIANTS: readonly Invariant[] = [
  {
    id: 'N7',
    says: 'what is set aside is what open lock-ups still pay, and the days of liquidity that are being paid',
    text: `SELECT concat_ws(' ', 'reserved', reserved.units - owed.units) AS subject
           FROM (SELECT coalesce(sum(credits_posted - debits_posted), 0) AS units FROM ledger.account WHERE id = ${HOUSE(261)}) reserved
           CROSS JOIN (SELECT coalesce((SELECT sum(l.yield - floor(l.principal::numeric * l.daily_rate
                 * greatest(0, least(l.days,
                     CASE WHEN a.day IS NULL THEN 0 WHEN a.state = 'paid' OR l.number <= c.last_position THEN a.day - l.start_day + 1
                       ELSE a.day - l.start_day END)) / 100000000))
               FROM earning.lockup l
               LEFT JOIN (SELECT DISTINCT ON (product) * FROM earning.accrual ORDER BY product, day DESC) a ON a.product = l.product
               LEFT JOIN earning.chunk c ON c.product = a.product AND c.day = a.day AND c.chunk = a.chunks_paid
               WHERE l.matured_at IS NULL), 0)
             + coalesce((SELECT sum(a.units - (SELECT coalesce(sum(c.units), 0) FROM earning.chunk c WHERE c.product = 1 AND c.day = a.day AND c.chunk <= a.chunks_paid))
               FROM earning.accrual a WHERE a.product = 1 AND a.state = 'paying'), 0) AS units) owed
           WHERE reserved.units <> owed.units
           UNION ALL
           SELECT concat_ws(' ', 'taken', t.product) FROM earning.lockup_total t
           WHERE t.taken <> (SELECT coalesce(sum(principal), 0) FROM earning.lockup l WHERE l.product = t.product AND l.matured_at IS NULL)
           UNION ALL
           SELECT concat_ws(' ', 'quick', t.day) FROM earning.day_total t
           WHERE t.quick > 30000000000000
           UNION ALL
           SELECT concat_ws(' ', 'day', a.product, a.day) FROM earning.accrual a
           JOIN earning.accrual b ON b.product = a.product AND b.day = a.day - 1 WHERE b.state <> 'paid'`,
  },
];

/** Transfers with a purpose of earning that no row refers to. */
export const EARNING_TRANSFER_HAS_ROW_INVARIANT: Invariant = {
  id: 'K8',
  says: 'money of lock-ups and liquidity moves for an order, a movement or a day of income',
  text: `SELECT t.journal::text AS subject FROM (SELECT DISTINCT journal, code, hold_journal FROM t WHERE code IN (70, 71, 73, 74, 75, 76)) t
         WHERE NOT CASE
           WHEN t.code = 70 THEN EXISTS (SELECT FROM earning.lockup l WHERE l.id = t.journal OFFSET 0)
           WHEN t.code IN (74, 75) THEN EXISTS (SELECT FROM earning.movement m WHERE m.id = coalesce(t.hold_journal, t.journal) OFFSET 0)
           ELSE EXISTS (SELECT FROM earning.chunk c
             CROSS JOIN LATERAL (SELECT chunks_paid FROM earning.accrual a WHERE a.product = c.product AND a.day = c.day OFFSET 0) a
             WHERE c.journal = t.journal AND c.chunk <= a.chunks_paid AND (c.product = 1) = (t.code = 76) OFFSET 0) END`,
};
