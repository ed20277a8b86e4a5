import { describe, expect, it } from 'vitest';
import { Allowance } from './allowances.ts';
import { TestClock } from './testing.ts';

describe('Allowance', () => {
  it('gives so many a minute to each caller, and says how long to wait', () => {
    const clock = new TestClock();
    const allowance = new Allowance(2, clock.elapsedMs);
    expect([allowance.take('a'), allowance.take('a'), allowance.take('a'), allowance.take('b')]).toEqual([0, 0, 30, 0]);
    clock.advance(15_500);
    expect(allowance.take('a')).toBe(15);
    clock.advance(14_500);
    expect(allowance.take('a')).toBe(0);
  });

  it.each([
    [6_000, 600],
    [1_200, 120],
    [60, 60],
  ])('of %i a minute gives %i at once', (perMinute, atOnce) => {
    const allowance = new Allowance(perMinute, () => 0);
    let taken = 0;
    while (allowance.take('a') === 0) taken += 1;
    expect(taken).toBe(atOnce);
  });

  it.each([3_600_000, -3_600_000])('neither forgets nor locks out when the clock is set by %i ms', (ms) => {
    const clock = new TestClock();
    const allowance = new Allowance(1, clock.elapsedMs);
    allowance.take('a');
    clock.step(ms);
    expect(allowance.take('a')).toBe(60);
    clock.advance(60_000);
    expect(allowance.take('a')).toBe(0);
  });
});
