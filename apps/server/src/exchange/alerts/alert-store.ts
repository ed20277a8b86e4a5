import { arrayLiteral, type Queries, statement, type Transaction } from '../../platform/database/index.ts';

export interface AlertRow {
  readonly id: string;
  readonly customer: bigint;
  readonly coin: string;
  readonly side: 'above' | 'below';
  readonly price: bigint;
  readonly mode: 'once' | 'each';
  readonly is_on: boolean;
  readonly created_at: Date;
  readonly fired_at: Date | null;
  readonly fired_price: bigint | null;
  readonly fired_sequence: bigint | null;
}
export interface FiringRow {
  readonly id: bigint;
  readonly customer: bigint;
  readonly coin: string;
  readonly side: 'above' | 'below';
  readonly price: bigint;
  readonly sequence: bigint;
  readonly tick_price: bigint;
  readonly at: Date;
}
interface AlertTick {
  readonly sequence: bigint;
  readonly price: bigint;
  readonly at: Date;
}

const COLUMNS = 'id, customer, coin, side, price, mode, is_on, created_at, fired_at, fired_price, fired_sequence';
const LIST = statement(
  'alerts.list',
  `SELECT ${COLUMNS} FROM alerts.alert WHERE customer = $1 AND removed_at IS NULL ORDER BY created_at DESC, id`,
);
const LOCK = statement(
  'alerts.lock_customer',
  `SELECT pg_advisory_xact_lock(hashtextextended('alerts ' || $1::text, 0))`,
);
const COUNT = statement(
  'alerts.count',
  'SELECT count(*)::integer AS n FROM alerts.alert WHERE customer = $1 AND removed_at IS NULL',
);
const INSERT = statement(
  'alerts.insert',
  `INSERT INTO alerts.alert (id, customer, coin, side, price, mode, after_sequence, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const FIND = statement(
  'alerts.find',
  `SELECT ${COLUMNS} FROM alerts.alert WHERE id = $1 AND customer = $2 AND removed_at IS NULL`,
);
const SWITCH = statement(
  'alerts.switch',
  'UPDATE alerts.alert SET is_on = $2, is_armed = true, after_sequence = $3 WHERE id = $1 AND removed_at IS NULL',
);
const REMOVE = statement(
  'alerts.remove',
  'UPDATE alerts.alert SET removed_at = $3, is_on = false WHERE id = $1 AND customer = $2 AND removed_at IS NULL RETURNING id',
);
const CURSORS = statement('alerts.cursors', 'SELECT coin, sequence, at FROM alerts.cursor');
const TAKE = statement('alerts.take_ticks', 'SELECT alerts.take_ticks($1, $2, $3, $4) AS fired');
const TAKE_NEWEST = statement(
  'alerts.take_newest',
  `SELECT coalesce(sum(alerts.take_ticks(coin, ARRAY[sequence], ARRAY[price], ARRAY[at])), 0)::integer AS fired
   FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) AS newest(coin, sequence, price, at)`,
);
const DUE = statement(
  'alerts.due',
  `SELECT id, customer, coin, side, price, sequence, tick_price, at FROM alerts.firing
   WHERE notified_at IS NULL ORDER BY id LIMIT 200`,
);
const NOTIFIED = statement('alerts.notified', 'UPDATE alerts.firing SET notified_at = $2 WHERE id = ANY ($1)');

export const listAlertRows = (queries: Queries, customer: bigint): Promise<AlertRow[]> =>
  queries.query<AlertRow>(LIST, [customer]);

/** Locks the customer until the transaction ends, so that two concurrent alerts can't both take the last free slot. */
export async function lockAndCountAlerts(transaction: Transaction, customer: bigint): Promise<number> {
  await transaction.query(LOCK, [String(customer)]);
  const [row] = await transaction.query<{ n: number }>(COUNT, [customer]);
  return row?.n ?? 0;
}

export async function insertAlert(
  queries: Queries,
  alert: Pick<AlertRow, 'id' | 'customer' | 'coin' | 'side' | 'price' | 'mode' | 'created_at'>,
  afterSequence: bigint,
): Promise<void> {
  const { id, customer, coin, side, price, mode, created_at: createdAt } = alert;
  await queries.query(INSERT, [id, customer, coin, side, price, mode, afterSequence, createdAt]);
}

export async function findAlert(queries: Queries, id: string, customer: bigint): Promise<AlertRow | undefined> {
  const [row] = await queries.query<AlertRow>(FIND, [id, customer]);
  return row;
}

export async function switchAlertRow(queries: Queries, id: string, isOn: boolean, after: bigint): Promise<void> {
  await queries.query(SWITCH, [id, isOn, after]);
}

export async function removeAlertRow(queries: Queries, id: string, customer: bigint, now: Date): Promise<boolean> {
  return (await queries.query(REMOVE, [id, customer, now])).length > 0;
}

export async function readTickCursors(queries: Queries): Promise<ReadonlyMap<string, { sequence: bigint; at: Date }>> {
  const rows = await queries.query<{ coin: string; sequence: bigint; at: Date }>(CURSORS);
  return new Map(rows.map(({ coin, sequence, at }) => [coin, { sequence, at }]));
}

/** Returns how many alerts were triggered. Ignores ticks that were processed before. */
export async function fireAlertsOnTicks(queries: Queries, coin: string, ticks: readonly AlertTick[]): Promise<number> {
  const [row] = await queries.query<{ fired: number }>(TAKE, [
    coin,
    arrayLiteral(ticks.map(({ sequence }) => sequence)),
    arrayLiteral(ticks.map(({ price }) => price)),
    ticks.map(({ at }) => at),
  ]);
  return row?.fired ?? 0;
}

/** Like `fireAlertsOnTicks`, for one tick of each of several coins. */
export async function fireAlertsOnNewestTicks(
  queries: Queries,
  ticks: readonly (AlertTick & { readonly coin: string })[],
): Promise<number> {
  const [row] = await queries.query<{ fired: number }>(TAKE_NEWEST, [
    arrayLiteral(ticks.map(({ coin }) => coin)),
    arrayLiteral(ticks.map(({ sequence }) => sequence)),
    arrayLiteral(ticks.map(({ price }) => price)),
    ticks.map(({ at }) => at),
  ]);
  return row?.fired ?? 0;
}

export const readUnnotifiedFirings = (queries: Queries): Promise<FiringRow[]> => queries.query<FiringRow>(DUE);

export async function markFiringsNotified(queries: Queries, ids: readonly bigint[], now: Date): Promise<void> {
  await queries.query(NOTIFIED, [arrayLiteral(ids), now]);
}
