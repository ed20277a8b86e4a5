import type { FactorResetState } from '@sathorn/settlement';
import { type Queries, statement } from '../../../platform/database/index.ts';

export interface FactorResetRow {
  readonly id: string;
  readonly customer: bigint;
  readonly asked_at: Date;
  readonly due_at: Date;
  readonly device: string;
  readonly address: string;
  readonly is_known_device: boolean;
  readonly is_known_network: boolean;
  readonly approval: string;
  readonly state: FactorResetState;
  readonly ended_at: Date | null;
  readonly stopped_by: ResetStopper | null;
}
export type ResetStopper = 'session' | 'word' | 'factor' | 'staff';

const ROW =
  'id, customer, asked_at, due_at, device, address, is_known_device, is_known_network, approval, state, ended_at, stopped_by';

const NOW = statement('customers.database_time', 'SELECT clock_timestamp() AS at');
const INSERT = statement(
  'customers.insert_factor_reset',
  `INSERT INTO customers.factor_reset (id, customer, device, address, is_known_device, is_known_network, approval)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${ROW}`,
);
const FIND = statement('customers.find_factor_reset', `SELECT ${ROW} FROM customers.factor_reset WHERE id = $1`);
const LATEST = statement(
  'customers.latest_factor_reset',
  `SELECT ${ROW} FROM customers.factor_reset WHERE customer = $1 ORDER BY asked_at DESC LIMIT 1`,
);
const EARLIER = statement(
  'customers.earlier_factor_resets',
  `SELECT ${ROW} FROM customers.factor_reset WHERE customer = $1 AND asked_at < $2 ORDER BY asked_at DESC LIMIT 10`,
);
const LOCK = statement(
  'customers.lock_factor_reset',
  `SELECT ${ROW} FROM customers.factor_reset WHERE id = $1 AND state = 'waiting' FOR UPDATE`,
);
const END = statement(
  'customers.end_factor_reset',
  'UPDATE customers.factor_reset SET state = $2, stopped_by = $3 WHERE id = $1',
);
const FACTS = statement(
  'customers.facts_of_factor_reset',
  `SELECT customers.factor_used_at($1) AS factor_used_at, customers.is_barred($1) AS is_frozen, clock_timestamp() AS now,
     EXISTS (SELECT FROM customers.second_factor WHERE customer = $1 AND confirmed_at IS NOT NULL)
       OR EXISTS (SELECT FROM customers.passkey WHERE customer = $1) AS has_factor`,
);
const DUE = statement(
  'customers.due_factor_resets',
  `SELECT id FROM customers.factor_reset WHERE state = 'waiting' AND due_at <= clock_timestamp() ORDER BY due_at LIMIT 10000`,
);
const IN_USE = statement(
  'customers.used_factor_resets',
  `SELECT id FROM customers.factor_reset WHERE state = 'waiting' AND customers.factor_used_at(customer) >= asked_at LIMIT 100`,
);
const REMIND = statement(
  'customers.remind_of_factor_resets',
  `UPDATE customers.factor_reset SET reminded_at = clock_timestamp() WHERE id IN (
     SELECT id FROM customers.factor_reset WHERE state = 'waiting' AND reminded_at IS NULL AND due_at <= clock_timestamp() + make_interval(secs => $1)
     ORDER BY due_at FOR UPDATE SKIP LOCKED LIMIT 100) RETURNING ${ROW}`,
);
const LIST_WAITING = statement(
  'customers.list_waiting_factor_resets',
  `SELECT ${ROW} FROM customers.factor_reset WHERE state = 'waiting' ORDER BY due_at, id LIMIT 200`,
);
const LIST_ENDED = statement(
  'customers.list_ended_factor_resets',
  `SELECT ${ROW} FROM customers.factor_reset WHERE state <> 'waiting' ORDER BY ended_at DESC, id LIMIT 100`,
);
const DROP_PASSKEYS = statement('customers.drop_passkeys', 'DELETE FROM customers.passkey WHERE customer = $1');

/** The database's time, which no application process can set; resets are decided by it. */
export async function readDatabaseTime(queries: Queries): Promise<Date> {
  const [row] = await queries.query<{ at: Date }>(NOW);
  if (!row) throw new Error('the database told no time');
  return row.at;
}

export async function insertFactorReset(
  queries: Queries,
  row: Pick<
    FactorResetRow,
    'id' | 'customer' | 'device' | 'address' | 'is_known_device' | 'is_known_network' | 'approval'
  >,
): Promise<FactorResetRow> {
  const values = [
    row.id,
    row.customer,
    row.device,
    row.address,
    row.is_known_device,
    row.is_known_network,
    row.approval,
  ];
  const [inserted] = await queries.query<FactorResetRow>(INSERT, values);
  if (!inserted) throw new Error('no reset was written');
  return inserted;
}

const first = async (queries: Queries, text: Parameters<Queries['query']>[0], value: unknown) =>
  (await queries.query<FactorResetRow>(text, [value]))[0] ?? null;

export const findFactorReset = (queries: Queries, id: string) => first(queries, FIND, id);
export const findLatestFactorReset = (queries: Queries, customer: bigint) => first(queries, LATEST, customer);
/** Locks the reset; null if it has ended. */
export const lockFactorReset = (queries: Queries, id: string) => first(queries, LOCK, id);

export function listEarlierResets(queries: Queries, customer: bigint, before: Date): Promise<FactorResetRow[]> {
  return queries.query<FactorResetRow>(EARLIER, [customer, before]);
}

/** The database refuses `done` before the due time, without two people's votes, or if the factor was used. */
export async function endFactorReset(
  queries: Queries,
  id: string,
  state: Exclude<FactorResetState, 'waiting'>,
  stoppedBy: ResetStopper | null = null,
): Promise<void> {
  await queries.query(END, [id, state, stoppedBy]);
}

export interface FactorResetFacts {
  readonly factor_used_at: Date | null;
  readonly is_frozen: boolean;
  readonly now: Date;
  readonly has_factor: boolean;
}
export async function readFactorResetFacts(queries: Queries, customer: bigint): Promise<FactorResetFacts> {
  const [row] = await queries.query<FactorResetFacts>(FACTS, [customer]);
  if (!row) throw new Error(`no customer ${customer}`);
  return row;
}

const ids = async (queries: Queries, text: Parameters<Queries['query']>[0]) =>
  (await queries.query<{ id: string }>(text)).map(({ id }) => id);
export const listDueResets = (queries: Queries) => ids(queries, DUE);
export const listUsedResets = (queries: Queries) => ids(queries, IN_USE);

/** Marks the resets that end within this time, each once, and returns them. */
export function takeResetsToRemind(queries: Queries, withinMs: number): Promise<FactorResetRow[]> {
  return queries.query<FactorResetRow>(REMIND, [withinMs / 1_000]);
}

export function listFactorResetRows(queries: Queries, isWaiting: boolean): Promise<FactorResetRow[]> {
  return queries.query<FactorResetRow>(isWaiting ? LIST_WAITING : LIST_ENDED);
}

export async function dropPasskeys(queries: Queries, customer: bigint): Promise<void> {
  await queries.query(DROP_PASSKEYS, [customer]);
}
