import type { CoinCode } from '@sathorn/money';
import type { PriceObservation } from '@sathorn/proof';
import type { PriceSource } from './price-source.ts';
import type { RecordedFeed, RecordedMinute } from './recording.ts';

/**
 * Plays a recording at its original speed, from the moment `startedAt` (ms). Prices within a minute were not recorded,
 * so they move in straight lines from open over the two extremes to close, always with the nearer extreme first. After
 * the last minute the sources are silent.
 */
export function replaySources(feeds: readonly RecordedFeed[], startedAt: number, from?: number): PriceSource[] {
  const beginning = from === undefined ? firstSecondOf(feeds) : Math.floor(from / 1_000);
  const startedSecond = Math.floor(startedAt / 1_000);
  return feeds.map((feed) => replaySource(feed, (second) => second - startedSecond + beginning));
}

/** The second at which a recording begins. */
export function firstSecondOf(feeds: readonly RecordedFeed[]): number {
  return Math.min(...feeds.map(({ times }) => times[0] ?? Number.POSITIVE_INFINITY));
}

function replaySource(feed: RecordedFeed, recordedAt: (second: number) => number): PriceSource {
  const isOurs = (coin: CoinCode): boolean => coin === feed.coin;
  return {
    name: feed.name,
    family: feed.family,
    coins: [feed.coin],
    latest(coin, at) {
      if (!isOurs(coin)) return null;
      const second = Math.floor(at / 1_000);
      const observation = observationAt(feed, recordedAt(second));
      return (
        observation && { price: observation.price, at: (second - observation.age) * 1_000, trade: observation.trade }
      );
    },
    takeVolume(coin, at) {
      if (!isOurs(coin)) return 0n;
      const recorded = recordedAt(Math.floor(at / 1_000));
      const minute = feed.minutes.get(recorded - (recorded % 60));
      if (minute === undefined) return 0n;
      // Uses integer division, so that the volumes of the seconds add up to exactly the minute's volume.
      const passed = BigInt(recorded % 60);
      return (minute.volume * (passed + 1n)) / 60n - (minute.volume * passed) / 60n;
    },
    start() {},
    async stop() {},
  };
}

/** A feed's last price by a recorded second, its age in seconds, and a mark of its newest trade; null before it. */
export function observationAt(
  feed: RecordedFeed,
  second: number,
): (Pick<PriceObservation, 'price' | 'trade'> & { age: number }) | null {
  const start = feed.times[lastUpTo(feed.times, second)];
  const minute = start === undefined ? undefined : feed.minutes.get(start);
  if (start === undefined || minute === undefined) return null;
  const within = Math.min(second - start, 59);
  // In a minute without trades the venue repeats its last price: it is online, but its newest trade is old.
  const trade = minute.volume > 0n ? `${start}:${Math.floor(within / 20)}` : 'none';
  return { price: priceInMinute(minute, within), trade, age: second - start - within };
}

/** The index of the last time at or before a second; -1 if all are later. */
function lastUpTo(times: readonly number[], second: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= second) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The seconds of a minute at which the recorded prices are reached. */
const WAYPOINTS = [0, 20, 40, 59] as const;

/** The price at a second (0 to 59) of a recorded minute, in whole units; never outside its low and high. */
export function priceInMinute({ open, high, low, close }: RecordedMinute, second: number): bigint {
  const lowFirst = open - low <= high - open;
  const prices = lowFirst ? [open, low, high, close] : [open, high, low, close];
  const leg = second < WAYPOINTS[1] ? 0 : second < WAYPOINTS[2] ? 1 : 2;
  const [from, to] = [prices[leg] ?? open, prices[leg + 1] ?? close];
  const [begin, end] = [WAYPOINTS[leg], WAYPOINTS[leg + 1] ?? 59];
  return from + ((to - from) * BigInt(second - begin)) / BigInt(end - begin);
}
