import { describe, expect, it } from 'vitest';
import { type LimitState, limitStateAfterTry, type RateLimit, retryAfterMs } from './rate-limit.ts';

const start = Date.parse('2026-11-21T08:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1_000);

function tryAt(state: LimitState | null, limit: RateLimit, seconds: number): LimitState {
  expect(retryAfterMs(state, limit, at(seconds))).toBe(0);
  return limitStateAfterTry(state, limit, at(seconds));
}

describe('a backoff', () => {
  const limit: RateLimit = { kind: 'backoff', free: 3, firstMs: 10_000, maxMs: 60_000, forgetMs: 600_000 };

  it('allows the free tries at once, then doubles the wait up to its maximum', () => {
    let state: LimitState | null = null;
    let seconds = 0;
    const waits: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      state = tryAt(state, limit, seconds);
      const wait = retryAfterMs(state, limit, at(seconds)) / 1_000;
      waits.push(wait);
      if (wait > 0) expect(retryAfterMs(state, limit, at(seconds + wait - 1))).toBe(1_000);
      seconds += wait;
    }
    expect(waits).toEqual([0, 0, 10, 20, 40, 60, 60, 60]);
  });

  it('is reset after a quiet time, and not before', () => {
    let state: LimitState | null = null;
    for (const seconds of [0, 1, 2]) state = tryAt(state, limit, seconds);
    expect(retryAfterMs(limitStateAfterTry(state, limit, at(601)), limit, at(601))).toBe(20_000);
    expect(retryAfterMs(limitStateAfterTry(state, limit, at(602)), limit, at(602))).toBe(0);
  });

  it('doesn’t overflow after a year of tries', () => {
    const state: LimitState = { count: 1e9, since: at(0), at: at(0), blockedUntil: null };
    expect(retryAfterMs(limitStateAfterTry(state, limit, at(1)), limit, at(1))).toBe(60_000);
  });
});

describe('a window limit', () => {
  const limit: RateLimit = { kind: 'window', max: 2, windowMs: 60_000 };

  it('opens its window with the first try', () => {
    let state = tryAt(null, limit, 0);
    state = tryAt(state, limit, 50);
    expect(retryAfterMs(state, limit, at(50))).toBe(10_000);
    expect(retryAfterMs(state, limit, at(59.999))).toBe(1);
    state = tryAt(state, limit, 60);
    expect(state).toMatchObject({ count: 1, since: at(60) });
  });

  it('allows no more tries when the clock steps back', () => {
    const state = limitStateAfterTry(limitStateAfterTry(null, limit, at(0)), limit, at(0));
    expect(retryAfterMs(state, limit, at(-3_600))).toBeGreaterThan(0);
  });
});
