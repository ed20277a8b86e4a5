import pg from 'pg';
import { isConnectionFault } from '../../platform/database/index.ts';
import type { Invariant } from './invariant.ts';
import { KnownKeys } from './known-keys.ts';
import type { GivenRelations } from './scan.ts';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
  readonly subjects: readonly string[];
  /** False for a violation that is reported but does not halt money; true when absent. */
  readonly isHalting?: boolean;
}

const SUBJECTS_MAX = 20;
const NONE: ReadonlySet<string> = new Set();
const NO_KEYS = new KnownKeys([]);

/** The acknowledged subjects of each invariant, which are not reported again. */
export type AcknowledgedSubjects = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Collects what a round finds. A check that fails must not hide what others find: its error is thrown only if there are
 * no violations.
 */
export class Findings {
  readonly #violations = new Map<string, Violation>();
  readonly #faults: unknown[] = [];
  readonly #acknowledged: AcknowledgedSubjects;

  constructor(acknowledged: AcknowledgedSubjects = new Map()) {
    this.#acknowledged = acknowledged;
  }

  acknowledgedOf(invariant: string): ReadonlySet<string> {
    return this.#acknowledged.get(invariant) ?? NONE;
  }

  add(violation: Violation): void {
    const acknowledged = this.acknowledgedOf(violation.invariant);
    const found = violation.subjects.filter((subject) => !acknowledged.has(subject));
    if (found.length === 0) return;
    const before = this.#violations.get(violation.invariant);
    const subjects = [...new Set([...(before?.subjects ?? []), ...found])].slice(0, SUBJECTS_MAX);
    this.#violations.set(violation.invariant, { ...(before ?? violation), subjects });
  }

  fail(fault: unknown): void {
    this.#faults.push(fault);
  }

  /** Runs the work. If it fails halfway, the violations found so far are kept. */
  async during(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isConnectionFault(error)) throw error;
      this.fail(error);
    }
  }

  get isHalting(): boolean {
    return [...this.#violations.values()].some(({ isHalting }) => isHalting !== false);
  }

  /** Returns one violation per invariant, ordered by name. */
  violations(): Violation[] {
    if (this.#violations.size === 0 && this.#faults.length > 0) throw this.#faults[0];
    return [...this.#violations.values()].sort((a, b) => (a.invariant < b.invariant ? -1 : 1));
  }
}

/** Data that makes a query fail, such as a tick whose text is not JSON. Our code never writes such data. */
function isBadData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

const BEGIN = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * All queries read one snapshot, with these settings; otherwise a transfer posted between two queries would look like a
 * violation. Work of many pages calls `renew` between them, because a long snapshot would keep the database from
 * removing old row versions.
 */
export async function withSnapshot<Result>(
  client: pg.ClientBase,
  work: (renew: () => Promise<void>) => Promise<Result>,
  settings = '',
): Promise<Result> {
  const begin = `${BEGIN}; ${settings}`;
  await client.query(begin);
  try {
    return await work(async () => void (await client.query(`ROLLBACK; ${begin}`)));
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The page of a scan to check. */
export interface CheckedPage {
  readonly given: GivenRelations;
  readonly values: readonly (readonly string[])[];
  /** Without the keys, no signature is verified. */
  readonly keys?: KnownKeys | undefined;
}

interface Subject {
  readonly nth: number;
  readonly subject: string;
  readonly evidence: string[] | null;
}

/** The query excludes acknowledged subjects, which would otherwise fill its limit and hide new ones. */
function exceptFor(subjects: ReadonlySet<string>): string {
  if (subjects.size === 0) return '';
  return `WHERE subject <> ALL (ARRAY[${[...subjects].map((subject) => pg.escapeLiteral(subject)).join()}])`;
}

/**
 * Combines invariants into one query that returns `nth` and `subject`. Parts that no invariant uses are omitted,
 * because reading them would need rights.
 */
export function invariantsQueryOf(
  invariants: readonly Invariant[],
  given: GivenRelations,
  findings?: Findings,
): string {
  const each = invariants.map(({ id, text, isBroken }, nth) => {
    // Returned as JSON because pg parses a text[] character by character, and a tree of terms has half a million of
    // them.
    if (isBroken !== undefined)
      return `(SELECT ${nth} AS nth, subject, to_json(evidence) AS evidence FROM (${text}) AS told)`;
    const others = findings === undefined ? '' : exceptFor(findings.acknowledgedOf(id));
    return `(SELECT ${nth} AS nth, subject, NULL::json AS evidence FROM (${text}) AS broken ${others} LIMIT ${SUBJECTS_MAX})`;
  });
  const question = each.join(' UNION ALL ');
  const named: string[] = [];
  for (const [name, query] of Object.entries(given).reverse())
    if (new RegExp(`\\b${name}\\b`).test([question, ...named].join()))
      named.unshift(`${name} AS MATERIALIZED (${query})`);
  return named.length > 0 ? `WITH ${named.join(', ')} ${question}` : question;
}

/**
 * Checks the invariants together within a snapshot. Returns true if all could be checked and hold. One that cannot be
 * checked does not hide the others.
 */
export async function runInvariants(
  client: pg.ClientBase,
  all: readonly Invariant[],
  findings: Findings,
  of: CheckedPage = { given: {}, values: [] },
): Promise<boolean> {
  const { keys } = of;
  const isAskable = ({ isBroken, isKeyless }: Invariant): boolean =>
    keys !== undefined || isBroken === undefined || isKeyless === true;
  const invariants = all.filter(isAskable);
  if (invariants.length === 0) return true;
  await client.query('SAVEPOINT invariants');
  try {
    const { rows } = await client.query<Subject>(invariantsQueryOf(invariants, of.given, findings), [...of.values]);
    const found: Subject[] = [];
    for (const row of rows) {
      const isBroken = invariants[row.nth]?.isBroken;
      if (isBroken === undefined || (await isBroken(row.evidence ?? [], keys ?? NO_KEYS))) found.push(row);
    }
    invariants.forEach(({ id, says, isHalting }, nth) => {
      const subjects = found.filter((row) => row.nth === nth).map(({ subject }) => subject);
      if (subjects.length > 0)
        findings.add({ invariant: id, says, subjects, ...(isHalting !== undefined && { isHalting }) });
    });
    return found.length === 0;
  } catch (error) {
    if (isConnectionFault(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT invariants');
    const [only, ...others] = invariants;
    if (only !== undefined && others.length === 0) {
      if (isBadData(error)) findings.add({ invariant: only.id, says: only.says, subjects: [error.message] });
      else findings.fail(error);
    } else for (const invariant of invariants) await runInvariants(client, [invariant], findings, of);
    return false;
  }
}
