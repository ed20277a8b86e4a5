import { describe, expect, it } from 'vitest';
import { RateLimiter, rateLimitHeaders } from './rate-limiters.ts';
import { TestClock } from './testing.ts';

describe('RateLimiter', () => {
  it('allows each caller its calls per minute, and returns how long to wait', () => {
    const clock = new TestClock();
    const limiter = new RateLimiter(2, clock.elapsedMs);
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a'), limiter.take('b')]).toEqual([0, 0, 30, 0]);
    clock.advance(15_500);
    expect(limiter.take('a')).toBe(15);
    clock.advance(14_500);
    expect(limiter.take('a')).toBe(0);
  });

  it.each([
    [6_000, 600],
    [1_200, 120],
    [60, 60],
  ])('with a limit of %i per minute allows %i at once', (perMinute, atOnce) => {
    const limiter = new RateLimiter(perMinute, () => 0);
    let taken = 0;
    while (limiter.take('a') === 0) taken += 1;
    expect(taken).toBe(atOnce);
  });

  it.each([3_600_000, -3_600_000])('keeps its count when the clock is set by %i ms', (ms) => {
    const clock = new TestClock();
    const limiter = new RateLimiter(1, clock.elapsedMs);
    limiter.take('a');
    clock.step(ms);
    expect(limiter.take('a')).toBe(60);
    clock.advance(60_000);
    expect(limiter.take('a')).toBe(0);
  });

  it('says what is left, and when all of it is', () => {
    const clock = new TestClock();
    const limiter = new RateLimiter(1_200, clock.elapsedMs);
    const all = { quota: 120, windowSeconds: 6 };
    expect(limiter.stateOf('a')).toEqual({ ...all, left: 120, resetSeconds: 0 });
    for (let n = 0; n < 121; n += 1) limiter.take('a');
    expect(limiter.stateOf('a')).toEqual({ ...all, left: 0, resetSeconds: 6 });
    expect(limiter.stateOf('b').left).toBe(120);
    clock.advance(1_000);
    expect(limiter.stateOf('a')).toEqual({ ...all, left: 20, resetSeconds: 5 });
    expect(rateLimitHeaders({ requests: limiter.stateOf('a'), orders: limiter.stateOf('b') })).toEqual({
      'ratelimit-policy': '"requests";q=120;w=6, "orders";q=120;w=6',
      ratelimit: '"requests";r=20;t=5, "orders";r=120;t=0',
    });
  });
});
