import type { KeyObject } from 'node:crypto';
import type { CoinCode } from '@sathorn/money';
import { arrayLiteral, column, type Queries, statement, table } from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import type { BookChanges } from './coin-book.ts';
import { limitAfterSkip, type PagePosition } from './list-page.ts';
import type { WaitingRow } from './waiting-order.ts';

const { bigint, boolean, integer, number, text, nullable, named } = column;

const WAITING = table<WaitingRow>({
  coin: text(),
  sequence: number,
  customer: named('customer_id', bigint),
  journal: column.uuid,
  side: text(),
  trigger: text(),
  triggerPrice: column.price,
  type: text(),
  timeInForce: text(),
  postOnly: boolean,
  price: nullable(column.price),
  quantity: nullable(bigint),
  amount: nullable(bigint),
  makerBps: integer,
  takerBps: integer,
  acceptedMs: number,
  armedMs: number,
  replaces: nullable(number),
  pair: nullable(number),
  held: bigint,
  state: text(),
  refusal: nullable(text()),
  tick: nullable(bigint),
  tickMs: nullable(number),
  tickPrice: nullable(column.price),
  order: named('order_sequence', nullable(number)),
  updatedMs: number,
});
/** How an order ended, by its key. */
const ENDS = WAITING.only(
  'coin',
  'sequence',
  'held',
  'state',
  'refusal',
  'tick',
  'tickMs',
  'tickPrice',
  'order',
  'updatedMs',
);
const KEYS = WAITING.only('coin', 'sequence');

const READ_LIVE = statement(
  'contracts.read_waiting',
  `SELECT ${WAITING.names} FROM contracts.waiting WHERE state = 'waiting' AND coin = $1 ORDER BY sequence`,
);

/** All orders of a coin that wait, in order of acceptance. */
export const readWaitingOrders = (queries: Queries, coin: CoinCode): Promise<WaitingRow[]> =>
  WAITING.query(queries, READ_LIVE, [coin]);

const READ_BY_KEY = statement(
  'contracts.read_waiting_by_key',
  `SELECT ${WAITING.names} FROM unnest(${KEYS.arrays}) AS wanted(${KEYS.names}) JOIN contracts.waiting USING (coin, sequence)`,
);

export const readWaitingByKey = (
  queries: Queries,
  wanted: readonly Pick<WaitingRow, 'coin' | 'sequence'>[],
): Promise<WaitingRow[]> => WAITING.query(queries, READ_BY_KEY, KEYS.values(wanted));

const READ_LIVE_OF = statement(
  'contracts.read_waiting_of',
  `SELECT ${WAITING.names} FROM contracts.waiting WHERE state = 'waiting' AND customer_id = ANY ($1) ORDER BY coin, sequence`,
);
export const readWaitingOf = (queries: Queries, customers: readonly bigint[]): Promise<WaitingRow[]> =>
  WAITING.query(queries, READ_LIVE_OF, [arrayLiteral(customers)]);

const LIST = statement(
  'contracts.list_waiting',
  `SELECT ${WAITING.names} FROM contracts.waiting
   WHERE customer_id = $1 AND ($2::text IS NULL OR coin = $2) AND ($3::boolean IS NULL OR (state = 'waiting') = $3)
     AND ($4::bigint IS NULL OR (accepted_ms, coin, sequence) < ($4, $5::text, $6::bigint))
   ORDER BY accepted_ms DESC, coin DESC, sequence DESC LIMIT $7 OFFSET $8`,
);

/** Newest first. */
export function listWaitingOrders(
  queries: Queries,
  customer: bigint,
  which: {
    readonly status: 'open' | 'history' | 'all';
    readonly coin: CoinCode | null;
    readonly from: PagePosition;
    readonly limit: number;
  },
): Promise<WaitingRow[]> {
  const { status, coin, from, limit } = which;
  const { after, skip } = from;
  const isOpen = status === 'all' ? null : status === 'open';
  const cursor = [after?.atMs ?? null, after?.coin ?? null, after?.number ?? null];
  return WAITING.query(queries, LIST, [customer, coin, isOpen, ...cursor, limitAfterSkip(skip, limit), skip]);
}

const UNTOLD = statement(
  'contracts.read_untold_triggers',
  `SELECT ${WAITING.names} FROM contracts.waiting w WHERE tick IS NOT NULL AND updated_ms > $1
     AND NOT EXISTS (SELECT FROM contracts.trigger_notice n WHERE n.coin = w.coin AND n.sequence = w.sequence)
   ORDER BY updated_ms LIMIT $2`,
);
const TOLD = statement(
  'contracts.insert_trigger_notices',
  `INSERT INTO contracts.trigger_notice (${KEYS.names}) SELECT * FROM unnest(${KEYS.arrays}) ON CONFLICT DO NOTHING`,
);

/** Orders that were triggered after this time and of which their customers were not told, oldest first. */
export const readUntoldTriggers = (queries: Queries, afterMs: number, limit: number): Promise<WaitingRow[]> =>
  WAITING.query(queries, UNTOLD, [afterMs, limit]);

export async function insertTriggerNotices(queries: Queries, rows: readonly WaitingRow[]): Promise<void> {
  await queries.query(TOLD, KEYS.values(rows));
}

const INSERT = statement(
  'contracts.insert_waiting',
  `INSERT INTO contracts.waiting (${WAITING.names}, seal)
   SELECT * FROM unnest(${WAITING.arrays}, $${WAITING.names.split(',').length + 1}::uuid[])`,
);
const END = statement('contracts.end_waiting', `SELECT contracts.end_waiting(${ENDS.arrays})`);

/** The seal over what never changes about a waiting order. The checker's SQL composes the same text. */
const sealOf = (key: KeyObject, row: WaitingRow): string =>
  rowSeal(
    key,
    `waiting ${row.coin} ${row.sequence} ${row.customer} ${row.journal} ${row.side} ${row.trigger} ${row.triggerPrice} ${row.type} ${row.timeInForce} ${row.postOnly} ${row.price ?? ''} ${row.quantity ?? ''} ${row.amount ?? ''} ${row.makerBps} ${row.takerBps} ${row.acceptedMs} ${row.armedMs} ${row.replaces ?? ''} ${row.pair ?? ''}`,
  );

export function writeWaitingChanges(
  queries: Queries,
  changes: readonly BookChanges[],
  orderKey: KeyObject,
): Promise<unknown>[] {
  const inserted = changes.flatMap(({ waitingInserted }) => waitingInserted);
  const updated = changes.flatMap(({ waitingUpdated }) => waitingUpdated);
  const seals = inserted.map((row) => sealOf(orderKey, row));
  return [
    ...(inserted.length === 0 ? [] : [queries.query(INSERT, [...WAITING.values(inserted), arrayLiteral(seals)])]),
    ...(updated.length === 0 ? [] : [queries.query(END, ENDS.values(updated))]),
  ];
}

const READ_PASSED = statement('contracts.read_passed', 'SELECT passed_ms FROM contracts.book WHERE coin = $1');
const PASS = statement('contracts.pass_ticks', 'SELECT contracts.pass_ticks($1, $2, $3)');

/** Up to which time of ticks the coin's orders were triggered. */
export async function readPassedMs(queries: Queries, coin: CoinCode): Promise<number> {
  const [row] = await queries.query<{ passed_ms: bigint }>(READ_PASSED, [coin]);
  return Number(row?.passed_ms ?? 0);
}

/** Does nothing under a lease that was lost, so that it cannot hide ticks from its successor. */
export async function writePassedMs(queries: Queries, coin: CoinCode, lease: bigint, uptoMs: number): Promise<void> {
  await queries.query(PASS, [coin, lease, uptoMs]);
}
