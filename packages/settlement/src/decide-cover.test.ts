import { describe, expect, it } from 'vitest';
import { COUNT_VALID_MS, type CoinCover, coverLeft, decideCover } from './decide-cover.ts';

const NOW = 1_800_000_000_000;
const cover = (owed: bigint, units: bigint | null, ageMs = 1_000, isTestMoney = false): CoinCover => ({
  isTestMoney,
  owed,
  counted: units === null ? null : { units, asOfMs: NOW - ageMs },
  nowMs: NOW,
});

describe('decideCover', () => {
  it.each([
    ['a covered coin', 'buy', cover(5n, 6n), null, 1n],
    ['exactly covered', 'buy', cover(5n, 5n), null, 0n],
    ['a unit short', 'buy', cover(5n, 4n), 'coin_not_covered', 0n],
    ['nobody owns any yet', 'buy', cover(0n, 7n), null, 7n],
    ['nobody has counted', 'buy', cover(0n, null), 'coin_not_counted', 0n],
    ['a count on its last day', 'buy', cover(5n, 6n, COUNT_VALID_MS), null, 1n],
    ['an old count', 'buy', cover(5n, 6n, COUNT_VALID_MS + 1), 'coin_not_counted', 0n],
    ['a count of the future', 'buy', cover(5n, 6n, -1), 'coin_not_counted', 0n],
    ['a sale of what nobody has counted', 'sell', cover(5n, null), null, 0n],
    ['a sale of what is not covered', 'sell', cover(5n, 4n), null, 0n],
    ['test money', 'buy', cover(5n, null, 0, true), null, null],
  ] as const)('%s', (_says, side, given, refusal, left) => {
    const decision = decideCover(side, given);
    expect(decision.ok ? null : decision.refusal).toBe(refusal);
    if (!decision.ok) expect(decision).toMatchObject({ field: 'code' });
    expect(coverLeft(given)).toBe(left);
  });
});
