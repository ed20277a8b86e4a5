import { randomUUID } from 'node:crypto';
import type { Language } from '@sathorn/text';
import type { Module } from '../../platform/module.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { endPauseHandler } from './end-pause.ts';
import { listPausesHandler } from './list-pauses.ts';
import { listPublicPausesHandler } from './list-public-pauses.ts';
import { endPauseRow, insertPause, type PauseRow, readOpenPauses, sumPauses } from './pause-store.ts';
import type { PauseSubject, Pauses, PausesDependencies, PausesModule } from './pauses.ts';
import { startPauseHandler } from './start-pause.ts';

/** Every process obeys a new pause within this time. */
const TRUST_MS = 1_000;

/** Every text must exist in English, which replaces a missing language. */
const textIn = ({ texts }: PauseRow, language: Language): string => texts[language] ?? texts.en ?? '';

export function openPauses(dependencies: PausesDependencies): Module<Pauses> & { approval: ApprovalKind } {
  const { database, audit } = dependencies;
  let known: Promise<readonly PauseRow[]> | readonly PauseRow[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  /** Requests within the same second share one read, so that not every purchase queries the database. */
  const current = (): Promise<readonly PauseRow[]> | readonly PauseRow[] => {
    const now = performance.now();
    if (now - readAtMs <= TRUST_MS) return known;
    readAtMs = now;
    const reading = readOpenPauses(database);
    known = reading;
    reading.then(
      (rows) => {
        // A later read may have begun in the meantime.
        if (known === reading) known = rows;
      },
      () => {
        if (known === reading) readAtMs = Number.NEGATIVE_INFINITY;
      },
    );
    return reading;
  };
  const covers = (row: PauseRow, subjects: readonly PauseSubject[]): boolean =>
    subjects.some(({ kind, subject }) => row.kind === kind && row.subject === subject);

  const api: Pauses = {
    async start(transaction, { kind, subject, texts, operator }) {
      const id = randomUUID();
      if (!(await insertPause(transaction, { id, kind, subject, texts, started_by: operator.id }))) return null;
      await audit.append(transaction, {
        operator,
        what: 'pause.started',
        on: { kind: 'pause', id },
        after: { kind, subject },
        note: texts.en ?? '',
      });
      return id;
    },
    isPaused: async (queries, ...subjects) => (await readOpenPauses(queries)).some((row) => covers(row, subjects)),
    reasonOf(subjects, language) {
      const reasonIn = (rows: readonly PauseRow[]): string | null => {
        const row = rows.find((one) => covers(one, subjects));
        return row ? textIn(row, language) : null;
      };
      const rows = current();
      return rows instanceof Promise ? rows.then(reasonIn) : reasonIn(rows);
    },
    open: async (language) =>
      (await current()).map((row) => ({
        kind: row.kind,
        subject: row.subject,
        text: textIn(row, language),
        since: row.started_at,
      })),
    sums: (from, to) => sumPauses(database, from, to),
  };
  const module: PausesModule = { ...dependencies, api };
  const approval: ApprovalKind = {
    apply: (transaction, { id, subject }) => endPauseRow(transaction, subject, id),
    customerOf: () => null,
  };
  return {
    api,
    approval,
    handlers: [
      listPausesHandler(module),
      startPauseHandler(module),
      endPauseHandler(module),
      listPublicPausesHandler(module),
    ],
  };
}
