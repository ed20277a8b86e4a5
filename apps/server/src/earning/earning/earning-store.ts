import { type Money, money, type Rate } from '@sathorn/money';
import type { LiquidityCost, LiquidityPosition } from '@sathorn/settlement';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { type EarningTerms, isLiquidityTerms, LIQUIDITY_PRODUCT, TermsCatalogue } from './earning-terms.ts';

const { bigint, integer, uuid, nullable, time, named, numeric, text } = column;

const usdt = column.money('USDT');

const VERSION = {
  product: integer,
  version: integer,
  effectiveDay: integer,
  isOffered: column.boolean,
  min: named('units_min', usdt),
  max: named('units_max', nullable(usdt)),
  quota: nullable(usdt),
  dailyRate: nullable(bigint),
  stageFroms: nullable(column.list('stage_froms')),
  stageRates: nullable(column.list('stage_rates')),
};
const VERSIONS = table<RowOf<typeof VERSION>>(VERSION);
const READ_VERSIONS = statement(
  'earning.read_versions',
  `SELECT ${VERSIONS.names} FROM earning.version ORDER BY product, version`,
);

export async function readTermsCatalogue(queries: Queries): Promise<TermsCatalogue> {
  const rows = await VERSIONS.query(queries, READ_VERSIONS);
  return new TermsCatalogue(
    rows.map(({ max, quota, dailyRate, stageFroms: froms, stageRates: rates, ...common }): EarningTerms => {
      if (common.product === LIQUIDITY_PRODUCT) {
        if (froms === null || rates === null) throw new Error('liquidity without stages');
        return {
          ...common,
          stages: froms.map((from, n) => ({ from: BigInt(from), rate: BigInt(rates[n] ?? 0) as Rate })),
        };
      }
      if (max === null || quota === null || dailyRate === null)
        throw new Error(`lock-up ${common.product} lacks terms`);
      return { ...common, dailyRate: dailyRate as Rate, max, quota };
    }),
  );
}

const INSERT_VERSION = statement(
  'earning.insert_version',
  `INSERT INTO earning.version (product, version, effective_day, is_offered, units_min, units_max, quota, daily_rate, stage_froms, stage_rates, approval)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::bigint[], $10::bigint[], $11)`,
);

/** `approval` names the decision by two operators; null for the terms with which a demo starts. */
export async function insertTermsVersion(
  queries: Queries,
  terms: EarningTerms,
  approval: string | null,
): Promise<void> {
  const { product, version, effectiveDay, isOffered, min } = terms;
  const common = [product, version, effectiveDay, isOffered, min.units];
  const own = isLiquidityTerms(terms)
    ? [
        null,
        null,
        null,
        arrayLiteral(terms.stages.map(({ from }) => from)),
        arrayLiteral(terms.stages.map(({ rate }) => rate)),
      ]
    : [terms.max.units, terms.quota.units, terms.dailyRate, null, null];
  await queries.query(INSERT_VERSION, [...common, ...own, approval]);
}

const LOCKUP = {
  id: uuid,
  customer_id: bigint,
  product: integer,
  version: integer,
  principal: usdt,
  daily_rate: bigint,
  days: integer,
  yield: usdt,
  start_day: integer,
  end_day: integer,
  subscribed_at: time,
  /** The standing order in whose name it was made, and the lock-up or deposit from which. */
  standing: nullable(uuid),
  source: nullable(uuid),
};
export type LockupRow = RowOf<typeof LOCKUP>;
const KEPT_LOCKUP = {
  ...LOCKUP,
  number: bigint,
  matured_at: nullable(time),
  /** True if its source is a lock-up. */
  is_renewal: column.computed('EXISTS (SELECT FROM earning.lockup s WHERE s.id = lockup.source)', column.boolean),
};
export type StoredLockup = RowOf<typeof KEPT_LOCKUP>;
const NEW_LOCKUPS = table<LockupRow>(LOCKUP);
const LOCKUPS = table<StoredLockup>(KEPT_LOCKUP);

const INSERT_LOCKUPS = statement('earning.insert_lockups', NEW_LOCKUPS.insertInto('earning.lockup'));
/** The database adds the orders to the product's total, and refuses to exceed its quota or a customer's limit. */
export const insertLockups = (queries: Queries, rows: readonly LockupRow[]): Promise<unknown>[] => [
  queries.query(INSERT_LOCKUPS, NEW_LOCKUPS.values(rows)),
];

const READ_TAKEN = statement('earning.read_taken', 'SELECT product, taken FROM earning.lockup_total');

/** Principal in open orders, by product. */
export async function readPrincipalByProduct(queries: Queries): Promise<Map<number, Money<'USDT'>>> {
  const rows = await queries.query<{ product: number; taken: bigint }>(READ_TAKEN);
  return new Map(rows.map(({ product, taken }) => [product, money('USDT', taken)]));
}

const READ_TAKEN_BY = statement(
  'earning.read_taken_by',
  `SELECT customer_id, product, sum(principal)::bigint AS taken FROM earning.lockup
   WHERE customer_id = ANY ($1::bigint[]) AND matured_at IS NULL GROUP BY customer_id, product`,
);

/** Principal in open orders by `customer/product`, for these customers. */
export async function readPrincipalOfCustomers(
  queries: Queries,
  customers: readonly bigint[],
): Promise<Map<string, Money<'USDT'>>> {
  const rows = await queries.query<{ customer_id: bigint; product: number; taken: bigint }>(READ_TAKEN_BY, [
    arrayLiteral([...new Set(customers)]),
  ]);
  return new Map(rows.map(({ customer_id, product, taken }) => [`${customer_id}/${product}`, money('USDT', taken)]));
}

const LIST_LOCKUPS = statement(
  'earning.list_lockups',
  `SELECT ${LOCKUPS.names} FROM earning.lockup
   WHERE customer_id = $1 AND ($2::bigint IS NULL OR number < $2) ORDER BY number DESC LIMIT $3 OFFSET $4`,
);
export const listLockups = (queries: Queries, customer: bigint, before: bigint | null, limit: number, skip: number) =>
  LOCKUPS.query(queries, LIST_LOCKUPS, [customer, before, limit, skip]);

const READ_LOCKUP = statement(
  'earning.read_lockup',
  `SELECT ${LOCKUPS.names} FROM earning.lockup WHERE id = $1 AND customer_id = $2`,
);
/** Another customer's order gets the same answer as one that does not exist. */
export async function readLockup(queries: Queries, id: string, customer: bigint): Promise<StoredLockup | undefined> {
  const [row] = await LOCKUPS.query(queries, READ_LOCKUP, [id, customer]);
  return row;
}

const READ_RENEWED_BY = statement('earning.read_renewed_by', 'SELECT id FROM earning.lockup WHERE source = $1');
/** The lock-up that renewed this one; null if none did. */
export async function readRenewedBy(queries: Queries, id: string): Promise<string | null> {
  return (await queries.query<{ id: string }>(READ_RENEWED_BY, [id]))[0]?.id ?? null;
}

const READ_OPEN_LOCKUPS = statement(
  'earning.read_open_lockups',
  `SELECT ${LOCKUPS.names} FROM earning.lockup WHERE customer_id = $1 AND matured_at IS NULL ORDER BY number`,
);
export const readOpenLockups = (queries: Queries, customer: bigint) =>
  LOCKUPS.query(queries, READ_OPEN_LOCKUPS, [customer]);

const READ_MATURED_YIELD = statement(
  'earning.read_matured_yield',
  'SELECT coalesce(sum(yield), 0)::text AS units FROM earning.lockup WHERE customer_id = $1 AND matured_at IS NOT NULL',
);
/** The yield that the customer's completed orders have paid. */
export async function readMaturedYield(queries: Queries, customer: bigint): Promise<Money<'USDT'>> {
  const [row] = await queries.query<{ units: string }>(READ_MATURED_YIELD, [customer]);
  return money('USDT', BigInt(row?.units ?? 0));
}

type MovementKind = 'subscription' | 'quick' | 'normal';
export interface NewLiquidityMovement {
  readonly id: string;
  readonly customer: bigint;
  readonly kind: MovementKind;
  readonly amount: Money<'USDT'>;
  readonly hold: bigint | null;
  readonly standing: string | null;
  readonly source: string | null;
}
const MOVE = statement(
  'earning.move_liquidity',
  `SELECT earning.move_liquidity($1::integer, $2::timestamptz, $3::uuid[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
     $8::uuid[], $9::uuid[])`,
);

/** Call it only in the transfers' transaction, which holds the ledger's lock. */
export async function moveLiquidity(
  queries: Queries,
  day: number,
  at: Date,
  moves: readonly NewLiquidityMovement[],
): Promise<void> {
  await queries.query(MOVE, [
    day,
    at,
    arrayLiteral(moves.map(({ id }) => id)),
    arrayLiteral(moves.map(({ customer }) => customer)),
    arrayLiteral(moves.map(({ kind }) => kind)),
    arrayLiteral(moves.map(({ amount }) => amount.units)),
    arrayLiteral(moves.map(({ hold }) => hold)),
    arrayLiteral(moves.map(({ standing }) => standing)),
    arrayLiteral(moves.map(({ source }) => source)),
  ]);
}

const MOVEMENT = {
  number: bigint,
  id: uuid,
  customer_id: bigint,
  kind: text<MovementKind>(),
  amount: named('units', usdt),
  day: integer,
  at: time,
  from_fresh: usdt,
  hold: nullable(bigint),
  issued_at: nullable(time),
  standing: nullable(uuid),
  source: nullable(uuid),
};
export type LiquidityMovement = RowOf<typeof MOVEMENT>;
const MOVEMENTS = table<LiquidityMovement>(MOVEMENT);
const LIST_MOVEMENTS = statement(
  'earning.list_movements',
  `SELECT ${MOVEMENTS.names} FROM earning.movement
   WHERE customer_id = $1 AND ($2::bigint IS NULL OR number < $2) AND ($3::text[] IS NULL OR kind = ANY ($3))
   ORDER BY number DESC LIMIT $4 OFFSET $5`,
);
export const listLiquidityMovements = (
  queries: Queries,
  customer: bigint,
  kinds: readonly MovementKind[] | null,
  before: bigint | null,
  limit: number,
  skip: number,
) => MOVEMENTS.query(queries, LIST_MOVEMENTS, [customer, before, kinds, limit, skip]);

const READ_MOVEMENT = statement(
  'earning.read_movement',
  `SELECT ${MOVEMENTS.names} FROM earning.movement WHERE id = $1 AND customer_id = $2`,
);
export async function readLiquidityMovement(
  queries: Queries,
  id: string,
  customer: bigint,
): Promise<LiquidityMovement | undefined> {
  const [row] = await MOVEMENTS.query(queries, READ_MOVEMENT, [id, customer]);
  return row;
}

const READ_PENDING_OF = statement(
  'earning.read_pending_of',
  `SELECT ${MOVEMENTS.names} FROM earning.movement
   WHERE customer_id = $1 AND kind = 'normal' AND issued_at IS NULL ORDER BY number DESC LIMIT 20`,
);
export const readPendingMovements = (queries: Queries, customer: bigint) =>
  MOVEMENTS.query(queries, READ_PENDING_OF, [customer]);

const READ_DUE = statement(
  'earning.read_due_redemptions',
  `SELECT ${MOVEMENTS.names} FROM earning.movement
   WHERE kind = 'normal' AND issued_at IS NULL AND day < $1 ORDER BY day, number LIMIT $2`,
);
/** Normal redemptions requested before this day that are still held. */
export const readDueRedemptions = (queries: Queries, day: number, limit: number) =>
  MOVEMENTS.query(queries, READ_DUE, [day, limit]);

const ISSUE = statement(
  'earning.issue_redemptions',
  `UPDATE earning.movement m SET issued_at = clock_timestamp(), issued_journal = t.journal
   FROM unnest($1::uuid[], $2::uuid[]) AS t(id, journal) WHERE m.id = t.id AND m.issued_at IS NULL`,
);
export async function markRedemptionsIssued(
  queries: Queries,
  issued: readonly { readonly id: string; readonly journal: string }[],
): Promise<void> {
  await queries.query(ISSUE, [
    arrayLiteral(issued.map(({ id }) => id)),
    arrayLiteral(issued.map(({ journal }) => journal)),
  ]);
}

interface PositionRow extends LiquidityPosition {
  readonly customer_id: bigint;
}
const POSITIONS = table<PositionRow>({
  customer_id: bigint,
  day: integer,
  earning: bigint,
  leaving: bigint,
  fresh: bigint,
});
const READ_POSITION = statement(
  'earning.read_position',
  `SELECT ${POSITIONS.names} FROM earning.liquidity WHERE customer_id = $1`,
);
/** Undefined for a customer who never subscribed. */
export async function readLiquidityPosition(
  queries: Queries,
  customer: bigint,
): Promise<LiquidityPosition | undefined> {
  const [row] = await POSITIONS.query(queries, READ_POSITION, [customer]);
  return row;
}

const READ_PAST = statement(
  'earning.read_past_positions',
  `SELECT ${POSITIONS.names} FROM earning.liquidity_past WHERE customer_id = $1 AND day >= $2
   UNION ALL (SELECT ${POSITIONS.names} FROM earning.liquidity_past WHERE customer_id = $1 AND day < $2 ORDER BY day DESC LIMIT 1)
   ORDER BY day`,
);
/** The customer's positions at each day with a movement, from the last such day before `from`. */
export const readPastLiquidityPositions = (
  queries: Queries,
  customer: bigint,
  from: number,
): Promise<LiquidityPosition[]> => POSITIONS.query(queries, READ_PAST, [customer, from]);

const READ_QUICK = statement('earning.read_quick', 'SELECT quick FROM earning.day_total WHERE day = $1');
/** The total of quick redemptions on a day. */
export async function sumQuickRedemptions(queries: Queries, day: number): Promise<Money<'USDT'>> {
  const [row] = await queries.query<{ quick: bigint }>(READ_QUICK, [day]);
  return money('USDT', row?.quick ?? 0n);
}

const READ_COST = statement(
  'earning.read_liquidity_cost',
  `WITH last AS (SELECT day, units FROM earning.accrual WHERE product = 1 AND state <> 'counting' ORDER BY day DESC LIMIT 1),
     waiting AS (SELECT day, units FROM earning.accrual WHERE product = 1 AND state = 'waiting' ORDER BY day LIMIT 1)
   SELECT coalesce((SELECT units FROM last), 0)::text AS units,
     (SELECT coalesce(sum(subscribed), 0) FROM earning.day_total WHERE day >= coalesce((SELECT day FROM last), -2147483648))::text AS subscribed,
     (SELECT day FROM waiting) AS waiting_day, (SELECT units FROM waiting)::text AS waiting_units`,
);
export async function readLiquidityCost(queries: Queries): Promise<LiquidityCost> {
  const [row] = await queries.query<{
    units: string;
    subscribed: string;
    waiting_day: number | null;
    waiting_units: string | null;
  }>(READ_COST);
  if (row === undefined) throw new Error('a sum without a row');
  const { waiting_day: day, waiting_units: units } = row;
  return {
    lastDay: BigInt(row.units),
    subscribed: BigInt(row.subscribed),
    next: day === null ? null : { day, units: BigInt(units ?? 0) },
  };
}

type AccrualState = 'counting' | 'waiting' | 'paying' | 'paid';
export interface AccrualRow {
  readonly product: number;
  readonly day: number;
  readonly version: number | null;
  readonly state: AccrualState;
  readonly positions: bigint;
  readonly units: bigint;
  readonly chunks: number;
  readonly chunksPaid: number;
}
const ACCRUALS = table<AccrualRow>({
  product: integer,
  day: integer,
  version: nullable(integer),
  state: text<AccrualState>(),
  positions: bigint,
  units: numeric,
  chunks: integer,
  chunksPaid: named('chunks_paid', integer),
});
const READ_LAST_ACCRUAL = statement(
  'earning.read_last_accrual',
  `SELECT ${ACCRUALS.names} FROM earning.accrual WHERE product = $1 ORDER BY day DESC LIMIT 1`,
);
/** A product's days are paid in order, so the last one shows the progress. */
export async function readLastAccrual(queries: Queries, product: number): Promise<AccrualRow | undefined> {
  const [row] = await ACCRUALS.query(queries, READ_LAST_ACCRUAL, [product]);
  return row;
}

const FIRST_DAY = statement(
  'earning.read_first_day',
  `SELECT CASE WHEN $1 = 1 THEN (SELECT min(day) FROM earning.day_total)
     ELSE (SELECT min(start_day) FROM earning.lockup WHERE product = $1) END AS day`,
);
/** The first day for which the product may owe income; null if nobody has ever subscribed. */
export async function readFirstAccrualDay(queries: Queries, product: number): Promise<number | null> {
  const [row] = await queries.query<{ day: number | null }>(FIRST_DAY, [product]);
  return row?.day ?? null;
}

const OPEN_ACCRUAL = statement(
  'earning.open_accrual',
  `INSERT INTO earning.accrual (product, day, version, state) VALUES ($1, $2, $3, 'counting') ON CONFLICT DO NOTHING`,
);
export async function openAccrualDay(queries: Queries, product: number, day: number, version: number | null) {
  await queries.query(OPEN_ACCRUAL, [product, day, version]);
}

const COUNT_LIQUIDITY = statement(
  'earning.count_liquidity',
  'SELECT earning.count_liquidity($1::integer, $2::integer) AS done',
);
const COUNT_LOCKUP = statement(
  'earning.count_lockup',
  'SELECT earning.count_lockup($1::smallint, $2::integer, $3::integer) AS done',
);
/** Counts the income of up to `limit` more positions. Returns true when all are counted. */
export async function countIncomeChunk(
  queries: Queries,
  product: number,
  day: number,
  limit: number,
): Promise<boolean> {
  const [row] = await (product === LIQUIDITY_PRODUCT
    ? queries.query<{ done: boolean }>(COUNT_LIQUIDITY, [day, limit])
    : queries.query<{ done: boolean }>(COUNT_LOCKUP, [product, day, limit]));
  return row?.done ?? false;
}

const BEGIN_PAYING = statement(
  'earning.begin_paying',
  'SELECT earning.begin_paying($1::integer, $2::numeric, $3::uuid)',
);
/** Throws unless the day waits for the payment of exactly these units. */
export async function beginPayingDay(
  queries: Queries,
  day: number,
  units: bigint,
  journal: string | null,
): Promise<void> {
  await queries.query(BEGIN_PAYING, [day, units, journal]);
}

const PAY_CHUNK = statement(
  'earning.pay_chunk',
  'SELECT earning.pay_chunk($1::smallint, $2::integer, $3::text)::text[] AS customers',
);
/** Returns the customers that were paid; null once the whole day is paid. */
export async function payIncomeChunk(
  queries: Queries,
  product: number,
  day: number,
  kind: string,
): Promise<Set<bigint> | null> {
  const [row] = await queries.query<{ customers: string[] | null }>(PAY_CHUNK, [product, day, kind]);
  return row?.customers ? new Set(row.customers.map(BigInt)) : null;
}

export interface IncomeRow {
  readonly product: number;
  readonly day: number;
  readonly position: bigint;
  readonly base: bigint;
  readonly carryBefore: bigint;
  readonly carryAfter: bigint;
  readonly units: bigint;
  readonly totalAfter: bigint;
  readonly chunk: number;
  readonly leg: number | null;
  readonly isPaid: boolean;
  readonly journal: string;
  readonly version: number | null;
}
const INCOMES = table<IncomeRow>({
  product: integer,
  day: integer,
  position: bigint,
  base: bigint,
  carryBefore: named('carry_before', bigint),
  carryAfter: named('carry_after', bigint),
  units: bigint,
  totalAfter: named('total_after', bigint),
  chunk: integer,
  leg: nullable(integer),
  isPaid: column.named('is_paid', column.computed('a.chunks_paid >= i.chunk', column.boolean)),
  journal: column.computed('c.journal', uuid),
  version: column.computed('a.version', nullable(integer)),
});
const INCOME_NAMES = `i.product, i.day, i.position, i.base, i.carry_before, i.carry_after, i.units, i.total_after, i.chunk, i.leg,
  a.chunks_paid >= i.chunk AS is_paid, c.journal, a.version`;
const INCOME_OF = `earning.income i JOIN earning.accrual a ON a.product = i.product AND a.day = i.day
  JOIN earning.chunk c ON c.product = i.product AND c.day = i.day AND c.chunk = i.chunk`;
const READ_INCOMES = statement(
  'earning.read_incomes',
  `SELECT ${INCOME_NAMES} FROM generate_series($3::integer, $4::integer) AS d(day)
   JOIN ${INCOME_OF} ON i.product = $1 AND i.day = d.day AND i.position = $2 ORDER BY i.day DESC`,
);
/** Income of one position from one day to another, both inclusive, newest first. One index lookup per day. */
export const readIncomes = (
  queries: Queries,
  product: number,
  position: bigint,
  from: number,
  to: number,
): Promise<IncomeRow[]> => INCOMES.query(queries, READ_INCOMES, [product, position, from, to]);

interface LiquidityRemainder {
  readonly day: number;
  readonly carry: bigint;
  readonly total: bigint;
}
const REST = table<LiquidityRemainder>({ day: integer, carry: bigint, total: bigint });
const READ_REST = statement(
  'earning.read_rest',
  `SELECT ${REST.names} FROM earning.rest WHERE customer_id = $1 AND day <= $2 ORDER BY day DESC LIMIT 1`,
);
/** The remainder of the customer's liquidity when it last stopped earning. */
export async function readLiquidityRemainder(
  queries: Queries,
  customer: bigint,
  day: number,
): Promise<LiquidityRemainder | undefined> {
  const [row] = await REST.query(queries, READ_REST, [customer, day]);
  return row;
}

const READ_DAYS_PAID = statement(
  'earning.read_days_paid',
  `SELECT l.number, count(*) FILTER (WHERE a.chunks_paid >= i.chunk)::integer AS days
   FROM unnest($1::smallint[], $2::bigint[], $3::integer[], $4::integer[]) AS l(product, number, start_day, end_day)
   CROSS JOIN LATERAL generate_series(l.start_day, l.end_day - 1) AS d(day)
   JOIN earning.income i ON i.product = l.product AND i.day = d.day AND i.position = l.number
   JOIN earning.accrual a ON a.product = i.product AND a.day = i.day GROUP BY l.number`,
);
/** How many days of each order have been credited. */
export async function readLockupDaysPaid(
  queries: Queries,
  orders: readonly StoredLockup[],
): Promise<Map<bigint, number>> {
  const open = orders.filter(({ matured_at }) => matured_at === null);
  const paid = new Map(orders.map(({ number, days }) => [number, days]));
  for (const { number } of open) paid.set(number, 0);
  const rows = await queries.query<{ number: bigint; days: number }>(READ_DAYS_PAID, [
    arrayLiteral(open.map(({ product }) => product)),
    arrayLiteral(open.map(({ number }) => number)),
    arrayLiteral(open.map(({ start_day }) => start_day)),
    arrayLiteral(open.map(({ end_day }) => end_day)),
  ]);
  for (const { number, days } of rows) paid.set(number, days);
  return paid;
}

const READ_MOVED = statement(
  'earning.read_moved',
  `SELECT coalesce(sum(units) FILTER (WHERE kind = 'subscription'), 0)::text AS subscribed,
     coalesce(sum(units) FILTER (WHERE kind <> 'subscription'), 0)::text AS redeemed
   FROM earning.movement WHERE customer_id = $1 AND day = $2`,
);
/** Sums of the customer's movements on a day. */
export async function readMovedOnDay(
  queries: Queries,
  customer: bigint,
  day: number,
): Promise<Record<'subscribed' | 'redeemed', Money<'USDT'>>> {
  const [row] = await queries.query<{ subscribed: string; redeemed: string }>(READ_MOVED, [customer, day]);
  const of = (units = '0'): Money<'USDT'> => money('USDT', BigInt(units));
  return { subscribed: of(row?.subscribed), redeemed: of(row?.redeemed) };
}

const HOLDERS = {
  lockup: statement(
    'earning.list_lockup_holders',
    `SELECT DISTINCT customer_id FROM earning.lockup
     WHERE product = $1 AND matured_at IS NULL AND customer_id > $2 ORDER BY customer_id LIMIT $3`,
  ),
  liquidity: statement(
    'earning.list_liquidity_holders',
    `SELECT customer_id FROM earning.liquidity
     WHERE $1::integer = 1 AND earning - leaving + fresh > 0 AND customer_id > $2 ORDER BY customer_id LIMIT $3`,
  ),
};
/** Customers with a balance in the product, by id. */
export async function listProductHolders(
  queries: Queries,
  product: number,
  after: bigint,
  limit: number,
): Promise<bigint[]> {
  const list = product === LIQUIDITY_PRODUCT ? HOLDERS.liquidity : HOLDERS.lockup;
  return (await queries.query<{ customer_id: bigint }>(list, [product, after, limit])).map(({ customer_id: id }) => id);
}

const LIQUIDITY_TOTAL = statement(
  'earning.read_liquidity_total',
  'SELECT coalesce(sum(earning - leaving + fresh), 0)::text AS units FROM earning.liquidity',
);
export async function readLiquidityTotal(queries: Queries): Promise<bigint> {
  const [row] = await queries.query<{ units: string }>(LIQUIDITY_TOTAL);
  return BigInt(row?.units ?? 0);
}

const OPEN_BY_VERSION = statement(
  'earning.read_open_by_version',
  `SELECT v.approval, count(l.number) AS orders, coalesce(sum(l.principal), 0)::text AS units, coalesce(sum(l.yield), 0)::text AS reserved,
     max(l.end_day) AS last_end
   FROM earning.version v JOIN earning.lockup l ON l.product = v.product AND l.version = v.version AND l.matured_at IS NULL
   WHERE v.product = $1 GROUP BY v.version, v.approval ORDER BY v.version DESC`,
);
/** Open lock-ups under each version of their terms. */
export function readLockupsByVersion(queries: Queries, product: number) {
  return queries.query<{
    approval: string | null;
    orders: bigint;
    units: string;
    reserved: string;
    last_end: number | null;
  }>(OPEN_BY_VERSION, [product]);
}

const NEWEST_ACCRUALS = statement(
  'earning.read_newest_accruals',
  `SELECT DISTINCT ON (product) ${ACCRUALS.names} FROM earning.accrual ORDER BY product, day DESC`,
);
/** The newest day of each product. */
export const readNewestAccruals = (queries: Queries) => ACCRUALS.query(queries, NEWEST_ACCRUALS);
