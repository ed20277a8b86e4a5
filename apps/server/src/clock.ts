/** Time is an argument: tests turn this clock by hand. */
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

/**
 * Ms since some moment that mean nothing else: no step of the system's clock moves them. For windows that live in
 * memory.
 */
export type Elapsed = () => number;
export const systemElapsed: Elapsed = () => performance.now();
