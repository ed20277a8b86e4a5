/** Time is passed in, so that tests can set this clock. */
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

/** Ms since an arbitrary moment, unaffected by changes of the system's clock. For limits kept in memory. */
export type ElapsedMs = () => number;
export const systemElapsedMs: ElapsedMs = () => performance.now();
