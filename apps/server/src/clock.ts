/** Time is an argument: tests turn this clock by hand. */
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };
