import type { KeyObject } from 'node:crypto';
import type { CoinCode } from '@sathorn/money';
import {
  arrayLiteral,
  column,
  type Queries,
  type Statement,
  statement,
  type Table,
  table,
} from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import type { BookChanges, TradeRow } from './coin-book.ts';
import { type ContractRow, MARKET_MAKER_OWNER } from './contract-order.ts';
import { limitAfterSkip, type PagePosition } from './list-page.ts';
import { writeWaitingChanges } from './waiting-store.ts';

export interface BookState {
  readonly coin: CoinCode;
  readonly lease: bigint;
  readonly sequence: number;
  readonly trades: number;
}

const { bigint, boolean, integer, number, text, nullable, named } = column;

const ORDERS = table<ContractRow>({
  coin: text(),
  sequence: number,
  customer: named('customer_id', bigint),
  journal: column.uuid,
  side: text(),
  type: text(),
  timeInForce: text(),
  postOnly: boolean,
  price: nullable(column.price),
  quantity: bigint,
  amount: nullable(bigint),
  makerBps: integer,
  takerBps: integer,
  acceptedMs: number,
  replaces: nullable(number),
  waiting: nullable(number),
  recurring: nullable(column.uuid),
  recurringNumber: nullable(integer),
  recurringDay: nullable(integer),
  cut: named('cut_quantity', bigint),
  dealtQuantity: bigint,
  dealtAmount: bigint,
  dealtValue: column.numeric,
  fee: bigint,
  held: bigint,
  isLive: boolean,
  reason: nullable(text()),
  updatedMs: number,
});
/** The columns of an order that may change, by its key. */
const CHANGES = ORDERS.only(
  'coin',
  'sequence',
  'cut',
  'dealtQuantity',
  'dealtAmount',
  'dealtValue',
  'fee',
  'held',
  'isLive',
  'reason',
  'updatedMs',
);
const KEYS = ORDERS.only('coin', 'sequence');
const TRADES = table<TradeRow>({
  coin: text(),
  number,
  price: column.price,
  quantity: bigint,
  amount: bigint,
  takerSide: text(),
  makerSequence: number,
  takerSequence: number,
  makerCustomer: bigint,
  takerCustomer: bigint,
  makerFee: bigint,
  takerFee: bigint,
  atMs: number,
});
const BOOKS = table<BookState>({ coin: text(), lease: bigint, sequence: number, trades: number });
/** A book's change of position within a batch, under its lease. */
const MOVES = table<BookState & { readonly before: number }>({
  coin: text(),
  lease: bigint,
  before: number,
  sequence: number,
  trades: number,
});

const TAKE_LEASE = statement(
  'contracts.take_lease',
  'UPDATE contracts.book SET lease = lease + 1 WHERE coin = $1 RETURNING lease',
);

/** Takes a new lease. From then on nobody can write to the coin's book under an older one. */
export async function takeBookLease(queries: Queries, coin: CoinCode): Promise<bigint> {
  const [row] = await queries.query<{ lease: bigint }>(TAKE_LEASE, [coin]);
  if (row === undefined) throw new Error(`${coin} has no book`);
  return row.lease;
}

const READ_BOOKS = statement(
  'contracts.read_books',
  `SELECT ${BOOKS.names} FROM contracts.book WHERE coin = ANY ($1::text[])`,
);

export const readBookStates = (queries: Queries, coins: readonly CoinCode[]): Promise<BookState[]> =>
  BOOKS.query(queries, READ_BOOKS, [arrayLiteral(coins)]);

const READ_LIVE = statement(
  'contracts.read_live',
  `SELECT ${ORDERS.names} FROM contracts.orders WHERE is_live AND coin = $1 ORDER BY sequence`,
);

/** All resting orders of a coin's book, in the order of their arrival. */
export const readLiveOrders = (queries: Queries, coin: CoinCode): Promise<ContractRow[]> =>
  ORDERS.query(queries, READ_LIVE, [coin]);

const READ_ORDERS = statement(
  'contracts.read_orders',
  `SELECT ${ORDERS.names} FROM unnest(${KEYS.arrays}) AS wanted(${KEYS.names}) JOIN contracts.orders USING (coin, sequence)`,
);

export const readContractOrders = (
  queries: Queries,
  wanted: readonly Pick<ContractRow, 'coin' | 'sequence'>[],
): Promise<ContractRow[]> => ORDERS.query(queries, READ_ORDERS, KEYS.values(wanted));

/** In smallest units; `value` as in an order. */
export interface RecurringTotal {
  readonly recurring: string;
  readonly quantity: bigint;
  readonly amount: bigint;
  readonly value: bigint;
  readonly fee: bigint;
}
const TOTALS = table<RecurringTotal>({
  recurring: column.uuid,
  quantity: column.computed('sum(dealt_quantity)', column.numeric),
  amount: column.computed('sum(dealt_amount)', column.numeric),
  value: column.computed('sum(dealt_value)', column.numeric),
  fee: column.computed('sum(fee)', column.numeric),
});
const READ_TOTALS = statement(
  'contracts.read_recurring_totals',
  `SELECT ${TOTALS.names} FROM contracts.orders WHERE recurring = ANY ($1::uuid[]) GROUP BY recurring`,
);

/** Sums up what each regular purchase has bought. One that has bought nothing is absent. */
export const readRecurringTotals = (queries: Queries, ids: readonly string[]): Promise<RecurringTotal[]> =>
  TOTALS.query(queries, READ_TOTALS, [arrayLiteral(ids)]);

const MOVE_BOOKS = statement('contracts.move_books', `SELECT contracts.move_books(${MOVES.arrays})`);
const INSERT_ORDERS = statement(
  'contracts.insert_orders',
  `INSERT INTO contracts.orders (${ORDERS.names}, seal)
   SELECT * FROM unnest(${ORDERS.arrays}, $${ORDERS.names.split(',').length + 1}::uuid[])`,
);
const CHANGE_ORDERS = statement('contracts.change_orders', `SELECT contracts.change_orders(${CHANGES.arrays})`);
const DROP_QUOTES = statement('contracts.drop_quotes', `SELECT contracts.drop_quotes(${KEYS.arrays})`);
const INSERT_TRADES = statement('contracts.insert_trades', TRADES.insertInto('contracts.trade'));

/** An unfilled quote of the house is deleted when it ends. */
const leavesNothing = ({ customer, isLive, dealtQuantity }: ContractRow): boolean =>
  customer === MARKET_MAKER_OWNER && !isLive && dealtQuantity === 0n;

/** The seal over what never changes about an order. The checker's SQL composes the same text. */
const sealOf = (key: KeyObject, row: ContractRow): string =>
  rowSeal(
    key,
    `${row.coin} ${row.sequence} ${row.customer} ${row.journal} ${row.side} ${row.type} ${row.timeInForce} ${row.postOnly} ${row.price ?? ''} ${row.quantity} ${row.amount ?? ''} ${row.makerBps} ${row.takerBps} ${row.acceptedMs}`,
  );

/** Throws `BookLeaseLostError` if the books were written under another lease, or are not where the batch began. */
export function writeBookChanges(
  queries: Queries,
  changes: readonly BookChanges[],
  { leases, orderKey }: { readonly leases: ReadonlyMap<CoinCode, bigint>; readonly orderKey: KeyObject },
): Promise<unknown>[] {
  const inserted = changes.flatMap((change) => change.inserted).filter((row) => !leavesNothing(row));
  const updated = changes.flatMap((change) => change.updated);
  const newTrades = changes.flatMap((change) => change.newTrades);
  return [
    moveBooks(queries, changes, leases),
    ...(inserted.length === 0
      ? []
      : [
          queries.query(INSERT_ORDERS, [
            ...ORDERS.values(inserted),
            arrayLiteral(inserted.map((row) => sealOf(orderKey, row))),
          ]),
        ]),
    ...writeRows(
      queries,
      CHANGE_ORDERS,
      CHANGES,
      updated.filter((row) => !leavesNothing(row)),
    ),
    ...writeRows(queries, DROP_QUOTES, KEYS, updated.filter(leavesNothing)),
    ...writeRows(queries, INSERT_TRADES, TRADES, newTrades),
    ...writeWaitingChanges(queries, changes, orderKey),
  ];
}

const writeRows = <Row>(
  queries: Queries,
  write: Statement,
  { values }: Table<Row>,
  rows: readonly Row[],
): Promise<unknown>[] => (rows.length === 0 ? [] : [queries.query(write, values(rows))]);

async function moveBooks(
  queries: Queries,
  changes: readonly BookChanges[],
  leases: ReadonlyMap<CoinCode, bigint>,
): Promise<void> {
  const moves = changes.map((change) => ({ ...change, lease: leases.get(change.coin) ?? -1n }));
  try {
    await queries.query(MOVE_BOOKS, MOVES.values(moves));
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === LEASE_LOST ? new BookLeaseLostError() : error;
  }
}

const LEASE_LOST = 'CT002';

/** Another process writes to the book, or has written to it. */
export class BookLeaseLostError extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('the book is written under another lease');
  }
}

const LIST_ORDERS = statement(
  'contracts.list_orders',
  `SELECT ${ORDERS.names} FROM contracts.orders
   WHERE customer_id = $1 AND customer_id <> 0 AND ($2::text IS NULL OR coin = $2) AND ($3::text IS NULL OR side = $3) AND ($4::boolean IS NULL OR is_live = $4)
     AND ($5::bigint IS NULL OR (accepted_ms, coin, sequence) < ($5, $6::text, $7::bigint))
   ORDER BY accepted_ms DESC, coin DESC, sequence DESC LIMIT $8 OFFSET $9`,
);
const READ_LIVE_OF = statement(
  'contracts.read_live_orders_of',
  `SELECT ${ORDERS.names} FROM contracts.orders WHERE is_live AND customer_id = ANY ($1) ORDER BY coin, sequence`,
);
export const readLiveOrdersOf = (queries: Queries, customers: readonly bigint[]): Promise<ContractRow[]> =>
  ORDERS.query(queries, READ_LIVE_OF, [arrayLiteral(customers)]);

const LIST_LIVE = statement(
  'contracts.list_live',
  `SELECT ${ORDERS.names} FROM contracts.orders
   WHERE is_live AND customer_id = $1 AND ($2::text IS NULL OR coin = $2) AND ($3::text IS NULL OR side = $3)
     AND ($4::bigint IS NULL OR (accepted_ms, coin, sequence) < ($4, $5::text, $6::bigint))
   ORDER BY accepted_ms DESC, coin DESC, sequence DESC LIMIT $7 OFFSET $8`,
);

const cursorValues = ({ after }: PagePosition) => [after?.atMs ?? null, after?.coin ?? null, after?.number ?? null];

/** Newest first. */
export function listContractOrders(
  queries: Queries,
  customer: bigint,
  which: {
    readonly status: 'open' | 'history' | 'all';
    readonly coin: CoinCode | null;
    readonly side: 'buy' | 'sell' | null;
    readonly from: PagePosition;
    readonly limit: number;
  },
): Promise<ContractRow[]> {
  const { status, coin, side, from, limit } = which;
  const cursor = cursorValues(from);
  const end = [...cursor, limitAfterSkip(from.skip, limit), from.skip];
  return status === 'open'
    ? ORDERS.query(queries, LIST_LIVE, [customer, coin, side, ...end])
    : ORDERS.query(queries, LIST_ORDERS, [customer, coin, side, status === 'history' ? false : null, ...end]);
}

const LIST_TRADES = statement(
  'contracts.list_trades',
  `SELECT ${TRADES.names} FROM contracts.trade WHERE coin = $1 AND number < $2
     AND number <= (SELECT trades FROM contracts.book WHERE coin = $1) - $4::bigint ORDER BY number DESC LIMIT $3`,
);
const NEVER = 9_223_372_036_854_775_807n;

/** A coin's tape, newest first. Trades are numbered without gaps, so a distant page costs no more. */
export function listTrades(
  queries: Queries,
  coin: CoinCode,
  { before, skip }: { readonly before: bigint | null; readonly skip: number },
  limit: number,
): Promise<TradeRow[]> {
  return TRADES.query(queries, LIST_TRADES, [coin, before ?? NEVER, limitAfterSkip(skip, limit), skip]);
}

// Lists fills by customer; neither index contains the house's trades.
const LIST_FILLS = statement(
  'contracts.list_fills',
  `SELECT ${TRADES.names} FROM (
     (SELECT ${TRADES.names} FROM contracts.trade WHERE maker_customer = $1 AND maker_customer <> 0 AND ($2::text IS NULL OR coin = $2)
        AND ($3::bigint IS NULL OR (at_ms, coin, number) < ($3, $4::text, $5::bigint)) AND at_ms <= coalesce($3, 9223372036854775807)
      ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6::bigint + $7::bigint)
     UNION ALL
     (SELECT ${TRADES.names} FROM contracts.trade WHERE taker_customer = $1 AND taker_customer <> 0 AND ($2::text IS NULL OR coin = $2)
        AND ($3::bigint IS NULL OR (at_ms, coin, number) < ($3, $4::text, $5::bigint)) AND at_ms <= coalesce($3, 9223372036854775807)
      ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6::bigint + $7::bigint)
   ) both_sides ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6 OFFSET $7`,
);

/** A customer's fills, newest first. */
export function listFills(
  queries: Queries,
  customer: bigint,
  coin: CoinCode | null,
  from: PagePosition,
  limit: number,
): Promise<TradeRow[]> {
  const values = [customer, coin, ...cursorValues(from), limitAfterSkip(from.skip, limit), from.skip];
  return TRADES.query(queries, LIST_FILLS, values);
}

const FILLS_OF_ORDER = statement(
  'contracts.fills_of_order',
  `SELECT ${TRADES.names} FROM (
     SELECT ${TRADES.names} FROM contracts.trade
     WHERE maker_customer = $1 AND maker_customer <> 0 AND at_ms BETWEEN $4 AND $5 AND coin = $2 AND maker_sequence = $3
     UNION ALL
     SELECT ${TRADES.names} FROM contracts.trade
     WHERE taker_customer = $1 AND taker_customer <> 0 AND at_ms BETWEEN $4 AND $5 AND coin = $2 AND taker_sequence = $3
   ) both_sides WHERE number < $6 ORDER BY number DESC LIMIT $7 OFFSET $8`,
);

/** How much earlier than its predecessor a command may be dated, because a clock was set back or is slow. */
const CLOCK_BACK_MAX_MS = 3_600_000;

/** Newest first. The fills lie between the order's acceptance and its last change, so the index on time finds them. */
export function readFillsOfOrder(
  queries: Queries,
  row: ContractRow,
  { after, skip }: PagePosition,
  limit: number,
): Promise<TradeRow[]> {
  const [from, to] = [Math.min(row.acceptedMs, row.updatedMs), Math.max(row.acceptedMs, row.updatedMs)];
  const around = [from - CLOCK_BACK_MAX_MS, to + CLOCK_BACK_MAX_MS];
  const values = [
    row.customer,
    row.coin,
    row.sequence,
    ...around,
    after?.number ?? NEVER,
    limitAfterSkip(skip, limit),
    skip,
  ];
  return TRADES.query(queries, FILLS_OF_ORDER, values);
}
