import pg from 'pg';
import type { Connection } from '../database/index.ts';
import { FREQUENT, type Invariant, THOROUGH } from './invariants.ts';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
  readonly subjects: readonly string[];
}

const SUBJECTS_MAX = 20;

/** One snapshot for all of them: what is posted between two queries must not look like a breach. */
export async function runInvariants(client: pg.ClientBase, invariants: readonly Invariant[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    for (const { id, says, text } of invariants) {
      const { rows } = await client.query<{ subject: string }>(`${text} LIMIT ${SUBJECTS_MAX}`);
      if (rows.length > 0) violations.push({ invariant: id, says, subjects: rows.map((row) => row.subject) });
    }
  } finally {
    await client.query('ROLLBACK');
  }
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
