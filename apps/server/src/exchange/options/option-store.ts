import type { OptionStatus, PriceOrigin } from '@sathorn/api';
import { type CoinCode, type Money, type Price, rateFromBasisPoints, zero } from '@sathorn/money';
import type { OptionReceipt, SignedText } from '@sathorn/proof';
import type { OptionOffer, OptionSettlement, SettledOption, SoldOption } from '@sathorn/settlement';
import { arrayLiteral, column, type Queries, statement, table } from '../../platform/database/index.ts';

/** The part of an order that its purchase fixes. */
export interface BoughtOption {
  readonly id: string;
  readonly customer_id: bigint;
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  readonly stake: Money<'USDT'>;
  readonly payout_bps: number;
  readonly fee_bps: number;
  readonly promised: Money<'USDT'>;
  readonly accepted_ms: bigint;
  readonly duration_ms: number;
  readonly ends_ms: bigint;
  readonly origin: PriceOrigin;
  /** The terms of selling; all null for an option that can't be sold. */
  readonly sell_vol_bps: number | null;
  readonly sell_band_bps: number | null;
  readonly sell_spread_bps: number | null;
  readonly sell_closed_ms: number | null;
}

/** An order with the hold of its money in the ledger. */
export interface HeldOption extends BoughtOption {
  readonly stake_hold: bigint;
  readonly promised_hold: bigint;
}

/** The result of an order; all null while it is holding. */
export interface OptionResult {
  readonly status: OptionStatus;
  readonly reason: 'no_start_tick' | 'no_end_tick' | null;
  readonly start_sequence: bigint | null;
  readonly start_price: Price | null;
  readonly end_sequence: bigint | null;
  readonly end_price: Price | null;
  readonly profit: Money<'USDT'> | null;
  readonly fee: Money<'USDT'> | null;
  readonly credited: Money<'USDT'> | null;
  /** How late the start and end tick were published, in ms; 0 if on time. */
  readonly start_late_ms: number;
  readonly end_late_ms: number;
  readonly settled_ms: bigint | null;
  /** When its customer had it void; null if that did not happen. */
  readonly voided_at: Date | null;
}

export interface OptionRow extends HeldOption, OptionResult {
  readonly journal: string | null;
  readonly terms_tree: string;
  readonly terms_index: number;
  readonly is_disputed: boolean;
  /** The transfer that returned the stake of an order that its customer had void. */
  readonly voiding: bigint | null;
}

interface VoidingRow {
  readonly order_id: string;
  readonly customer_id: bigint;
  readonly units: Money<'USDT'>;
  readonly journal: string;
  readonly transfer: bigint;
}

export interface TermsTreeRow {
  readonly id: string;
  readonly bodies: readonly string[];
  readonly head: SignedText;
}

export interface OptionOfferRow {
  readonly coin: CoinCode;
  readonly seconds: number;
  readonly effectiveFrom: Date;
  readonly isOffered: boolean;
  readonly payoutBasisPoints: number;
  readonly feeBasisPoints: number;
  readonly offer: OptionOffer;
}

export interface ExposureRow {
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  readonly window_ms: bigint;
  readonly promised: Money<'USDT'>;
}

const { bigint, integer, uuid, text, nullable } = column;
const usdt = column.money('USDT');
const BOUGHT = {
  id: uuid,
  customer_id: bigint,
  coin: text<CoinCode>(),
  direction: text<'up' | 'down'>(),
  stake: usdt,
  payout_bps: integer,
  fee_bps: integer,
  promised: usdt,
  accepted_ms: bigint,
  duration_ms: integer,
  ends_ms: bigint,
  origin: text<PriceOrigin>(),
  sell_vol_bps: nullable(integer),
  sell_band_bps: nullable(integer),
  sell_spread_bps: nullable(integer),
  sell_closed_ms: nullable(integer),
};
const HELD = { ...BOUGHT, stake_hold: bigint, promised_hold: bigint };
const PLACE = { terms_tree: uuid, terms_index: integer };
const HELD_OPTIONS = table<HeldOption>(HELD);
const NEW_OPTIONS = table<NewOptionRow>({ ...HELD, ...PLACE, waited_ms: integer });
const OPTIONS = table<OptionRow>({
  ...HELD,
  ...PLACE,
  status: text(),
  reason: nullable(text()),
  start_sequence: nullable(bigint),
  start_price: nullable(column.price),
  end_sequence: nullable(bigint),
  end_price: nullable(column.price),
  profit: nullable(usdt),
  fee: nullable(usdt),
  credited: nullable(usdt),
  start_late_ms: integer,
  end_late_ms: integer,
  settled_ms: nullable(bigint),
  voided_at: column.computed('(SELECT v.at FROM options.voiding v WHERE v.order_id = o.id)', nullable(column.time)),
  voiding: column.computed('(SELECT v.transfer FROM options.voiding v WHERE v.order_id = o.id)', nullable(bigint)),
  journal: nullable(uuid),
  is_disputed: column.computed(
    "EXISTS (SELECT FROM options.dispute d WHERE d.order_id = o.id AND d.state = 'open')",
    column.boolean,
  ),
});
const VOID_OPTIONS = OPTIONS.only('id', 'customer_id', 'coin', 'stake', 'ends_ms');
const EXPOSURES = table<ExposureRow>({
  coin: text(),
  direction: text(),
  window_ms: bigint,
  promised: usdt,
});

/** The columns of the offers. */
const TERMS = table<Omit<OptionOfferRow, 'offer'> & Omit<OptionOffer, 'payout' | 'feeRate'>>({
  coin: text(),
  seconds: integer,
  effectiveFrom: column.time,
  isOffered: column.named('offered', column.boolean),
  payoutBasisPoints: column.named('payout_bps', integer),
  feeBasisPoints: column.named('fee_bps', integer),
  stakeMin: usdt,
  stakeMax: usdt,
  windowExposureMax: usdt,
  coinExposureMax: usdt,
});
const READ_TERMS = statement(
  'options.read_terms',
  `SELECT ${TERMS.names} FROM options.terms ORDER BY coin, seconds, effective_from`,
);

/** All past, current and future offers, oldest first within a coin and duration. */
export async function readOptionOffers(queries: Queries): Promise<OptionOfferRow[]> {
  const rows = await TERMS.query(queries, READ_TERMS);
  return rows.map(({ coin, seconds, effectiveFrom, isOffered, payoutBasisPoints, feeBasisPoints, ...limits }) => ({
    coin,
    seconds,
    effectiveFrom,
    isOffered,
    payoutBasisPoints,
    feeBasisPoints,
    offer: {
      ...limits,
      payout: rateFromBasisPoints(BigInt(payoutBasisPoints)),
      feeRate: rateFromBasisPoints(BigInt(feeBasisPoints)),
    },
  }));
}

/** Terms of selling for a coin, from a moment on. */
export interface SaleTermsRow {
  readonly coin: CoinCode;
  readonly effectiveFrom: Date;
  readonly isOffered: boolean;
  readonly sell_vol_bps: number;
  readonly sell_band_bps: number;
  readonly sell_spread_bps: number;
  readonly sell_closed_ms: number;
}
const SALE_TERMS = table<SaleTermsRow>({
  coin: text(),
  effectiveFrom: column.time,
  isOffered: column.named('offered', column.boolean),
  sell_vol_bps: column.named('vol_bps', integer),
  sell_band_bps: column.named('band_bps', integer),
  sell_spread_bps: column.named('spread_bps', integer),
  sell_closed_ms: column.named('closed_ms', integer),
});
const READ_SALE_TERMS = statement(
  'options.read_sale_terms',
  `SELECT ${SALE_TERMS.names} FROM options.sale_terms ORDER BY coin, effective_from`,
);
/** All past, current and future terms of selling, oldest first within a coin. */
export const readSaleTerms = (queries: Queries): Promise<SaleTermsRow[]> => SALE_TERMS.query(queries, READ_SALE_TERMS);

const REFUSE_OVERTAKEN = statement(
  'options.refuse_overtaken',
  'SELECT options.refuse_overtaken($1::bigint, $2::text[], $3::bigint[])',
);

/** The database rejects the transaction if offers were added, or if a coin has a tick after its acceptance time. */
export async function refuseOvertakenPurchases(
  queries: Queries,
  offers: number,
  acceptedMs: ReadonlyMap<CoinCode, number>,
): Promise<void> {
  await queries.query(REFUSE_OVERTAKEN, [
    offers,
    arrayLiteral([...acceptedMs.keys()]),
    arrayLiteral([...acceptedMs.values()]),
  ]);
}

const READ_EXPOSURE = statement(
  'options.read_exposure',
  `SELECT ${EXPOSURES.names} FROM options.exposure WHERE coin = ANY ($1::text[])`,
);

export const readExposures = (queries: Queries, coins: readonly CoinCode[]): Promise<ExposureRow[]> =>
  EXPOSURES.query(queries, READ_EXPOSURE, [arrayLiteral(coins)]);

const RAISE_EXPOSURE = statement(
  'options.raise_exposure',
  `${EXPOSURES.insertInto('options.exposure AS e')}
   ON CONFLICT (coin, direction, window_ms) DO UPDATE SET promised = e.promised + excluded.promised`,
);
const LOWER_EXPOSURE = statement(
  'options.lower_exposure',
  `UPDATE options.exposure e SET promised = e.promised - less.promised
   FROM unnest(${EXPOSURES.arrays}) AS less(${EXPOSURES.names})
   WHERE (e.coin, e.direction, e.window_ms) = (less.coin, less.direction, less.window_ms)`,
);
const DROP_EXPOSURE = statement('options.drop_exposure', 'DELETE FROM options.exposure WHERE promised = 0');

/** Adds to the exposure, one row per window. Call it only under the ledger's lock. */
export async function raiseExposure(queries: Queries, rows: readonly ExposureRow[]): Promise<void> {
  await queries.query(RAISE_EXPOSURE, EXPOSURES.values(rows));
}

export async function lowerExposure(queries: Queries, rows: readonly ExposureRow[]): Promise<void> {
  await Promise.all([queries.query(LOWER_EXPOSURE, EXPOSURES.values(rows)), queries.query(DROP_EXPOSURE)]);
}

const INSERT_TREE = statement(
  'options.insert_terms_tree',
  'INSERT INTO options.terms_tree (id, bodies, head, hash, signature, key) VALUES ($1, $2, $3, $4, $5, $6)',
);

/** A plain text parameter needs no escaping. For these long texts escaping costs more than separate statements. */
export async function insertTermsTree(queries: Queries, { id, bodies, head }: TermsTreeRow): Promise<void> {
  await queries.query(INSERT_TREE, [id, bodies.join('\n'), head.body, head.hash, head.signature, head.key]);
}

const READ_TREES = statement(
  'options.read_terms_trees',
  'SELECT id, bodies, head, hash, signature, key FROM options.terms_tree WHERE id = ANY ($1::uuid[])',
);

export async function readTermsTrees(queries: Queries, ids: readonly string[]): Promise<Map<string, TermsTreeRow>> {
  const rows = await queries.query<{
    id: string;
    bodies: string;
    head: string;
    hash: string;
    signature: string;
    key: string;
  }>(READ_TREES, [arrayLiteral([...new Set(ids)])]);
  return new Map(
    rows.map(({ id, bodies, head: body, hash, signature, key }) => [
      id,
      { id, bodies: bodies.split('\n'), head: { body, hash, signature, key } },
    ]),
  );
}

export async function readTermsTree(queries: Queries, id: string): Promise<TermsTreeRow | undefined> {
  return (await readTermsTrees(queries, [id])).get(id);
}

const INSERT_ORDERS = statement('options.insert_orders', NEW_OPTIONS.insertInto('options.orders'));

interface NewOptionRow extends HeldOption {
  readonly terms_tree: string;
  readonly terms_index: number;
  /** From arrival to acceptance. */
  readonly waited_ms: number;
}

export async function insertOptionOrders(queries: Queries, rows: readonly NewOptionRow[]): Promise<void> {
  await queries.query(INSERT_ORDERS, NEW_OPTIONS.values(rows));
}

// Reads the time up to which no further tick can appear, even without a later one: the database accepts no tick older
// than a minute (market.link_tick), and waits for one that is being written (options.check_void).
const READ_QUIET = statement(
  'options.read_quiet_until',
  "SELECT (extract(epoch FROM clock_timestamp() - interval '66 seconds') * 1000)::bigint AS quiet_ms",
);

/**
 * Returns a time of the database's clock, in ms, before which no more ticks can appear. Orders that ended by then are
 * decided by the existing ticks.
 */
export async function readTickWatermark(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ quiet_ms: bigint }>(READ_QUIET);
  if (row === undefined) throw new Error('the database did not return its time');
  return Number(row.quiet_ms);
}

const READ_DUE = statement(
  'options.read_due',
  `SELECT ${HELD_OPTIONS.names} FROM options.orders o
   WHERE o.status = 'holding' AND o.coin = $1 AND o.ends_ms < $2 AND (o.ends_ms, o.stake_hold) > ($3, $4)
   ORDER BY o.ends_ms, o.stake_hold LIMIT $5`,
);

const COUNT_ENDED = statement(
  'options.count_ended',
  `SELECT count(*)::integer AS n FROM options.orders WHERE status = 'holding' AND coin = ANY($1::text[]) AND ends_ms < $2`,
);
/** Open orders that ended before this time. */
export async function countUnsettledOrders(
  queries: Queries,
  coins: readonly CoinCode[],
  beforeMs: number,
): Promise<number> {
  const [row] = await queries.query<{ n: number }>(COUNT_ENDED, [coins, beforeMs]);
  return row?.n ?? 0;
}

const READ_COINS_DUE = statement(
  'options.read_coins_due',
  `SELECT due.coin FROM unnest($1::text[], $2::bigint[]) AS due(coin, until_ms) WHERE EXISTS (
     SELECT FROM options.orders o WHERE o.status = 'holding' AND o.coin = due.coin AND o.ends_ms < due.until_ms)`,
);

/**
 * Open orders that ended before their coin's `untilMs`, in pages of `size`; coin by coin, earliest first. None is
 * returned twice, whatever is settled in the meantime.
 */
export async function* readDueOrders(
  queries: Queries,
  decided: ReadonlyMap<CoinCode, number>,
  size: number,
): AsyncGenerator<readonly HeldOption[]> {
  let page: HeldOption[] = [];
  // Runs at each tick, and nearly always finds nothing due, so one statement serves all coins.
  const due = await queries.query<{ coin: CoinCode }>(READ_COINS_DUE, [
    arrayLiteral([...decided.keys()]),
    arrayLiteral([...decided.values()]),
  ]);
  for (const { coin } of due) {
    const untilMs = decided.get(coin) ?? 0;
    let after: Pick<HeldOption, 'ends_ms' | 'stake_hold'> | undefined = { ends_ms: 0n, stake_hold: 0n };
    while (after !== undefined) {
      const wanted: number = size - page.length;
      const cursor = [after.ends_ms, after.stake_hold];
      const rows: HeldOption[] = await HELD_OPTIONS.query(queries, READ_DUE, [coin, untilMs, ...cursor, wanted]);
      after = rows.length === wanted ? rows.at(-1) : undefined;
      page = page.length === 0 ? rows : [...page, ...rows];
      if (page.length < size) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

const SETTLE = statement(
  'options.settle_orders',
  `SELECT options.settle_orders($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
     $10::bigint[], $11::integer[], $12::integer[], $13::bigint, $14::uuid) AS settled`,
);
const READ_SETTLED = statement(
  'options.read_settled',
  'SELECT id FROM options.orders WHERE id = ANY ($1::uuid[]) AND journal = $2::uuid',
);

/** Settles those of the orders that are still holding, and returns them. */
export async function settleOptionOrders(
  queries: Queries,
  orders: readonly { readonly order: HeldOption; readonly settlement: OptionSettlement }[],
  journal: string,
  now: Date,
): Promise<ReadonlySet<string>> {
  const ids = orders.map(({ order }) => order.id);
  const column = (pick: (settlement: OptionSettlement) => bigint | number | string | null): string =>
    arrayLiteral(orders.map(({ settlement }) => pick(settlement)));
  const [row] = await queries.query<{ settled: bigint }>(SETTLE, [
    arrayLiteral(ids),
    column(({ outcome }) => outcome),
    column(({ reason }) => reason),
    column(({ start }) => start?.sequence ?? null),
    column(({ start }) => start?.price ?? null),
    column(({ end }) => end?.sequence ?? null),
    column(({ end }) => end?.price ?? null),
    column(({ profit }) => profit.units),
    column(({ fee }) => fee.units),
    column(({ credited }) => credited.units),
    column(({ start }) => start?.lateMs ?? 0),
    column(({ end }) => end?.lateMs ?? 0),
    now.getTime(),
    journal,
  ]);
  return row?.settled === BigInt(ids.length) ? new Set(ids) : readSettledOrderIds(queries, ids, journal);
}

const LOCK_HOLDING = statement(
  'options.lock_holding',
  "SELECT id FROM options.orders WHERE id = ANY ($1::uuid[]) AND status = 'holding' FOR NO KEY UPDATE SKIP LOCKED",
);

/**
 * Locks those of the orders that are still open. An order that a settlement has locked is left out: the settlement
 * waits for the ledger's lock, which the caller holds.
 */
export async function lockHoldingOptions(queries: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queries.query<{ id: string }>(LOCK_HOLDING, [arrayLiteral(ids)]);
  return new Set(rows.map(({ id }) => id));
}

const SELL = statement(
  'options.sell_orders',
  `SELECT options.sell_orders($1::uuid[], $2::bigint[], $3::bigint[], $4::integer[], $5::bigint[], $6::bigint[], $7::integer[], $8::bigint[],
     $9::bigint, $10::uuid[])`,
);

/** Writes sales; fails unless each order is still open. */
export async function sellOptionOrders(
  queries: Queries,
  sales: readonly { readonly order: string; readonly sold: SoldOption; readonly journal: string }[],
  now: Date,
): Promise<void> {
  const of = (pick: (sold: SoldOption) => bigint | number): string => arrayLiteral(sales.map(({ sold }) => pick(sold)));
  await queries.query(SELL, [
    arrayLiteral(sales.map(({ order }) => order)),
    of(({ start }) => start.sequence),
    of(({ start }) => start.price),
    of(({ start }) => start.lateMs ?? 0),
    of(({ end }) => end.sequence),
    of(({ end }) => end.price),
    of(({ end }) => end.lateMs ?? 0),
    of(({ credited }) => credited.units),
    now.getTime(),
    arrayLiteral(sales.map(({ journal }) => journal)),
  ]);
}

/** Returns those of the orders that this journal settled. */
export async function readSettledOrderIds(
  queries: Queries,
  ids: readonly string[],
  journal: string,
): Promise<ReadonlySet<string>> {
  const settled = await queries.query<{ id: string }>(READ_SETTLED, [arrayLiteral(ids), journal]);
  return new Set(settled.map(({ id }) => id));
}

const VOIDED_SINCE = statement(
  'options.voided_since',
  `SELECT ${VOID_OPTIONS.names} FROM options.orders WHERE status = 'void' AND settled_ms >= $1`,
);

export type VoidOption = Pick<BoughtOption, 'id' | 'customer_id' | 'coin' | 'stake' | 'ends_ms'>;

export function readVoidedSince(queries: Queries, sinceMs: number): Promise<VoidOption[]> {
  return VOID_OPTIONS.query(queries, VOIDED_SINCE, [sinceMs]);
}

const READ_ORDER = statement(
  'options.read_order',
  `SELECT ${OPTIONS.names} FROM options.orders o WHERE id = $1 AND customer_id = $2`,
);

const READ_ORDERS = statement(
  'options.read_orders',
  `SELECT ${OPTIONS.names} FROM options.orders o WHERE id = ANY ($1::uuid[])`,
);

export const readOptionOrders = (queries: Queries, ids: readonly string[]): Promise<OptionRow[]> =>
  OPTIONS.query(queries, READ_ORDERS, [arrayLiteral(ids)]);

/** Another customer's order gets the same answer as one that does not exist. */
export async function readOptionOrder(queries: Queries, id: string, customer: bigint): Promise<OptionRow | undefined> {
  const [row] = await OPTIONS.query(queries, READ_ORDER, [id, customer]);
  return row;
}

const VOIDINGS = table<VoidingRow>({
  order_id: uuid,
  customer_id: bigint,
  units: usdt,
  journal: uuid,
  transfer: bigint,
});
const INSERT_VOIDINGS = statement('options.insert_voidings', VOIDINGS.insertInto('options.voiding'));

export async function insertVoidings(queries: Queries, rows: readonly VoidingRow[]): Promise<void> {
  await queries.query(INSERT_VOIDINGS, VOIDINGS.values(rows));
}

interface VoidableRow {
  readonly id: string;
  readonly customer_id: bigint;
  readonly status: OptionStatus;
  readonly stake: Money<'USDT'>;
  readonly fee: Money<'USDT'> | null;
  readonly start_late_ms: number;
  readonly end_late_ms: number;
  readonly settled_ms: bigint | null;
  readonly is_voided: boolean;
  readonly is_corrected: boolean;
}
const VOIDABLE = table<VoidableRow>({
  id: uuid,
  customer_id: bigint,
  status: text(),
  stake: usdt,
  fee: nullable(usdt),
  start_late_ms: integer,
  end_late_ms: integer,
  settled_ms: nullable(bigint),
  is_voided: column.computed('EXISTS (SELECT FROM options.voiding v WHERE v.order_id = o.id)', column.boolean),
  is_corrected: column.computed('options.is_stake_corrected(o.stake_hold)', column.boolean),
});
const READ_VOIDABLE = statement(
  'options.read_voidable',
  `SELECT ${VOIDABLE.names} FROM options.orders o WHERE id = ANY ($1::uuid[])`,
);

/** Reads the facts from which `decideVoid` decides about these orders. */
export async function readVoidable(
  queries: Queries,
  ids: readonly string[],
): Promise<(SettledOption & { readonly id: string; readonly customer: bigint })[]> {
  const rows = await VOIDABLE.query(queries, READ_VOIDABLE, [arrayLiteral(ids)]);
  return rows.map((row) => ({
    id: row.id,
    customer: row.customer_id,
    status: row.status,
    stake: row.stake,
    fee: row.fee ?? zero('USDT'),
    startLateMs: row.start_late_ms,
    endLateMs: row.end_late_ms,
    settledMs: row.settled_ms === null ? null : Number(row.settled_ms),
    isVoided: row.is_voided,
    isCorrected: row.is_corrected,
  }));
}

const LIST_ORDERS = statement(
  'options.list_orders',
  `SELECT ${OPTIONS.names} FROM options.orders o
   WHERE customer_id = $1 AND (status = 'holding') = $2 AND ($3::text IS NULL OR coin = $3)
     AND ($4::bigint IS NULL OR (accepted_ms, id) < ($4, $5::uuid))
   ORDER BY accepted_ms DESC, id DESC LIMIT $6 OFFSET $7`,
);

export interface OptionCursor {
  readonly acceptedMs: bigint;
  readonly id: string;
}

/** Newest first, after the cursor and without the first `skip` rows. */
export function listOptionOrders(
  queries: Queries,
  customer: bigint,
  which: {
    readonly isHolding: boolean;
    readonly coin: CoinCode | null;
    readonly after: OptionCursor | null;
    readonly skip: number;
    readonly limit: number;
  },
): Promise<OptionRow[]> {
  const { isHolding, coin, after, skip, limit } = which;
  return OPTIONS.query(queries, LIST_ORDERS, [
    customer,
    isHolding,
    coin,
    after?.acceptedMs ?? null,
    after?.id ?? null,
    limit,
    skip,
  ]);
}

const READ_TOTALS = statement(
  'options.read_totals',
  `SELECT count(*) FILTER (WHERE status = 'holding') AS holding,
     coalesce(sum(stake) FILTER (WHERE status IN ('holding', 'won', 'lost', 'sold')), 0) AS staked,
     count(*) FILTER (WHERE status = 'won') AS won, count(*) FILTER (WHERE status = 'lost') AS lost,
     coalesce(sum(profit - fee + coalesce(v.units, 0)), 0) AS profit,
     coalesce(sum(profit - fee + coalesce(v.units, 0)) FILTER (
       WHERE settled_ms >= extract(epoch FROM date_trunc('day', $2::timestamptz, $3)) * 1000), 0) AS today
   FROM options.orders o LEFT JOIN options.voiding v ON v.order_id = o.id WHERE o.customer_id = $1`,
);

interface OptionTotals {
  readonly holding: number;
  readonly staked: Money<'USDT'>;
  readonly won: number;
  readonly lost: number;
  readonly profit: Money<'USDT'>;
  readonly today: Money<'USDT'>;
}
const TOTALS = table<OptionTotals>({
  holding: column.number,
  staked: usdt,
  won: column.number,
  lost: column.number,
  profit: usdt,
  today: usdt,
});

/** `today` starts at midnight in the time zone. */
export async function sumOptionTotals(
  queries: Queries,
  customer: bigint,
  now: Date,
  timeZone: string,
): Promise<OptionTotals> {
  const [row] = await TOTALS.query(queries, READ_TOTALS, [customer, now, timeZone]);
  if (row === undefined) throw new Error('totals without a row');
  return row;
}

interface Win {
  readonly customer_id: bigint;
  readonly coin: CoinCode;
  readonly gain: Money<'USDT'>;
  readonly settled_ms: bigint;
}
const WINS = table<Win>({
  customer_id: bigint,
  coin: text(),
  gain: column.computed('profit - fee', usdt),
  settled_ms: bigint,
});
const LIST_WINS = statement(
  'options.list_wins',
  `SELECT ${WINS.names} FROM options.orders
   WHERE status = 'won' AND settled_ms >= $1 ORDER BY settled_ms DESC LIMIT $2`,
);

export const listWins = (queries: Queries, sinceMs: number, limit: number): Promise<Win[]> =>
  WINS.query(queries, LIST_WINS, [sinceMs, limit]);

const INSERT_DISPUTE = statement(
  'options.insert_dispute',
  `INSERT INTO options.dispute (id, order_id, customer_id, reason, receipt, opened_at, deadline) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (order_id) WHERE state = 'open' DO NOTHING RETURNING id`,
);

/** False if a dispute is already open. */
export async function insertOptionDispute(
  queries: Queries,
  dispute: {
    id: string;
    order: string;
    customer: bigint;
    reason: string;
    receipt: OptionReceipt;
    openedAt: Date;
    deadline: Date;
  },
): Promise<boolean> {
  const { id, order, customer, reason, receipt, openedAt, deadline } = dispute;
  const rows = await queries.query(INSERT_DISPUTE, [
    id,
    order,
    customer,
    reason,
    JSON.stringify(receipt),
    openedAt,
    deadline,
  ]);
  return rows.length === 1;
}

const READ_OPEN_DISPUTE = statement(
  'options.read_open_dispute',
  "SELECT id, deadline FROM options.dispute WHERE order_id = $1 AND state = 'open' AND reason = $2",
);

export interface OptionDisputeRow {
  readonly id: string;
  readonly deadline: Date;
}

export async function readOpenOptionDispute(
  queries: Queries,
  order: string,
  reason: string,
): Promise<OptionDisputeRow | undefined> {
  const [row] = await queries.query<OptionDisputeRow>(READ_OPEN_DISPUTE, [order, reason]);
  return row;
}
