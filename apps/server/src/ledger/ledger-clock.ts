import type { Clock } from '../platform/clock.ts';

/** A clock that may know the database's time; tests pass a plain one. */
export interface LedgerClock extends Clock {
  /** Throws while this clock differs too much from the database's: nothing may be accepted then. */
  assertRight?(): void;
  /**
   * Takes the time that the database has just returned, and returns the time of the batch; throws like `assertRight`.
   */
  observe?(databaseNow: Date, askedMs: number): Date;
  elapsedMs?(): number;
}
