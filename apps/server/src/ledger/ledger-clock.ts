import type { Clock } from '../clock.ts';

/** A clock, which may know the database's: tests with a time of their own give a plain one. */
export interface LedgerClock extends Clock {
  /** Throws while nothing may be accepted on this clock. */
  assertRight?(): void;
  /** The moment of a batch, when the database has just said its own; throws as above. */
  heard?(databaseNow: Date, askedMs: number): Date;
  elapsedMs?(): number;
}
