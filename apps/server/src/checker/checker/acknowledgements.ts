import type pg from 'pg';
import type { AcknowledgedSubjects, Violation } from './run-invariants.ts';

/** Subjects that the owner has acknowledged; they are not reported again. */
export async function readAcknowledgements(client: pg.ClientBase): Promise<AcknowledgedSubjects> {
  const { rows } = await client.query<{ invariant: string; subject: string }>(
    'SELECT invariant, subject FROM ledger.acknowledgement a JOIN ledger.violation v ON v.id = a.violation',
  );
  const acknowledged = new Map<string, Set<string>>();
  for (const { invariant, subject } of rows)
    acknowledged.set(invariant, (acknowledged.get(invariant) ?? new Set()).add(subject));
  return acknowledged;
}

/** Stores violations, each subject once. */
export async function reportViolations(client: pg.ClientBase, violations: readonly Violation[]): Promise<void> {
  const each = violations.flatMap(({ invariant, says, subjects }) =>
    subjects.map((subject) => ({ invariant, says, subject })),
  );
  if (each.length === 0) return;
  await client.query('SELECT ledger.report_violations($1, $2, $3)', [
    each.map(({ invariant }) => invariant),
    each.map(({ subject }) => subject),
    each.map(({ says }) => says),
  ]);
}
