import pg from 'pg';
import { type Connection, isConnectionFault } from '../database/index.ts';
import { FREQUENT, type Invariant, THOROUGH } from './invariants.ts';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
  readonly subjects: readonly string[];
}

const SUBJECTS_MAX = 20;

/** A value that no query can work with, such as a tick whose text is no JSON: nothing of ours writes one. */
function isBadData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^22/.test(String(error.code));
}

/**
 * One snapshot for all of them: what is posted between two queries must not look like a breach. One that can't be checked hides none of
 * the others: it is thrown only when they found nothing.
 */
export async function runInvariants(client: pg.ClientBase, invariants: readonly Invariant[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  const faults: unknown[] = [];
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    for (const { id, says, text } of invariants) {
      await client.query('SAVEPOINT invariant');
      try {
        const { rows } = await client.query<{ subject: string }>(`${text} LIMIT ${SUBJECTS_MAX}`);
        if (rows.length > 0) violations.push({ invariant: id, says, subjects: rows.map((row) => row.subject) });
      } catch (error) {
        if (isConnectionFault(error)) throw error;
        await client.query('ROLLBACK TO SAVEPOINT invariant');
        if (isBadData(error)) violations.push({ invariant: id, says, subjects: [error.message] });
        else faults.push(error);
      }
    }
  } finally {
    await client.query('ROLLBACK');
  }
  if (violations.length === 0 && faults.length > 0) throw faults[0];
  return violations;
}

/** Why the ledger refuses every transfer; null when it doesn't. */
export async function readHalt(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ halted: string | null }>('SELECT halted FROM ledger.head');
  return rows[0]?.halted ?? null;
}

/** All invariants once, as the checker's role. */
export async function findViolations(checker: Connection): Promise<Violation[]> {
  const client = new pg.Client(checker);
  await client.connect();
  try {
    return await runInvariants(client, [...FREQUENT, ...THOROUGH]);
  } finally {
    await client.end();
  }
}
