import { randomUUID } from 'node:crypto';
import type { Language } from '@sathorn/text';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import type { ApprovalKind, ApprovalRow, Approvals, Audit } from '../operators/index.ts';
import { endPauseHandler } from './end-pause.ts';
import { listPausesHandler } from './list-pauses.ts';
import { listPublicPausesHandler } from './list-public-pauses.ts';
import { endPauseRow, insertPause, type PauseRow, type PauseSum, readOpenPauses, sumPauses } from './pause-store.ts';
import { startPauseHandler } from './start-pause.ts';

/** A pause is obeyed by every process within this time. */
const TRUST_MS = 1_000;

export interface PauseSubject {
  readonly kind: PauseRow['kind'];
  readonly subject: string;
}

export interface PausesDependencies {
  readonly database: Database;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  /** The names of the channels for deposits and withdrawals. */
  readonly channels: readonly string[];
}

export interface Pauses {
  /**
   * Starts a pause, with its entry in the operators' log, in the caller's transaction. Returns its id, or null if the
   * subject is already paused.
   */
  start(
    transaction: Queries,
    pause: PauseSubject & {
      readonly texts: Readonly<Record<string, string>>;
      readonly operator: Pick<OperatorSession, 'id' | 'sessionId'>;
    },
  ): Promise<string | null>;
  /** Whether any of these is paused; asked of the database. */
  isPaused(queries: Queries, ...subjects: readonly PauseSubject[]): Promise<boolean>;
  /** The words of the pause that covers any of these, at most a second old; null where there is none. */
  reasonOf(subjects: readonly PauseSubject[], language: Language): Promise<string | null>;
  /** What is paused now, in a reader's language; for the public status. */
  open(language: Language): Promise<{ kind: PauseRow['kind']; subject: string; text: string; since: Date }[]>;
  /** How long each subject was paused between two moments, the longest first. */
  sums(from: Date, to: Date): Promise<readonly PauseSum[]>;
}

export interface PausesRoom extends PausesDependencies {
  readonly api: Pauses;
}

/** English is demanded of every text, so it is there for a language that was left out. */
const textIn = ({ texts }: PauseRow, language: Language): string => texts[language] ?? texts.en ?? '';

export function openPauses(dependencies: PausesDependencies): Module<Pauses> & { approval: ApprovalKind } {
  const { database, audit } = dependencies;
  let reading: Promise<readonly PauseRow[]> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  /** Requests of the same second share one read, so that purchases do not each ask the database. */
  const current = (): Promise<readonly PauseRow[]> => {
    const now = performance.now();
    if (reading === null || now - readAtMs > TRUST_MS) {
      readAtMs = now;
      reading = readOpenPauses(database);
      reading.catch(() => {
        readAtMs = Number.NEGATIVE_INFINITY;
      });
    }
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
    async reasonOf(subjects, language) {
      const row = (await current()).find((one) => covers(one, subjects));
      return row ? textIn(row, language) : null;
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
  const room: PausesRoom = { ...dependencies, api };
  const approval: ApprovalKind = {
    apply: (transaction, { id, subject }) => endPauseRow(transaction, subject, id),
    customerOf: () => null,
  };
  return {
    api,
    approval,
    handlers: [listPausesHandler(room), startPauseHandler(room), endPauseHandler(room), listPublicPausesHandler(room)],
  };
}
