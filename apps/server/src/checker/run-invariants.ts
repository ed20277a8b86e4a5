import type pg from 'pg';
import { isConnectionFault } from '../database/index.ts';
import type { Invariant } from './invariants.ts';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
  readonly subjects: readonly string[];
}

const SUBJECTS_MAX = 20;

/** What a round has found. One that can't be checked hides none of the others: it is thrown only when they found nothing. */
export class Findings {
  readonly #violations = new Map<string, Violation>();
  readonly #faults: unknown[] = [];

  add(violation: Violation): void {
    const before = this.#violations.get(violation.invariant);
    const subjects = [...new Set([...(before?.subjects ?? []), ...violation.subjects])].slice(0, SUBJECTS_MAX);
    this.#violations.set(violation.invariant, { ...(before ?? violation), subjects });
  }

  fail(fault: unknown): void {
    this.#faults.push(fault);
  }

  get isAny(): boolean {
    return this.#violations.size > 0;
  }

  /** By the name of the invariant, each once. */
  violations(): Violation[] {
    if (this.#violations.size === 0 && this.#faults.length > 0) throw this.#faults[0];
    return [...this.#violations.values()].sort((a, b) => (a.invariant < b.invariant ? -1 : 1));
  }
}

/** A value that no query can work with, such as a tick whose text is no JSON: nothing of ours writes one. */
function isBadData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

/** What is posted between two queries must not look like a breach. */
export async function inSnapshot<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Within a snapshot. Whether all of them could be asked and hold. */
export async function runInvariants(
  client: pg.ClientBase,
  invariants: readonly Invariant[],
  findings: Findings,
  values: readonly (readonly string[])[] = [],
): Promise<boolean> {
  let isWell = true;
  for (const { id, says, text } of invariants) {
    await client.query('SAVEPOINT invariant');
    try {
      const { rows } = await client.query<{ subject: string }>(`${text} LIMIT ${SUBJECTS_MAX}`, [...values]);
      if (rows.length === 0) continue;
      findings.add({ invariant: id, says, subjects: rows.map((row) => row.subject) });
    } catch (error) {
      if (isConnectionFault(error)) throw error;
      await client.query('ROLLBACK TO SAVEPOINT invariant');
      if (isBadData(error)) findings.add({ invariant: id, says, subjects: [error.message] });
      else findings.fail(error);
    }
    isWell = false;
  }
  return isWell;
}
