import type { Interval } from '@sathorn/api';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Returns the length of an interval's candle in ms. */
export const intervalMsOf = (interval: Interval): number =>
  Number.parseInt(interval, 10) * (UNIT_MS[interval.slice(-1)] ?? 60_000);
