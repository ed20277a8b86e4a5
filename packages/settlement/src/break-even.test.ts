import { describe, expect, it } from 'vitest';
import { breakEvenOf } from './break-even.ts';

describe('the share of wins to break even', () => {
  it.each([
    [0n, 0n, null],
    [0n, 5n, null],
    [1n, 0n, '1.0000'],
    [1n, 1n, '0.5000'],
    // 100 / 173.5 = 0.57636…, so 57.63 % would still lose.
    [1_000n, 735n, '0.5764'],
    [20_000_000n, 16_000_000n, '0.5556'],
  ])('of a stake of %s and a gain of %s is %s, rounded up', (stake, gain, share) => {
    expect(breakEvenOf(stake, gain)).toBe(share);
  });
});
