import { type Queries, statement, type Transaction } from '../../../platform/database/index.ts';
import type { LimitState } from './rate-limit.ts';

interface LimitRow {
  subject: Buffer;
  count: number;
  since: Date;
  at: Date;
  blocked_until: Date | null;
}

const open = statement(
  'customers.open_allowances',
  `INSERT INTO customers.allowance (subject, since, at) SELECT subject, $2, $2 FROM unnest($1::bytea[]) AS s(subject)
   ORDER BY subject ON CONFLICT (subject) DO NOTHING`,
);
// Locks rows in the order of the subjects, so that callers do not deadlock.
const lock = statement(
  'customers.lock_allowances',
  'SELECT subject, count, since, at, blocked_until FROM customers.allowance WHERE subject = ANY($1) ORDER BY subject FOR UPDATE',
);
const read = statement(
  'customers.read_allowances',
  'SELECT subject, count, since, at, blocked_until FROM customers.allowance WHERE subject = ANY($1)',
);
const save = statement(
  'customers.save_allowances',
  `UPDATE customers.allowance a SET count = n.count, since = n.since, at = n.at, blocked_until = n.blocked_until
   FROM unnest($1::bytea[], $2::int[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) AS n(subject, count, since, at, blocked_until)
   WHERE a.subject = n.subject`,
);
// Resets the row but does not delete it, because a try that waits for its lock must find it.
const clear = statement(
  'customers.clear_allowances',
  `UPDATE customers.allowance SET count = 0, blocked_until = NULL
   WHERE subject IN (SELECT subject FROM customers.allowance WHERE subject = ANY($1) ORDER BY subject FOR UPDATE)`,
);
const sweep = statement(
  'customers.sweep_allowances',
  'DELETE FROM customers.allowance WHERE at < $1 AND (blocked_until IS NULL OR blocked_until < $1)',
);

const byteOrder = (subjects: readonly Buffer[]): Buffer[] => [...subjects].sort((a, b) => Buffer.compare(a, b));

function statesOf(rows: readonly LimitRow[]): Map<string, LimitState> {
  return new Map(
    rows
      // A row without tries exists only so that it can be locked.
      .filter((row) => row.count > 0)
      .map((row) => [
        row.subject.toString('hex'),
        { count: row.count, since: row.since, at: row.at, blockedUntil: row.blocked_until },
      ]),
  );
}

/** States by subject (hex), locked until the transaction ends. A subject without tries is absent. */
export async function lockLimitStates(
  transaction: Transaction,
  subjects: readonly Buffer[],
  now: Date,
): Promise<Map<string, LimitState>> {
  const ordered = byteOrder(subjects);
  await transaction.query(open, [ordered, now]);
  return statesOf(await transaction.query<LimitRow>(lock, [ordered]));
}

export async function readLimitStates(queries: Queries, subjects: readonly Buffer[]): Promise<Map<string, LimitState>> {
  return statesOf(await queries.query<LimitRow>(read, [subjects]));
}

export async function saveLimitStates(
  transaction: Transaction,
  states: readonly { subject: Buffer; state: LimitState }[],
): Promise<void> {
  await transaction.query(save, [
    states.map(({ subject }) => subject),
    states.map(({ state }) => state.count),
    states.map(({ state }) => state.since),
    states.map(({ state }) => state.at),
    states.map(({ state }) => state.blockedUntil),
  ]);
}

export async function clearLimitStates(queries: Queries, subjects: readonly Buffer[]): Promise<void> {
  await queries.query(clear, [byteOrder(subjects)]);
}

export async function sweepLimitStates(queries: Queries, before: Date): Promise<void> {
  await queries.query(sweep, [before]);
}
