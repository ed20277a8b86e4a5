import type { Language } from '@sathorn/text';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalRow, Approvals, AuditLog } from '../operators/index.ts';
import type { PauseRow, PauseSum } from './pause-store.ts';

export interface PauseSubject {
  readonly kind: PauseRow['kind'];
  readonly subject: string;
}

export interface PausesDependencies {
  readonly database: Database;
  readonly approvals: Approvals;
  readonly audit: AuditLog;
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
  /** True if any of these is paused; reads the database. */
  isPaused(queries: Queries, ...subjects: readonly PauseSubject[]): Promise<boolean>;
  /**
   * The text of the pause that covers any of these, at most a second old; null if none does. Synchronous if the pauses
   * are in memory.
   */
  reasonOf(subjects: readonly PauseSubject[], language: Language): Promise<string | null> | string | null;
  /** The current pauses, in a reader's language, for the public status. */
  open(language: Language): Promise<{ kind: PauseRow['kind']; subject: string; text: string; since: Date }[]>;
  /** How long each subject was paused between two moments, the longest first. */
  sums(from: Date, to: Date): Promise<readonly PauseSum[]>;
}

export interface PausesModule extends PausesDependencies {
  readonly api: Pauses;
}
