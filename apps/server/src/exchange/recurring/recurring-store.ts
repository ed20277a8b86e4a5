import type { KeyObject } from 'node:crypto';
import type { CoinCode, Price } from '@sathorn/money';
import type { Recurrence, RecurringBounds } from '@sathorn/settlement';
import {
  arrayLiteral,
  column,
  type Queries,
  statement,
  type Transaction,
  table,
} from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';

/** An instruction in the form of its row. Amount and price are in smallest units. */
export interface InstructionRow extends Recurrence {
  readonly id: string;
  readonly customer: bigint;
  readonly digest: string;
  readonly coin: CoinCode;
  readonly amount: bigint;
  readonly priceMax: Price | null;
  readonly times: number | null;
  readonly timeZone: string;
  readonly createdMs: number;
  readonly state: RecurringBounds['state'];
  readonly changedMs: number;
  readonly lastDay: number;
  readonly attempts: number;
  readonly bought: number;
  readonly nextMs: number | null;
}
export interface ExecutionRow {
  readonly instruction: string;
  readonly number: number;
  readonly day: number;
  readonly atMs: number;
  readonly order: number | null;
  readonly refusal: string | null;
}

const { bigint, integer, number, text, nullable, named, uuid } = column;

const INSTRUCTIONS = table<InstructionRow>({
  id: uuid,
  customer: named('customer_id', bigint),
  digest: text(),
  coin: text(),
  amount: bigint,
  every: text(),
  day: nullable(integer),
  hour: integer,
  priceMax: nullable(column.price),
  times: nullable(integer),
  timeZone: text(),
  createdMs: number,
  state: text(),
  changedMs: number,
  lastDay: integer,
  attempts: integer,
  bought: integer,
  nextMs: nullable(number),
});
const NEW = INSTRUCTIONS.only(
  'id',
  'customer',
  'digest',
  'coin',
  'amount',
  'every',
  'day',
  'hour',
  'priceMax',
  'times',
  'timeZone',
  'createdMs',
  'changedMs',
  'lastDay',
  'nextMs',
);
const EXECUTIONS = table<ExecutionRow>({
  instruction: uuid,
  number: integer,
  day: integer,
  atMs: number,
  order: named('order_sequence', nullable(number)),
  refusal: nullable(text()),
});

const select = (name: string, rest: string) =>
  statement(`recurring.${name}`, `SELECT ${INSTRUCTIONS.names} FROM recurring.instruction ${rest}`);
const FIND = select('find', 'WHERE id = $1');
const LOCK = select('lock', 'WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE');
const LIST = select(
  'list',
  `WHERE customer_id = $1 AND (state IN ('active', 'paused') OR arrival >= coalesce(
     (SELECT arrival FROM recurring.instruction WHERE customer_id = $1 ORDER BY arrival DESC OFFSET $2 LIMIT 1), 0))
   ORDER BY arrival DESC`,
);
const DUE = select(
  'due',
  `WHERE state = 'active' AND coalesce(next_ms, 0) <= $1 ORDER BY coalesce(next_ms, 0), arrival LIMIT $2`,
);
const LOCK_CUSTOMER = statement(
  'recurring.lock_customer',
  `SELECT pg_advisory_xact_lock(hashtextextended('recurring ' || $1::text, 0))`,
);
const COUNT = statement(
  'recurring.count',
  `SELECT count(*)::integer AS n FROM recurring.instruction WHERE customer_id = $1 AND state IN ('active', 'paused')`,
);
const INSERT = statement(
  'recurring.insert',
  `INSERT INTO recurring.instruction (${NEW.names}, seal) SELECT * FROM unnest(${NEW.arrays}, $${NEW.names.split(',').length + 1}::uuid[])`,
);
const CHANGE = statement(
  'recurring.change',
  `UPDATE recurring.instruction SET state = $2, changed_ms = $3, last_day = greatest(last_day, $4::integer), next_ms = $5 WHERE id = $1`,
);
const ADVANCE = statement(
  'recurring.advance',
  `UPDATE recurring.instruction SET next_ms = $2 WHERE id = $1 AND state = 'active' AND attempts = $3 AND last_day = $4`,
);
const SKIP = statement(
  'recurring.skip',
  `WITH skipped AS (
     INSERT INTO recurring.execution (instruction, number, day, at_ms, refusal) VALUES ($1, $2, $3, $4, $5))
   UPDATE recurring.instruction SET attempts = $2, last_day = $3, next_ms = NULL WHERE id = $1`,
);
const LIST_EXECUTIONS = statement(
  'recurring.list_executions',
  `SELECT ${EXECUTIONS.names} FROM recurring.execution
   WHERE instruction = $1 AND number < coalesce($2::integer, 2147483647) ORDER BY number DESC LIMIT $3`,
);

/** The seal over what never changes about an instruction. The checker's SQL composes the same text. */
const sealOf = (key: KeyObject, row: InstructionRow): string =>
  rowSeal(
    key,
    `recurring ${row.id} ${row.customer} ${row.coin} ${row.amount} ${row.every} ${row.day ?? ''} ${row.hour} ${row.priceMax ?? ''} ${row.times ?? ''} ${row.timeZone} ${row.createdMs}`,
  );

export async function findInstruction(queries: Queries, id: string): Promise<InstructionRow | undefined> {
  return (await INSTRUCTIONS.query(queries, FIND, [id]))[0];
}

/** Locks instructions until the transaction ends, by id. An order in their name is accepted under this lock. */
export async function lockRecurring(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InstructionRow>> {
  const rows = await INSTRUCTIONS.query(queries, LOCK, [arrayLiteral(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** All that are active or paused, and the newest of the others. */
export const listInstructions = (queries: Queries, customer: bigint, newest: number): Promise<InstructionRow[]> =>
  INSTRUCTIONS.query(queries, LIST, [customer, newest]);

export const readDue = (queries: Queries, nowMs: number, limit: number): Promise<InstructionRow[]> =>
  INSTRUCTIONS.query(queries, DUE, [nowMs, limit]);

/** Locks the customer until the transaction ends, so that two at once can't both take the last place. */
export async function lockAndCountActive(transaction: Transaction, customer: bigint): Promise<number> {
  await transaction.query(LOCK_CUSTOMER, [String(customer)]);
  return (await transaction.query<{ n: number }>(COUNT, [customer]))[0]?.n ?? 0;
}

export async function insertInstruction(queries: Queries, row: InstructionRow, key: KeyObject): Promise<void> {
  await queries.query(INSERT, [...NEW.values([row]), arrayLiteral([sealOf(key, row)])]);
}

/** Writes another state. `lastDay` only grows. */
export async function changeInstruction(
  transaction: Transaction,
  { id, state, changedMs, lastDay, nextMs }: InstructionRow,
): Promise<void> {
  await transaction.query(CHANGE, [id, state, changedMs, lastDay, nextMs]);
}

/** Sets the next time, unless something happened since the row was read. */
export async function advanceInstruction(queries: Queries, row: InstructionRow, nextMs: number): Promise<void> {
  await queries.query(ADVANCE, [row.id, nextMs, row.attempts, row.lastDay]);
}

export async function insertSkip(transaction: Transaction, skip: Omit<ExecutionRow, 'order'>): Promise<void> {
  await transaction.query(SKIP, [skip.instruction, skip.number, skip.day, skip.atMs, skip.refusal]);
}

/** Newest first. */
export const listExecutionRows = (
  queries: Queries,
  instruction: string,
  before: number | null,
  limit: number,
): Promise<ExecutionRow[]> => EXECUTIONS.query(queries, LIST_EXECUTIONS, [instruction, before, limit]);
