import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bar, higherOf, lowerOf } from './candle.ts';
import { DayWindow } from './day-figures.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const NOW = Date.UTC(2026, 10, 20, 12, 0, 30);
const START = NOW - (NOW % MINUTE);

function minute(at: number, open: bigint, close: bigint, volume = 1n): Bar {
  return {
    at,
    open,
    close,
    high: open > close ? open : close,
    low: open < close ? open : close,
    volume,
    simulated: false,
  };
}

test('without any price there are no figures', () => {
  expect(new DayWindow().figures(NOW)).toBeNull();
});

test('change against the open a day ago, highs and lows, volume, a point per hour and the newest', () => {
  const day = new DayWindow();
  for (let index = 1_500; index >= 0; index -= 1)
    day.put(minute(START - index * MINUTE, 2_000n - BigInt(index), 2_001n - BigInt(index), 2n));
  const figures = day.figures(NOW);
  // The last 24 hours contain 1,439 whole minutes and the current one.
  expect(figures).toMatchObject({ high: 2_001n, low: 2_000n - 1_439n, volume: 2n * 1_440n });
  expect(figures?.changePpm).toBe(((2_001n - 561n) * 1_000_000n) / 561n);
  expect(figures?.spark).toHaveLength(25);
  expect(figures?.spark.at(-1)).toBe(2_001n);
  expect(figures?.spark.slice(-4)).toEqual([1_880n, 1_940n, 2_000n, 2_001n]);
});

test('the newest minute may be replaced; minutes older than a day are dropped', () => {
  const day = new DayWindow();
  day.put(minute(START - DAY, 1n, 1n));
  day.put(minute(START - 60 * MINUTE, 10n, 12n));
  day.put(minute(START, 12n, 13n, 1n));
  day.put(minute(START, 12n, 9n, 5n));
  // This minute is too old to have any effect.
  day.put(minute(START - MINUTE, 1n, 99n));
  expect(day.figures(NOW)).toEqual({ changePpm: -100_000n, high: 12n, low: 9n, volume: 6n, spark: [12n, 9n] });
  expect(day.figures(NOW + DAY - MINUTE)?.volume).toBe(5n);
  expect(day.figures(NOW + DAY)).toBeNull();
});

test('a clock that is ahead for a moment does not drop minutes', () => {
  const day = new DayWindow();
  for (let index = 1_000; index >= 0; index -= 1) day.put(minute(START - index * MINUTE, 10n, 10n));
  const before = day.figures(NOW);
  expect(day.figures(NOW + 12 * 60 * MINUTE)?.volume).toBe(720n);
  expect(day.figures(NOW + 2 * DAY)).toBeNull();
  expect(day.figures(NOW)).toEqual(before);
});

test('the figures are those of all their minutes, in whatever order they arrived', () => {
  const minutes = fc.array(
    fc.record({ gap: fc.integer({ min: 0, max: 90 }), open: fc.bigInt(1n, 99n), close: fc.bigInt(1n, 99n) }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(minutes, (steps) => {
      const day = new DayWindow();
      let at = START - 20 * 3_600_000;
      const kept = new Map<number, Bar>();
      for (const { gap, open, close } of steps) {
        at += gap * MINUTE;
        const bar = minute(at, open, close);
        day.put(bar);
        kept.set(at, bar);
        const now = at + 30_000;
        for (const time of kept.keys()) if (time < now - DAY) kept.delete(time);
        const bars = [...kept.values()];
        const figures = day.figures(now);
        expect(figures?.high).toBe(bars.reduce((high, bar) => higherOf(bar.high, high), 0n));
        expect(figures?.low).toBe(bars.reduce((low, bar) => lowerOf(bar.low, low), 100n));
        expect(figures?.volume).toBe(BigInt(bars.length));
        expect(figures?.spark.at(-1)).toBe(close);
      }
    }),
  );
});

test('a history that arrives after the first prices gives the same figures as one before them', () => {
  const minutes = Array.from({ length: 2_000 }, (_, index) =>
    minute(START - (1_999 - index) * MINUTE, 1_000n + BigInt(index % 97), 1_000n + BigInt((index * 7) % 89)),
  );
  const whole = new DayWindow();
  for (const bar of minutes) whole.put(bar);
  const later = new DayWindow();
  later.putEarlier(minutes.slice(0, -3));
  expect(later.figures(NOW)).toBeNull();
  for (const bar of minutes.slice(-3)) later.put(bar);
  expect(later.figures(NOW)).not.toEqual(whole.figures(NOW));
  // For minutes that both have, the window keeps its own.
  later.putEarlier([...minutes.slice(0, -2), { ...minute(START, 5n, 5n) }]);
  expect(later.figures(NOW)).toEqual(whole.figures(NOW));
});
