import type { KeyObject } from 'node:crypto';
import { type Money, money, type Rate } from '@sathorn/money';
import type { StandingBounds, StandingSource } from '@sathorn/settlement';
import {
  arrayLiteral,
  column,
  type Queries,
  statement,
  type Transaction,
  table,
} from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import type { NamedStanding, Standings } from '../earning/index.ts';

/** An instruction in the form of its row. Amounts are in the smallest units of USDT. */
export interface InstructionRow {
  readonly id: string;
  readonly customer: bigint;
  readonly digest: string;
  readonly kind: StandingBounds['kind'];
  readonly lockup: string | null;
  /** 1 is liquidity. */
  readonly product: number;
  readonly rateMin: bigint | null;
  readonly amountMin: bigint | null;
  readonly amountMax: bigint | null;
  readonly createdMs: number;
  readonly state: StandingBounds['state'];
  readonly changedMs: number;
  readonly attempts: number;
  readonly done: number;
  readonly current: string | null;
  /** Why the newest execution was skipped; null if it was not. */
  readonly reason: string | null;
}
export interface ExecutionRow {
  readonly instruction: string;
  readonly number: number;
  readonly source: string;
  readonly units: bigint;
  readonly atMs: number;
  readonly made: string | null;
  readonly refusal: string | null;
}
/** An instruction with the source that is due. */
export interface DueRow extends InstructionRow {
  readonly source: StandingSource;
}
/** An execution that its customer has no notice of yet. */
interface UntoldRow extends ExecutionRow {
  readonly customer: bigint;
  readonly kind: StandingBounds['kind'];
  readonly product: number;
  readonly amountMax: bigint | null;
}

const LIQUIDITY = 1;
export const productOf = ({ product }: Pick<InstructionRow, 'product'>): number | null =>
  product === LIQUIDITY ? null : product;

const { bigint, integer, number, text, nullable, named, uuid } = column;

const INSTRUCTION = {
  id: uuid,
  customer: named('customer_id', bigint),
  digest: text<string>(),
  kind: text<StandingBounds['kind']>(),
  lockup: nullable(uuid),
  product: integer,
  rateMin: nullable(bigint),
  amountMin: nullable(bigint),
  amountMax: nullable(bigint),
  createdMs: number,
  state: text<StandingBounds['state']>(),
  changedMs: number,
  attempts: integer,
  done: integer,
  current: nullable(uuid),
};
const REASON = {
  reason: column.computed(
    '(SELECT e.refusal FROM standing.execution e WHERE e.instruction = i.id AND e.number = i.attempts)',
    nullable(text<string>()),
  ),
};
const INSTRUCTIONS = table<InstructionRow>({ ...INSTRUCTION, ...REASON });
const NEW = INSTRUCTIONS.only(
  'id',
  'customer',
  'digest',
  'kind',
  'lockup',
  'product',
  'rateMin',
  'amountMin',
  'amountMax',
  'createdMs',
  'changedMs',
);
const EXECUTION = {
  instruction: uuid,
  number: integer,
  source: uuid,
  units: bigint,
  atMs: number,
  made: nullable(uuid),
  refusal: nullable(text<string>()),
};
const EXECUTIONS = table<ExecutionRow>(EXECUTION);
const UNTOLD = table<UntoldRow>({
  ...EXECUTION,
  customer: named('customer_id', bigint),
  kind: text(),
  product: integer,
  amountMax: nullable(bigint),
});
interface SourceRow {
  readonly sourceId: string;
  readonly sourceKind: StandingSource['kind'];
  readonly sourceCustomer: bigint;
  readonly sourceUnits: bigint;
  readonly endDay: number | null;
  readonly creditedAt: Date | null;
}
const SOURCE = {
  sourceId: column.computed('s.id', uuid),
  sourceKind: column.computed('s.kind', text<StandingSource['kind']>()),
  sourceCustomer: column.computed('s.customer_id', bigint),
  sourceUnits: column.computed('s.units', bigint),
  endDay: column.computed('s.end_day', nullable(integer)),
  creditedAt: column.computed('s.credited_at', nullable(column.time)),
};
const SOURCES = table<SourceRow>(SOURCE);
const sourceOf = (row: SourceRow): StandingSource => ({
  id: row.sourceId,
  kind: row.sourceKind,
  customer: row.sourceCustomer,
  amount: money('USDT', row.sourceUnits),
  endDay: row.endDay,
  creditedMs: row.creditedAt?.getTime() ?? null,
});
const DUE = table<InstructionRow & SourceRow>({
  ...(Object.fromEntries(
    Object.entries(INSTRUCTION).map(([property, of]) => {
      const name = 'name' in of ? of.name : property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [property, { ...of, expression: `i.${name}` }];
    }),
  ) as unknown as typeof INSTRUCTION),
  ...REASON,
  ...SOURCE,
});

const select = (name: string, rest: string) =>
  statement(`standing.${name}`, `SELECT ${INSTRUCTIONS.names} FROM standing.instruction i ${rest}`);
const FIND = select('find', 'WHERE id = $1');
const LOCK = select('lock', 'WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE');
const LIST = select(
  'list',
  `WHERE customer_id = $1 AND ($3::text IS NULL OR kind = $3) AND (state = 'active' OR arrival >= coalesce(
     (SELECT arrival FROM standing.instruction WHERE customer_id = $1 AND ($3::text IS NULL OR kind = $3) ORDER BY arrival DESC OFFSET $2 LIMIT 1), 0))
   ORDER BY arrival DESC`,
);
const READ_SOURCES = statement(
  'standing.read_sources',
  `SELECT ${SOURCES.names} FROM standing.source s WHERE id = ANY ($1::uuid[])`,
);
// Only lock-ups whose principal is back are sources.
const DUE_RENEWALS = statement(
  'standing.due_renewals',
  `SELECT ${DUE.names} FROM standing.instruction i JOIN standing.source s ON s.id = i.current AND s.kind = 'renewal'
   WHERE i.state = 'active' AND i.kind = 'renewal' AND i.due_day <= $1 ORDER BY i.due_day, i.arrival LIMIT $2`,
);
const DUE_DEPOSITS = statement(
  'standing.due_deposits',
  `SELECT ${DUE.names} FROM standing.source s
   JOIN standing.instruction i ON i.customer_id = s.customer_id AND i.state = 'active' AND i.kind = 'deposits'
   WHERE s.kind = 'deposits' AND s.credited_at >= $1 AND s.credited_at >= to_timestamp(i.created_ms / 1000.0)
     AND NOT EXISTS (SELECT FROM standing.execution e WHERE e.source = s.id)
   ORDER BY s.credited_at, s.id LIMIT $2`,
);
const LOCK_CUSTOMER = statement(
  'standing.lock_customer',
  `SELECT pg_advisory_xact_lock(hashtextextended('standing ' || $1::text, 0))`,
);
const COUNT = statement(
  'standing.count',
  `SELECT count(*) FILTER (WHERE kind = 'deposits')::integer AS deposits, coalesce(bool_or(current = $2::uuid), false) AS is_renewed
   FROM standing.instruction WHERE customer_id = $1 AND state = 'active'`,
);
const INSERT = statement(
  'standing.insert',
  `INSERT INTO standing.instruction (${NEW.names}, seal) SELECT * FROM unnest(${NEW.arrays}, $${NEW.names.split(',').length + 1}::uuid[])`,
);
const REVOKE = statement(
  'standing.revoke',
  `UPDATE standing.instruction SET state = 'revoked', changed_ms = $2 WHERE id = $1`,
);
const SKIP = statement(
  'standing.skip',
  `INSERT INTO standing.execution (instruction, number, source, units, at_ms, refusal) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const LIST_EXECUTIONS = statement(
  'standing.list_executions',
  `SELECT ${EXECUTIONS.names} FROM standing.execution
   WHERE instruction = $1 AND number < coalesce($2::integer, 2147483647) ORDER BY number DESC LIMIT $3`,
);
const READ_UNTOLD = statement(
  'standing.read_untold',
  `SELECT ${UNTOLD.names} FROM (SELECT * FROM standing.execution WHERE NOT is_told ORDER BY at_ms LIMIT $1) e
   JOIN (SELECT id, customer_id, kind, product, amount_max FROM standing.instruction) i ON i.id = e.instruction`,
);
const TELL = statement(
  'standing.tell',
  'UPDATE standing.execution SET is_told = true WHERE instruction = $1 AND number = $2 AND NOT is_told',
);

/** The seal over what never changes about an instruction. The checker's SQL composes the same text. */
const sealOf = (key: KeyObject, row: InstructionRow): string =>
  rowSeal(
    key,
    `standing ${row.id} ${row.customer} ${row.kind} ${row.lockup ?? ''} ${row.product} ${row.rateMin ?? ''} ${row.amountMin ?? ''} ${row.amountMax ?? ''} ${row.createdMs}`,
  );

const usdtOrNull = (units: bigint | null): Money<'USDT'> | null => (units === null ? null : money('USDT', units));

export const boundsOf = (row: InstructionRow): StandingBounds => ({
  customer: row.customer,
  kind: row.kind,
  product: productOf(row),
  rateMin: row.rateMin as Rate | null,
  amountMin: usdtOrNull(row.amountMin),
  amountMax: usdtOrNull(row.amountMax),
  createdMs: row.createdMs,
  state: row.state,
  current: row.current,
});

export async function findInstruction(queries: Queries, id: string): Promise<InstructionRow | undefined> {
  return (await INSTRUCTIONS.query(queries, FIND, [id]))[0];
}

/** Locks an instruction until the transaction ends. A subscription in its name is accepted under this lock. */
export async function lockInstruction(transaction: Transaction, id: string): Promise<InstructionRow | undefined> {
  return (await INSTRUCTIONS.query(transaction, LOCK, [arrayLiteral([id])]))[0];
}

/** Locks instructions, in the order of their ids, and reads the sources that are named with them. */
export async function lockStanding(queries: Queries, subscriptions: readonly NamedStanding[]): Promise<Standings> {
  const ids = (of: readonly string[]) => arrayLiteral([...new Set(of)]);
  // Both are sent before either is awaited, so that they share the pipeline of the ledger's lock.
  const [instructions, sources] = await Promise.all([
    INSTRUCTIONS.query(queries, LOCK, [ids(subscriptions.map(({ instruction }) => instruction))]),
    SOURCES.query(queries, READ_SOURCES, [ids(subscriptions.map(({ source }) => source))]),
  ]);
  return new Map(
    subscriptions.map(({ instruction, source }) => {
      const [row, from] = [
        instructions.find(({ id }) => id === instruction),
        sources.find(({ sourceId }) => sourceId === source),
      ];
      return [source, { bounds: row && boundsOf(row), source: from && sourceOf(from) }];
    }),
  );
}

/** All that are active, and the newest of the others. */
export const listInstructions = (
  queries: Queries,
  customer: bigint,
  newest: number,
  kind: StandingBounds['kind'] | null,
): Promise<InstructionRow[]> => INSTRUCTIONS.query(queries, LIST, [customer, newest, kind]);

const dueOf = (rows: readonly (InstructionRow & SourceRow)[]): DueRow[] =>
  rows.map((row) => ({ ...row, source: sourceOf(row) }));

/** Renewals of lock-ups that ended on this day or before, and whose principal is back. */
export const readDueRenewals = async (queries: Queries, day: number, limit: number): Promise<DueRow[]> =>
  dueOf(await DUE.query(queries, DUE_RENEWALS, [day, limit]));

/** Deposits that were credited since then and that an instruction has neither subscribed nor skipped. */
export const readDueDeposits = async (queries: Queries, since: Date, limit: number): Promise<DueRow[]> =>
  dueOf(await DUE.query(queries, DUE_DEPOSITS, [since, limit]));

/** Locks the customer until the transaction ends, so that two at once can't both take the last place. */
export async function lockAndCountActive(
  transaction: Transaction,
  customer: bigint,
  lockup: string | null,
): Promise<{ readonly deposits: number; readonly isRenewed: boolean }> {
  await transaction.query(LOCK_CUSTOMER, [String(customer)]);
  const [row] = await transaction.query<{ deposits: number; is_renewed: boolean }>(COUNT, [customer, lockup]);
  return { deposits: row?.deposits ?? 0, isRenewed: row?.is_renewed ?? false };
}

export async function insertInstruction(queries: Queries, row: InstructionRow, key: KeyObject): Promise<void> {
  await queries.query(INSERT, [...NEW.values([row]), arrayLiteral([sealOf(key, row)])]);
}

export async function markRevoked(transaction: Transaction, id: string, atMs: number): Promise<void> {
  await transaction.query(REVOKE, [id, atMs]);
}

/** The database moves the instruction's number on, and ends a renewal. */
export async function insertSkip(transaction: Transaction, skip: Omit<ExecutionRow, 'made'>): Promise<void> {
  await transaction.query(SKIP, [skip.instruction, skip.number, skip.source, skip.units, skip.atMs, skip.refusal]);
}

/** Newest first. */
export const listExecutionRows = (
  queries: Queries,
  instruction: string,
  before: number | null,
  limit: number,
): Promise<ExecutionRow[]> => EXECUTIONS.query(queries, LIST_EXECUTIONS, [instruction, before, limit]);

/** Executions without a notice, oldest first. */
export const readUntold = (queries: Queries, limit: number): Promise<UntoldRow[]> =>
  UNTOLD.query(queries, READ_UNTOLD, [limit]);

export async function markTold(queries: Queries, { instruction, number: of }: ExecutionRow): Promise<void> {
  await queries.query(TELL, [instruction, of]);
}
