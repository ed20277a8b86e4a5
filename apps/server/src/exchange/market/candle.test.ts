import { INTERVALS } from '@sathorn/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateBars, type Bar, extendBar, INTERVAL_MS, intervalStartOf } from './candle.ts';

test.each([
  ['1m', '2026-11-20T12:34:56.000Z', '2026-11-20T12:34:00.000Z'],
  ['15m', '2026-11-20T12:34:56.000Z', '2026-11-20T12:30:00.000Z'],
  ['4h', '2026-11-20T12:34:56.000Z', '2026-11-20T12:00:00.000Z'],
  ['1d', '2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z'],
  // A Friday; its week began on Monday the 16th.
  ['1w', '2026-11-20T12:34:56.000Z', '2026-11-16T00:00:00.000Z'],
  ['1w', '2026-11-16T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  ['1w', '2026-11-15T23:59:59.000Z', '2026-11-09T00:00:00.000Z'],
] as const)('the %s of %s begins at %s', (interval, at, start) => {
  expect(new Date(intervalStartOf(interval, Date.parse(at))).toISOString()).toBe(start);
});

const START = Date.UTC(2026, 10, 20, 12, 0, 0);
const walk = fc.array(
  fc.record({ price: fc.bigInt(1n, 1_000n), volume: fc.bigInt(0n, 50n), pauseS: fc.integer({ min: 1, max: 900 }) }),
  { minLength: 1, maxLength: 200 },
);

function build(
  interval: (typeof INTERVALS)[number],
  ticks: readonly { at: number; price: bigint; volume: bigint }[],
): Bar[] {
  const bars: Bar[] = [];
  for (const { at, price, volume } of ticks) {
    const last = bars.at(-1);
    const next = extendBar(last, interval, at, price, volume, false);
    if (last?.at === next.at) bars[bars.length - 1] = next;
    else bars.push(next);
  }
  return bars;
}

test('built from ticks or from finer candles, every interval is the same; nothing is lost and no gap is filled', () => {
  fc.assert(
    fc.property(walk, (steps) => {
      let at = START;
      const ticks = steps.map(({ price, volume, pauseS }) => {
        at += pauseS * 1_000;
        return { at, price, volume };
      });
      let finer = build('1m', ticks);
      for (const interval of INTERVALS) {
        const bars = build(interval, ticks);
        expect(aggregateBars(finer, interval)).toEqual(bars);
        expect(bars.reduce((sum, { volume }) => sum + volume, 0n)).toBe(
          ticks.reduce((sum, { volume }) => sum + volume, 0n),
        );
        expect(bars.map((bar) => bar.at)).toEqual([
          ...new Set(ticks.map((tick) => intervalStartOf(interval, tick.at))),
        ]);
        for (const bar of bars) {
          const within = ticks
            .filter((tick) => tick.at >= bar.at && tick.at < bar.at + INTERVAL_MS[interval])
            .map(({ price }) => price);
          expect([bar.open, bar.close]).toEqual([within[0], within.at(-1)]);
          expect(within.every((price) => price <= bar.high && price >= bar.low)).toBe(true);
          expect(within.includes(bar.high) && within.includes(bar.low)).toBe(true);
        }
        finer = bars;
      }
    }),
    { numRuns: 200 },
  );
});

test('simulated candles stay marked as simulated', () => {
  const first = extendBar(undefined, '1h', START, 5n, 1n, true);
  const next = extendBar(first, '1h', START + 60_000, 6n, 1n, false);
  expect(next).toEqual({ at: START, open: 5n, high: 6n, low: 5n, close: 6n, volume: 2n, simulated: true });
  expect(extendBar(next, '1h', START + 3_600_000, 7n, 1n, false).simulated).toBe(false);
});
