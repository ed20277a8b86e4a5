import { expect, it } from 'vitest';
import { lastingInflow } from './lasting-inflow.ts';

const now = new Date('2026-11-30T12:00:00Z');
/** Builds flows from pairs: days ago, units. */
const flows = (...given: readonly (readonly [days: number, units: number])[]) =>
  given.map(([days, units]) => ({ at: new Date(now.getTime() - days * 86_400_000), units: BigInt(units) }));

it.each<[string, readonly (readonly [number, number])[], bigint, bigint]>([
  ['nothing', [], 0n, 0n],
  ['a deposit that stayed', [[7, 100]], 100n, 100n],
  ['a deposit of less than seven days', [[6.99, 100]], 0n, 100n],
  [
    'an old one and a new one',
    [
      [30, 100],
      [1, 900],
    ],
    100n,
    1_000n,
  ],
  [
    'what was withdrawn',
    [
      [30, 100],
      [1, -40],
    ],
    60n,
    60n,
  ],
  [
    'a level that is left for a day',
    [
      [30, 100],
      [2, -100],
      [1, 100],
    ],
    0n,
    100n,
  ],
  [
    'twenty circles of the same money',
    Array.from({ length: 40 }, (_, n) => [60 - n, n % 2 ? -100 : 100] as const),
    0n,
    0n,
  ],
  [
    'circles that end with a deposit',
    Array.from({ length: 41 }, (_, n) => [60 - n, n % 2 ? -100 : 100] as const),
    100n,
    100n,
  ],
  [
    'a profit that was withdrawn, and a deposit after it',
    [
      [30, 100],
      [20, -500],
      [10, 80],
    ],
    80n,
    80n,
  ],
  [
    'an hour out and in again',
    [
      [30, 100],
      [3, -100],
      [2.95, 100],
    ],
    0n,
    100n,
  ],
  [
    'out and in at the same moment',
    [
      [30, 100],
      [3, 100],
      [3, -100],
    ],
    0n,
    100n,
  ],
  [
    'an order that does not matter',
    [
      [1, -40],
      [30, 100],
    ],
    60n,
    60n,
  ],
])('of %s', (_, given, counted, held) => {
  expect(lastingInflow(flows(...given), now)).toEqual({ counted, held });
});
