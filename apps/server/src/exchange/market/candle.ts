import type { Interval } from '@sathorn/api';

/** One candle in memory: prices in units of 10^-6 USDT, volume in 10^-8 coins. */
export interface Bar {
  /** Start of its interval, in ms since 1970. */
  readonly at: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly simulated: boolean;
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
export const INTERVAL_MS: Record<Interval, number> = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '4h': 240 * MINUTE,
  '1d': DAY,
  '1w': 7 * DAY,
};
// 1970 began on a Thursday, and weeks begin on Monday.
const FIRST_MONDAY = 4 * DAY;

/** The start of the interval that contains a time; days and weeks are in UTC. */
export function intervalStartOf(interval: Interval, at: number): number {
  const offset = interval === '1w' ? FIRST_MONDAY : 0;
  return Math.floor((at - offset) / INTERVAL_MS[interval]) * INTERVAL_MS[interval] + offset;
}

/** The bar after one more price; a new bar if the price belongs to a later interval. */
export function extendBar(
  bar: Bar | undefined,
  interval: Interval,
  at: number,
  price: bigint,
  volume: bigint,
  simulated: boolean,
): Bar {
  const start = intervalStartOf(interval, at);
  if (bar === undefined || bar.at !== start)
    return { at: start, open: price, high: price, low: price, close: price, volume, simulated };
  return {
    at: start,
    open: bar.open,
    high: higherOf(price, bar.high),
    low: lowerOf(price, bar.low),
    close: price,
    volume: bar.volume + volume,
    simulated: bar.simulated || simulated,
  };
}

/** Combines finer bars, oldest first, into bars of a coarser interval. Intervals without bars stay empty. */
export function aggregateBars(bars: readonly Bar[], interval: Interval): Bar[] {
  const wide: Bar[] = [];
  for (const bar of bars) {
    const start = intervalStartOf(interval, bar.at);
    const last = wide.at(-1);
    if (last?.at === start) wide[wide.length - 1] = joinBars(last, bar);
    else wide.push({ ...bar, at: start });
  }
  return wide;
}

/** Joins two parts of one interval, the earlier first. */
function joinBars(earlier: Bar, later: Bar): Bar {
  return {
    at: earlier.at,
    open: earlier.open,
    high: higherOf(later.high, earlier.high),
    low: lowerOf(later.low, earlier.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    simulated: earlier.simulated || later.simulated,
  };
}

// Math.max and Math.min do not accept bigint.
export function higherOf(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
export function lowerOf(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
