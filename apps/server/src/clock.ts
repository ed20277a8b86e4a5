/** Time is passed in, so that tests can set this clock. */
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

/** Ms since an arbitrary moment, which no step of the system's clock changes. For windows in memory. */
export type Elapsed = () => number;
export const systemElapsed: Elapsed = () => performance.now();
