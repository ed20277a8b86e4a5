import { type Bar, higherOf, lowerOf } from './candle.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SPARK_POINTS = 24;

/** The figures of the last 24 hours. Prices in units of 10^-6 USDT, volume in 10^-8 coins. */
export interface DayFigures {
  /** Parts per million of the price 24 hours ago, or of the oldest known price. */
  readonly changePpm: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly volume: bigint;
  /** Up to 24 hourly closing prices and the newest price, oldest first. */
  readonly spark: readonly bigint[];
}

/** A coin's one-minute bars of the last 24 hours, and the figures computed from them. */
export class DayWindow {
  readonly #minutes: Bar[] = [];
  // The figures without the newest minute. They change once per minute but are read every second, so they are cached.
  #closed: { from: number; upTo: number; high: bigint; low: bigint; volume: bigint; spark: bigint[] } | undefined;

  /** Adds or updates the newest minute. Older ones never change. */
  put(bar: Bar): void {
    const last = this.#minutes.at(-1);
    if (last !== undefined && bar.at < last.at) return;
    if (last?.at === bar.at) this.#minutes.pop();
    this.#minutes.push(bar);
    // Compares minutes with each other, because a clock that runs ahead for a moment must not drop any.
    while (this.#minutes[0] && this.#minutes[0].at < bar.at - DAY_MS) this.#minutes.shift();
  }

  /** Adds minutes before the oldest one, oldest first: a simulation's history is written after its first prices. */
  putEarlier(bars: readonly Bar[]): void {
    const [oldest, newest] = [this.#minutes[0], this.#minutes.at(-1)];
    if (oldest === undefined || newest === undefined) return;
    this.#minutes.unshift(...bars.filter(({ at }) => at < oldest.at && at >= newest.at - DAY_MS));
  }

  /** Null if there was no price in the last 24 hours. */
  figures(now: number): DayFigures | null {
    const first = this.#minutes.findIndex(({ at }) => at >= now - DAY_MS);
    const newest = this.#minutes.at(-1);
    const oldest = this.#minutes[first];
    if (newest === undefined || oldest === undefined) return null;
    if (this.#closed?.upTo !== newest.at || this.#closed.from !== oldest.at)
      this.#closed = { from: oldest.at, upTo: newest.at, ...sumUp(this.#minutes.slice(first), newest.at) };
    const { high, low, volume, spark } = this.#closed;
    return {
      changePpm: ((newest.close - oldest.open) * 1_000_000n) / oldest.open,
      high: higherOf(newest.high, high),
      low: low === 0n ? newest.low : lowerOf(newest.low, low),
      volume: volume + newest.volume,
      spark: [...spark, newest.close],
    };
  }
}

function sumUp(minutes: readonly Bar[], upTo: number): { high: bigint; low: bigint; volume: bigint; spark: bigint[] } {
  let high = 0n;
  let low = 0n;
  let volume = 0n;
  const hours = new Map<number, bigint>();
  for (const bar of minutes) {
    if (bar.at === upTo) break;
    if (bar.high > high) high = bar.high;
    if (low === 0n || bar.low < low) low = bar.low;
    volume += bar.volume;
    // Counts hours back from the newest minute, so that the points keep their distance to it. Each hour's last minute
    // is used.
    hours.set(Math.floor((upTo - MINUTE_MS - bar.at) / (DAY_MS / SPARK_POINTS)), bar.close);
  }
  return { high, low, volume, spark: [...hours.values()].slice(-SPARK_POINTS) };
}
