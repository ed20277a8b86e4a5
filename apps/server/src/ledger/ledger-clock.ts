import type { Clock } from '../platform/clock.ts';

/** A clock that may know the database's time; tests pass a plain one. */
export interface LedgerClock extends Clock {
  /** Throws while nothing may be accepted by this clock. */
  assertRight?(): void;
  /**
   * Takes the time that the database has just returned, and returns the time of the batch; throws like `assertRight`.
   */
  observe?(databaseNow: Date, askedMs: number): Date;
  elapsedMs?(): number;
}
