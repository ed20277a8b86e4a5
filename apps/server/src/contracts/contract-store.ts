import type { CoinCode } from '@sathorn/money';
import { plainArray, type Queries, statement } from '../database/index.ts';
import type { BookChanges, TradeRow } from './coin-book.ts';
import { type ContractRow, MAKER } from './contract-order.ts';
import { limitAt, type PageStart } from './list-page.ts';

export interface BookState {
  readonly coin: CoinCode;
  readonly lease: bigint;
  readonly sequence: number;
  readonly trades: number;
}

interface StoredOrder {
  coin: CoinCode;
  sequence: bigint;
  customer_id: bigint;
  journal: string;
  side: ContractRow['side'];
  type: ContractRow['type'];
  time_in_force: ContractRow['timeInForce'];
  post_only: boolean;
  price: bigint | null;
  quantity: bigint;
  amount: bigint | null;
  maker_bps: number;
  taker_bps: number;
  accepted_ms: bigint;
  dealt_quantity: bigint;
  dealt_amount: bigint;
  dealt_value: string;
  fee: bigint;
  held: bigint;
  is_live: boolean;
  reason: ContractRow['reason'];
  updated_ms: bigint;
}

const ORDER_COLUMNS = `coin, sequence, customer_id, journal, side, type, time_in_force, post_only, price, quantity, amount, maker_bps,
  taker_bps, accepted_ms, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, reason, updated_ms`;

const rowOf = (stored: StoredOrder): ContractRow => ({
  coin: stored.coin,
  sequence: Number(stored.sequence),
  customer: stored.customer_id,
  journal: stored.journal,
  side: stored.side,
  type: stored.type,
  timeInForce: stored.time_in_force,
  postOnly: stored.post_only,
  price: stored.price,
  quantity: stored.quantity,
  amount: stored.amount,
  makerBps: stored.maker_bps,
  takerBps: stored.taker_bps,
  acceptedMs: Number(stored.accepted_ms),
  dealtQuantity: stored.dealt_quantity,
  dealtAmount: stored.dealt_amount,
  dealtValue: BigInt(stored.dealt_value),
  fee: stored.fee,
  held: stored.held,
  isLive: stored.is_live,
  reason: stored.reason,
  updatedMs: Number(stored.updated_ms),
});

const TAKE_LEASE = statement(
  'contracts.take_lease',
  'UPDATE contracts.book SET lease = lease + 1 WHERE coin = $1 RETURNING lease',
);

/** From now on nobody writes to the coin's book under an older lease. */
export async function takeLease(queries: Queries, coin: CoinCode): Promise<bigint> {
  const [row] = await queries.query<{ lease: bigint }>(TAKE_LEASE, [coin]);
  if (row === undefined) throw new Error(`${coin} has no book`);
  return row.lease;
}

const READ_BOOKS = statement(
  'contracts.read_books',
  'SELECT coin, lease, sequence, trades FROM contracts.book WHERE coin = ANY ($1::text[])',
);

export async function readBooks(queries: Queries, coins: readonly CoinCode[]): Promise<BookState[]> {
  const rows = await queries.query<{ coin: CoinCode; lease: bigint; sequence: bigint; trades: bigint }>(READ_BOOKS, [
    plainArray(coins),
  ]);
  return rows.map(({ coin, lease, sequence, trades }) => ({
    coin,
    lease,
    sequence: Number(sequence),
    trades: Number(trades),
  }));
}

const READ_LIVE = statement(
  'contracts.read_live',
  `SELECT ${ORDER_COLUMNS} FROM contracts.orders WHERE is_live AND coin = $1 ORDER BY sequence`,
);

/** Everything that rests on a coin's book, in the order of its arrival. */
export async function readLiveOrders(queries: Queries, coin: CoinCode): Promise<ContractRow[]> {
  return (await queries.query<StoredOrder>(READ_LIVE, [coin])).map(rowOf);
}

const READ_ORDERS = statement(
  'contracts.read_orders',
  `SELECT ${ORDER_COLUMNS} FROM unnest($1::text[], $2::bigint[]) AS wanted(coin, sequence) JOIN contracts.orders USING (coin, sequence)`,
);

export async function readOrders(
  queries: Queries,
  wanted: readonly { readonly coin: CoinCode; readonly sequence: number }[],
): Promise<ContractRow[]> {
  const rows = await queries.query<StoredOrder>(READ_ORDERS, [
    plainArray(wanted.map(({ coin }) => coin)),
    plainArray(wanted.map(({ sequence }) => sequence)),
  ]);
  return rows.map(rowOf);
}

const MOVE_BOOKS = statement(
  'contracts.move_books',
  'SELECT contracts.move_books($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])',
);
const INSERT_ORDERS = statement(
  'contracts.insert_orders',
  `INSERT INTO contracts.orders (${ORDER_COLUMNS})
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::bigint[],
     $10::bigint[], $11::bigint[], $12::integer[], $13::integer[], $14::bigint[], $15::bigint[], $16::bigint[], $17::numeric[], $18::bigint[],
     $19::bigint[], $20::boolean[], $21::text[], $22::bigint[])`,
);
const CHANGE_ORDERS = statement(
  'contracts.change_orders',
  `SELECT contracts.change_orders($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::numeric[], $6::bigint[], $7::bigint[], $8::boolean[],
     $9::text[], $10::bigint[])`,
);
const DROP_QUOTES = statement('contracts.drop_quotes', 'SELECT contracts.drop_quotes($1::text[], $2::bigint[])');
const INSERT_TRADES = statement(
  'contracts.insert_trades',
  `INSERT INTO contracts.trade (coin, number, price, quantity, amount, taker_side, maker_sequence, taker_sequence, maker_customer,
     taker_customer, maker_fee, taker_fee, at_ms)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[],
     $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])`,
);

type Cell = bigint | number | string | boolean | null;
const columnsOf = <Row>(rows: readonly Row[], ...picks: ((row: Row) => Cell)[]): string[] =>
  picks.map((pick) =>
    plainArray(
      rows.map((row) => {
        const cell = pick(row);
        return typeof cell === 'boolean' ? (cell ? 't' : 'f') : cell;
      }),
    ),
  );

/** A quote of the house that met nobody leaves no trace. */
const leavesNothing = ({ customer, isLive, dealtQuantity }: ContractRow): boolean =>
  customer === MAKER && !isLive && dealtQuantity === 0n;

/** Fails with `LeaseLost` when the books have been written under another lease, or stand elsewhere than where the batch began. */
export function writeChanges(
  queries: Queries,
  changes: readonly BookChanges[],
  leases: ReadonlyMap<CoinCode, bigint>,
): Promise<unknown>[] {
  const inserted = changes.flatMap((change) => change.inserted);
  const updated = changes.flatMap((change) => change.updated);
  const newTrades = changes.flatMap((change) => change.newTrades);
  return [
    moveBooks(queries, changes, leases),
    insertOrders(
      queries,
      inserted.filter((row) => !leavesNothing(row)),
    ),
    changeOrders(
      queries,
      updated.filter((row) => !leavesNothing(row)),
    ),
    dropQuotes(queries, updated.filter(leavesNothing)),
    insertTrades(queries, newTrades),
  ];
}

async function moveBooks(
  queries: Queries,
  changes: readonly BookChanges[],
  leases: ReadonlyMap<CoinCode, bigint>,
): Promise<void> {
  const columns = columnsOf(
    changes,
    ({ coin }) => coin,
    ({ coin }) => leases.get(coin) ?? -1n,
    ({ before }) => before,
    ({ sequence }) => sequence,
    ({ trades }) => trades,
  );
  try {
    await queries.query(MOVE_BOOKS, columns);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === LEASE_LOST ? new LeaseLost() : error;
  }
}

const LEASE_LOST = 'CT002';

/** Another process writes to the book now, or has. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('the book is written under another lease');
  }
}

async function insertOrders(queries: Queries, rows: readonly ContractRow[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.query(
    INSERT_ORDERS,
    columnsOf(
      rows,
      (row) => row.coin,
      (row) => row.sequence,
      (row) => row.customer,
      (row) => row.journal,
      (row) => row.side,
      (row) => row.type,
      (row) => row.timeInForce,
      (row) => row.postOnly,
      (row) => row.price,
      (row) => row.quantity,
      (row) => row.amount,
      (row) => row.makerBps,
      (row) => row.takerBps,
      (row) => row.acceptedMs,
      (row) => row.dealtQuantity,
      (row) => row.dealtAmount,
      (row) => row.dealtValue,
      (row) => row.fee,
      (row) => row.held,
      (row) => row.isLive,
      (row) => row.reason,
      (row) => row.updatedMs,
    ),
  );
}

async function changeOrders(queries: Queries, rows: readonly ContractRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(
    rows,
    (row) => row.coin,
    (row) => row.sequence,
    (row) => row.dealtQuantity,
    (row) => row.dealtAmount,
    (row) => row.dealtValue,
    (row) => row.fee,
    (row) => row.held,
    (row) => row.isLive,
    (row) => row.reason,
    (row) => row.updatedMs,
  );
  await queries.query(CHANGE_ORDERS, columns);
}

async function dropQuotes(queries: Queries, rows: readonly ContractRow[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.query(
    DROP_QUOTES,
    columnsOf(
      rows,
      (row) => row.coin,
      (row) => row.sequence,
    ),
  );
}

async function insertTrades(queries: Queries, rows: readonly TradeRow[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.query(
    INSERT_TRADES,
    columnsOf(
      rows,
      (row) => row.coin,
      (row) => row.number,
      (row) => row.price,
      (row) => row.quantity,
      (row) => row.amount,
      (row) => row.takerSide,
      (row) => row.makerSequence,
      (row) => row.takerSequence,
      (row) => row.makerCustomer,
      (row) => row.takerCustomer,
      (row) => row.makerFee,
      (row) => row.takerFee,
      (row) => row.atMs,
    ),
  );
}

const LIST_ORDERS = statement(
  'contracts.list_orders',
  `SELECT ${ORDER_COLUMNS} FROM contracts.orders
   WHERE customer_id = $1 AND customer_id <> 0 AND ($2::text IS NULL OR coin = $2) AND ($3::text IS NULL OR side = $3) AND ($4::boolean IS NULL OR is_live = $4)
     AND ($5::bigint IS NULL OR (accepted_ms, coin, sequence) < ($5, $6::text, $7::bigint))
   ORDER BY accepted_ms DESC, coin DESC, sequence DESC LIMIT $8 OFFSET $9`,
);
const LIST_LIVE = statement(
  'contracts.list_live',
  `SELECT ${ORDER_COLUMNS} FROM contracts.orders
   WHERE is_live AND customer_id = $1 AND ($2::text IS NULL OR coin = $2) AND ($3::text IS NULL OR side = $3)
     AND ($4::bigint IS NULL OR (accepted_ms, coin, sequence) < ($4, $5::text, $6::bigint))
   ORDER BY accepted_ms DESC, coin DESC, sequence DESC LIMIT $7 OFFSET $8`,
);

const placeValues = ({ after }: PageStart) => [after?.atMs ?? null, after?.coin ?? null, after?.number ?? null];

/** Newest first. */
export async function listOrders(
  queries: Queries,
  customer: bigint,
  which: {
    readonly status: 'open' | 'history' | 'all';
    readonly coin: CoinCode | null;
    readonly side: 'buy' | 'sell' | null;
    readonly from: PageStart;
    readonly limit: number;
  },
): Promise<ContractRow[]> {
  const { status, coin, side, from, limit } = which;
  const place = placeValues(from);
  const rows =
    status === 'open'
      ? await queries.query<StoredOrder>(LIST_LIVE, [
          customer,
          coin,
          side,
          ...place,
          limitAt(from.skip, limit),
          from.skip,
        ])
      : await queries.query<StoredOrder>(LIST_ORDERS, [
          customer,
          coin,
          side,
          status === 'history' ? false : null,
          ...place,
          limitAt(from.skip, limit),
          from.skip,
        ]);
  return rows.map(rowOf);
}

interface StoredTrade {
  coin: CoinCode;
  number: bigint;
  price: bigint;
  quantity: bigint;
  amount: bigint;
  taker_side: 'buy' | 'sell';
  maker_sequence: bigint;
  taker_sequence: bigint;
  maker_customer: bigint;
  taker_customer: bigint;
  maker_fee: bigint;
  taker_fee: bigint;
  at_ms: bigint;
}

const TRADE_COLUMNS =
  'coin, number, price, quantity, amount, taker_side, maker_sequence, taker_sequence, maker_customer, taker_customer, maker_fee, taker_fee, at_ms';

const tradeOf = (stored: StoredTrade): TradeRow => ({
  coin: stored.coin,
  number: Number(stored.number),
  price: stored.price,
  quantity: stored.quantity,
  amount: stored.amount,
  takerSide: stored.taker_side,
  makerSequence: Number(stored.maker_sequence),
  takerSequence: Number(stored.taker_sequence),
  makerCustomer: stored.maker_customer,
  takerCustomer: stored.taker_customer,
  makerFee: stored.maker_fee,
  takerFee: stored.taker_fee,
  atMs: Number(stored.at_ms),
});

const LIST_TRADES = statement(
  'contracts.list_trades',
  `SELECT ${TRADE_COLUMNS} FROM contracts.trade WHERE coin = $1 AND number < $2
     AND number <= (SELECT trades FROM contracts.book WHERE coin = $1) - $4::bigint ORDER BY number DESC LIMIT $3`,
);
const NEVER = 9_223_372_036_854_775_807n;

/** The tape of a coin, newest first. Trades are numbered without a gap: what is far back costs no more. */
export async function listTrades(
  queries: Queries,
  coin: CoinCode,
  { before, skip }: { readonly before: bigint | null; readonly skip: number },
  limit: number,
): Promise<TradeRow[]> {
  return (await queries.query<StoredTrade>(LIST_TRADES, [coin, before ?? NEVER, limitAt(skip, limit), skip])).map(
    tradeOf,
  );
}

// The house's trades are in neither index.
const LIST_FILLS = statement(
  'contracts.list_fills',
  `SELECT ${TRADE_COLUMNS} FROM (
     (SELECT ${TRADE_COLUMNS} FROM contracts.trade WHERE maker_customer = $1 AND maker_customer <> 0 AND ($2::text IS NULL OR coin = $2)
        AND ($3::bigint IS NULL OR (at_ms, coin, number) < ($3, $4::text, $5::bigint)) AND at_ms <= coalesce($3, 9223372036854775807)
      ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6::bigint + $7::bigint)
     UNION ALL
     (SELECT ${TRADE_COLUMNS} FROM contracts.trade WHERE taker_customer = $1 AND taker_customer <> 0 AND ($2::text IS NULL OR coin = $2)
        AND ($3::bigint IS NULL OR (at_ms, coin, number) < ($3, $4::text, $5::bigint)) AND at_ms <= coalesce($3, 9223372036854775807)
      ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6::bigint + $7::bigint)
   ) both_sides ORDER BY at_ms DESC, coin DESC, number DESC LIMIT $6 OFFSET $7`,
);

/** A customer's fills, newest first. */
export async function listFills(
  queries: Queries,
  customer: bigint,
  coin: CoinCode | null,
  from: PageStart,
  limit: number,
): Promise<TradeRow[]> {
  const values = [customer, coin, ...placeValues(from), limitAt(from.skip, limit), from.skip];
  return (await queries.query<StoredTrade>(LIST_FILLS, values)).map(tradeOf);
}

const FILLS_OF_ORDER = statement(
  'contracts.fills_of_order',
  `SELECT ${TRADE_COLUMNS} FROM (
     SELECT ${TRADE_COLUMNS} FROM contracts.trade
     WHERE maker_customer = $1 AND maker_customer <> 0 AND at_ms BETWEEN $4 AND $5 AND coin = $2 AND maker_sequence = $3
     UNION ALL
     SELECT ${TRADE_COLUMNS} FROM contracts.trade
     WHERE taker_customer = $1 AND taker_customer <> 0 AND at_ms BETWEEN $4 AND $5 AND coin = $2 AND taker_sequence = $3
   ) both_sides WHERE number < $6 ORDER BY number DESC LIMIT $7 OFFSET $8`,
);

/** How much earlier a later command may be dated: a clock was set back, or another machine's is behind. */
const CLOCK_BACK_MAX_MS = 3_600_000;

/** Newest first. They lie around the order's acceptance and its last change, which the index knows. */
export async function fillsOfOrder(
  queries: Queries,
  row: ContractRow,
  { after, skip }: PageStart,
  limit: number,
): Promise<TradeRow[]> {
  const [from, to] = [Math.min(row.acceptedMs, row.updatedMs), Math.max(row.acceptedMs, row.updatedMs)];
  const around = [from - CLOCK_BACK_MAX_MS, to + CLOCK_BACK_MAX_MS];
  const values = [row.customer, row.coin, row.sequence, ...around, after?.number ?? NEVER, limitAt(skip, limit), skip];
  return (await queries.query<StoredTrade>(FILLS_OF_ORDER, values)).map(tradeOf);
}
