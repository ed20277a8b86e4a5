import type { Clock } from '../clock.ts';

/** A clock that may know the database's time; tests pass a plain one. */
export interface LedgerClock extends Clock {
  /** Throws while nothing may be accepted on this clock. */
  assertRight?(): void;
  /** Takes the time that the database has just answered and returns the moment of the batch; throws as above. */
  observe?(databaseNow: Date, askedMs: number): Date;
  elapsedMs?(): number;
}
