import type { OptionStatus, PriceOrigin } from '@sathorn/api';
import { type CoinCode, money, rateFromBasisPoints } from '@sathorn/money';
import type { OptionReceipt, SignedText } from '@sathorn/proof';
import type { OptionOffer, OptionSettlement } from '@sathorn/settlement';
import { plainArray, type Queries, statement } from '../database/index.ts';

/** What was bought; never changes. */
export interface BoughtOption {
  readonly id: string;
  readonly customer_id: bigint;
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  readonly stake: bigint;
  readonly payout_bps: number;
  readonly fee_bps: number;
  readonly promised: bigint;
  readonly accepted_ms: bigint;
  readonly duration_ms: number;
  readonly ends_ms: bigint;
  readonly origin: PriceOrigin;
}

/** Where the ledger holds the money of an order. */
export interface HeldOption extends BoughtOption {
  readonly stake_hold: bigint;
  readonly promised_hold: bigint;
}

/** What it ended as; all null while it is holding. */
export interface OptionResult {
  readonly status: OptionStatus;
  readonly reason: 'no_start_tick' | 'no_end_tick' | null;
  readonly start_sequence: bigint | null;
  readonly start_price: bigint | null;
  readonly end_sequence: bigint | null;
  readonly end_price: bigint | null;
  readonly profit: bigint | null;
  readonly fee: bigint | null;
  readonly credited: bigint | null;
}

export interface OptionRow extends HeldOption, OptionResult {
  readonly journal: string | null;
  readonly terms_tree: string;
  readonly terms_index: number;
  readonly is_disputed: boolean;
}

export interface TermsTreeRow {
  readonly id: string;
  readonly bodies: readonly string[];
  readonly head: SignedText;
}

export interface OfferRow {
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
  readonly promised: bigint;
}

const BOUGHT =
  'id, customer_id, coin, direction, stake, payout_bps, fee_bps, promised, accepted_ms, duration_ms, ends_ms, origin';
const RESULT = 'status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited';
const WHOLE = `${BOUGHT}, stake_hold, promised_hold, ${RESULT}, journal, terms_tree, terms_index,
  EXISTS (SELECT FROM options.dispute d WHERE d.order_id = o.id AND d.state = 'open') AS is_disputed`;

const READ_TERMS = statement(
  'options.read_terms',
  `SELECT coin, seconds, effective_from, offered, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max
   FROM options.terms ORDER BY coin, seconds, effective_from`,
);

/** All that was ever offered and all that will be, oldest first within a coin and duration. */
export async function readOffers(queries: Queries): Promise<OfferRow[]> {
  const rows = await queries.query<{
    coin: CoinCode;
    seconds: number;
    effective_from: Date;
    offered: boolean;
    payout_bps: number;
    fee_bps: number;
    stake_min: bigint;
    stake_max: bigint;
    window_exposure_max: bigint;
    coin_exposure_max: bigint;
  }>(READ_TERMS);
  return rows.map((row) => ({
    coin: row.coin,
    seconds: row.seconds,
    effectiveFrom: row.effective_from,
    isOffered: row.offered,
    payoutBasisPoints: row.payout_bps,
    feeBasisPoints: row.fee_bps,
    offer: {
      payout: rateFromBasisPoints(BigInt(row.payout_bps)),
      feeRate: rateFromBasisPoints(BigInt(row.fee_bps)),
      stakeMin: money('USDT', row.stake_min),
      stakeMax: money('USDT', row.stake_max),
      windowExposureMax: money('USDT', row.window_exposure_max),
      coinExposureMax: money('USDT', row.coin_exposure_max),
    },
  }));
}

const REFUSE_OVERTAKEN = statement(
  'options.refuse_overtaken',
  'SELECT options.refuse_overtaken($1::bigint, $2::text[], $3::bigint[])',
);

/** Fails in the database when there are other offers, or a newer tick of a coin than its acceptance in ms. */
export async function refuseOvertaken(
  queries: Queries,
  offers: number,
  acceptedMs: ReadonlyMap<CoinCode, number>,
): Promise<void> {
  await queries.query(REFUSE_OVERTAKEN, [
    offers,
    plainArray([...acceptedMs.keys()]),
    plainArray([...acceptedMs.values()]),
  ]);
}

const READ_EXPOSURE = statement(
  'options.read_exposure',
  'SELECT coin, direction, window_ms, promised FROM options.exposure WHERE coin = ANY ($1::text[])',
);

export const readExposure = (queries: Queries, coins: readonly CoinCode[]): Promise<ExposureRow[]> =>
  queries.query<ExposureRow>(READ_EXPOSURE, [plainArray(coins)]);

const RAISE_EXPOSURE = statement(
  'options.raise_exposure',
  `INSERT INTO options.exposure AS e (coin, direction, window_ms, promised)
   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
   ON CONFLICT (coin, direction, window_ms) DO UPDATE SET promised = e.promised + excluded.promised`,
);
const LOWER_EXPOSURE = statement(
  'options.lower_exposure',
  `UPDATE options.exposure e SET promised = e.promised - less.promised
   FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS less(coin, direction, window_ms, promised)
   WHERE (e.coin, e.direction, e.window_ms) = (less.coin, less.direction, less.window_ms)`,
);
const DROP_EXPOSURE = statement('options.drop_exposure', 'DELETE FROM options.exposure WHERE promised = 0');

function exposureColumns(rows: readonly ExposureRow[]): string[] {
  return [
    plainArray(rows.map(({ coin }) => coin)),
    plainArray(rows.map(({ direction }) => direction)),
    plainArray(rows.map(({ window_ms }) => window_ms)),
    plainArray(rows.map(({ promised }) => promised)),
  ];
}

/** One row for each window; only under the ledger's lock. */
export async function raiseExposure(queries: Queries, rows: readonly ExposureRow[]): Promise<void> {
  await queries.query(RAISE_EXPOSURE, exposureColumns(rows));
}

export async function lowerExposure(queries: Queries, rows: readonly ExposureRow[]): Promise<void> {
  await Promise.all([queries.query(LOWER_EXPOSURE, exposureColumns(rows)), queries.query(DROP_EXPOSURE)]);
}

const INSERT_TREE = statement(
  'options.insert_terms_tree',
  'INSERT INTO options.terms_tree (id, bodies, head, hash, signature, key) VALUES ($1, $2, $3, $4, $5, $6)',
);

/** A plain text needs no escaping, which for these long ones takes longer than a statement each. */
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
  }>(READ_TREES, [plainArray([...new Set(ids)])]);
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

const INSERT_ORDERS = statement(
  'options.insert_orders',
  `INSERT INTO options.orders (${BOUGHT}, stake_hold, promised_hold, terms_tree, terms_index)
   SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::integer[], $7::integer[], $8::bigint[],
     $9::bigint[], $10::integer[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[], $15::uuid[], $16::integer[])`,
);

export interface NewOptionRow extends HeldOption {
  readonly terms_tree: string;
  readonly terms_index: number;
}

export async function insertOrders(queries: Queries, rows: readonly NewOptionRow[]): Promise<void> {
  const column = (pick: (row: NewOptionRow) => bigint | number | string): string => plainArray(rows.map(pick));
  await queries.query(INSERT_ORDERS, [
    column((row) => row.id),
    column((row) => row.customer_id),
    column((row) => row.coin),
    column((row) => row.direction),
    column((row) => row.stake),
    column((row) => row.payout_bps),
    column((row) => row.fee_bps),
    column((row) => row.promised),
    column((row) => row.accepted_ms),
    column((row) => row.duration_ms),
    column((row) => row.ends_ms),
    column((row) => row.origin),
    column((row) => row.stake_hold),
    column((row) => row.promised_hold),
    column((row) => row.terms_tree),
    column((row) => row.terms_index),
  ]);
}

// The moment up to which no tick can appear any more although none later has been kept: the database takes no tick that is older than
// a minute (market.link_tick), and waits for one that is being written (options.check_void).
const READ_QUIET = statement(
  'options.read_quiet_until',
  "SELECT (extract(epoch FROM clock_timestamp() - interval '66 seconds') * 1000)::bigint AS quiet_ms",
);

/** By the database's clock, in ms: orders that ended by then are decided by the ticks that there are. */
export async function readQuietUntil(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ quiet_ms: bigint }>(READ_QUIET);
  if (row === undefined) throw new Error('the database has no clock');
  return Number(row.quiet_ms);
}

const READ_DUE = statement(
  'options.read_due',
  `SELECT ${BOUGHT}, stake_hold, promised_hold FROM options.orders o
   WHERE o.status = 'holding' AND o.coin = $1 AND o.ends_ms < $2 AND (o.ends_ms, o.stake_hold) > ($3, $4)
   ORDER BY o.ends_ms, o.stake_hold LIMIT $5`,
);

/**
 * Holding orders that ended before their coin's `untilMs`, in pages of `size` but for the last; coin by coin, earliest first. None comes
 * twice, whatever is settled meanwhile.
 */
export async function* dueOrders(
  queries: Queries,
  decided: ReadonlyMap<CoinCode, number>,
  size: number,
): AsyncGenerator<readonly HeldOption[]> {
  let page: HeldOption[] = [];
  for (const [coin, untilMs] of decided) {
    let after: Pick<HeldOption, 'ends_ms' | 'stake_hold'> | undefined = { ends_ms: 0n, stake_hold: 0n };
    while (after !== undefined) {
      const wanted: number = size - page.length;
      const place = [after.ends_ms, after.stake_hold];
      const rows: HeldOption[] = await queries.query<HeldOption>(READ_DUE, [coin, untilMs, ...place, wanted]);
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
     $10::bigint[], $11::bigint, $12::uuid) AS settled`,
);
const READ_SETTLED = statement(
  'options.read_settled',
  'SELECT id FROM options.orders WHERE id = ANY ($1::uuid[]) AND journal = $2::uuid',
);

/** Which of the orders were holding until now. */
export async function settleOrders(
  queries: Queries,
  orders: readonly { readonly order: HeldOption; readonly settlement: OptionSettlement }[],
  journal: string,
  now: Date,
): Promise<ReadonlySet<string>> {
  const ids = orders.map(({ order }) => order.id);
  const column = (pick: (settlement: OptionSettlement) => bigint | string | null): string =>
    plainArray(orders.map(({ settlement }) => pick(settlement)));
  const [row] = await queries.query<{ settled: bigint }>(SETTLE, [
    plainArray(ids),
    column(({ outcome }) => outcome),
    column(({ reason }) => reason),
    column(({ start }) => start?.sequence ?? null),
    column(({ start }) => start?.price ?? null),
    column(({ end }) => end?.sequence ?? null),
    column(({ end }) => end?.price ?? null),
    column(({ profit }) => profit.units),
    column(({ fee }) => fee.units),
    column(({ credited }) => credited.units),
    now.getTime(),
    journal,
  ]);
  return row?.settled === BigInt(ids.length) ? new Set(ids) : readSettled(queries, ids, journal);
}

/** Which of the orders were settled by that journal. */
export async function readSettled(
  queries: Queries,
  ids: readonly string[],
  journal: string,
): Promise<ReadonlySet<string>> {
  const settled = await queries.query<{ id: string }>(READ_SETTLED, [plainArray(ids), journal]);
  return new Set(settled.map(({ id }) => id));
}

const VOIDED_SINCE = statement(
  'options.voided_since',
  "SELECT id, customer_id, coin, stake, ends_ms FROM options.orders WHERE status = 'void' AND settled_ms >= $1",
);

export type VoidOption = Pick<BoughtOption, 'id' | 'customer_id' | 'coin' | 'stake' | 'ends_ms'>;

export function voidedSince(queries: Queries, sinceMs: number): Promise<VoidOption[]> {
  return queries.query<VoidOption>(VOIDED_SINCE, [sinceMs]);
}

const READ_ORDER = statement(
  'options.read_order',
  `SELECT ${WHOLE} FROM options.orders o WHERE id = $1 AND customer_id = $2`,
);

const READ_ORDERS = statement(
  'options.read_orders',
  `SELECT ${WHOLE} FROM options.orders o WHERE id = ANY ($1::uuid[])`,
);

export const readOrders = (queries: Queries, ids: readonly string[]): Promise<OptionRow[]> =>
  queries.query<OptionRow>(READ_ORDERS, [plainArray(ids)]);

/** A stranger's order is as unknown as one that never was. */
export async function readOrder(queries: Queries, id: string, customer: bigint): Promise<OptionRow | undefined> {
  const [row] = await queries.query<OptionRow>(READ_ORDER, [id, customer]);
  return row;
}

const LIST_ORDERS = statement(
  'options.list_orders',
  `SELECT ${WHOLE} FROM options.orders o
   WHERE customer_id = $1 AND (status = 'holding') = $2 AND ($3::text IS NULL OR coin = $3)
     AND ($4::bigint IS NULL OR (accepted_ms, id) < ($4, $5::uuid))
   ORDER BY accepted_ms DESC, id DESC LIMIT $6 OFFSET $7`,
);

export interface OptionPlace {
  readonly acceptedMs: bigint;
  readonly id: string;
}

/** Newest first, after a place and so many more. */
export function listOrders(
  queries: Queries,
  customer: bigint,
  which: {
    readonly isHolding: boolean;
    readonly coin: CoinCode | null;
    readonly after: OptionPlace | null;
    readonly skip: number;
    readonly limit: number;
  },
): Promise<OptionRow[]> {
  const { isHolding, coin, after, skip, limit } = which;
  return queries.query<OptionRow>(LIST_ORDERS, [
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
     coalesce(sum(stake) FILTER (WHERE status IN ('holding', 'won', 'lost')), 0) AS staked,
     count(*) FILTER (WHERE status = 'won') AS won, count(*) FILTER (WHERE status = 'lost') AS lost,
     coalesce(sum(profit - fee), 0) AS profit,
     coalesce(sum(profit - fee) FILTER (
       WHERE settled_ms >= extract(epoch FROM date_trunc('day', $2::timestamptz, $3)) * 1000), 0) AS today
   FROM options.orders WHERE customer_id = $1`,
);

/** Counts, and units of USDT as texts. `today` began at midnight in the time zone. */
export async function readTotals(
  queries: Queries,
  customer: bigint,
  now: Date,
  timeZone: string,
): Promise<{ holding: bigint; staked: string; won: bigint; lost: bigint; profit: string; today: string }> {
  const [row] = await queries.query<{
    holding: bigint;
    staked: string;
    won: bigint;
    lost: bigint;
    profit: string;
    today: string;
  }>(READ_TOTALS, [customer, now, timeZone]);
  if (row === undefined) throw new Error('totals without a row');
  return row;
}

const LIST_WINS = statement(
  'options.list_wins',
  `SELECT customer_id, coin, profit - fee AS gain, settled_ms FROM options.orders
   WHERE status = 'won' AND settled_ms >= $1 ORDER BY settled_ms DESC LIMIT $2`,
);

export function listWins(
  queries: Queries,
  sinceMs: number,
  limit: number,
): Promise<{ customer_id: bigint; coin: CoinCode; gain: bigint; settled_ms: bigint }[]> {
  return queries.query(LIST_WINS, [sinceMs, limit]);
}

const INSERT_DISPUTE = statement(
  'options.insert_dispute',
  `INSERT INTO options.dispute (id, order_id, customer_id, reason, receipt, opened_at, deadline) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (order_id) WHERE state = 'open' DO NOTHING RETURNING id`,
);

/** False when one is open already. */
export async function insertDispute(
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

export interface DisputeRow {
  readonly id: string;
  readonly deadline: Date;
}

export async function readOpenDispute(
  queries: Queries,
  order: string,
  reason: string,
): Promise<DisputeRow | undefined> {
  const [row] = await queries.query<DisputeRow>(READ_OPEN_DISPUTE, [order, reason]);
  return row;
}
