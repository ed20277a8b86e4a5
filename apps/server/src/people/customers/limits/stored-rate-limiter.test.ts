import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../platform/database/testing.ts';
import { keyedHashOf } from '../keyed-hash.ts';
import type { RateLimit } from './rate-limit.ts';
import { openStoredRateLimiter, type StoredRateLimiter } from './stored-rate-limiter.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const windowLimit = (max: number): RateLimit => ({ kind: 'window', max, windowMs: 60_000 });

let test: TestDatabase;
let rateLimiter: StoredRateLimiter;
beforeAll(async () => {
  test = await openTestDatabase({ connections: 12 });
  rateLimiter = openStoredRateLimiter(test.database, keyedHashOf(Buffer.alloc(32, 1)));
});
afterAll(() => test.close());

it('lets exactly `max` of many parallel tries through', async () => {
  const subjects = [
    { subject: ['a', 'one'] as const, limit: windowLimit(7) },
    { subject: ['b', 'two'] as const, limit: windowLimit(100) },
  ];
  const answers = await Promise.all(Array.from({ length: 200 }, () => rateLimiter.take(subjects, NOW)));
  expect(answers.filter((exceeded) => exceeded === null)).toHaveLength(7);
  expect(answers.find((exceeded) => exceeded)).toEqual({ index: 0, retryAfterMs: 60_000 });
  // A refused try does not count for the other subjects, so 93 are left.
  const rest = await Promise.all(Array.from({ length: 100 }, () => rateLimiter.take(subjects.slice(1), NOW)));
  expect(rest.filter((exceeded) => exceeded === null)).toHaveLength(93);
});

it('does not deadlock when two callers name the same subjects in different orders', async () => {
  const [x, y] = [
    { subject: ['x'] as const, limit: windowLimit(1_000) },
    { subject: ['y'] as const, limit: windowLimit(1_000) },
  ];
  await Promise.all(Array.from({ length: 100 }, (_, i) => rateLimiter.take(i % 2 ? [x, y] : [y, x], NOW)));
  expect(await rateLimiter.retryAfterMs([x, y], NOW)).toBe(0);
});

it('allows tries again after a reset', async () => {
  const subjects = [{ subject: ['forgotten'] as const, limit: windowLimit(1) }];
  await rateLimiter.take(subjects, NOW);
  expect(await rateLimiter.retryAfterMs(subjects, NOW)).toBe(60_000);
  await rateLimiter.reset([['forgotten']]);
  expect(await rateLimiter.retryAfterMs(subjects, NOW)).toBe(0);
  expect(await rateLimiter.take(subjects, NOW)).toBeNull();
});

it('sweeps only states that no limit needs', async () => {
  const subjects = [{ subject: ['old'] as const, limit: windowLimit(1) }];
  await rateLimiter.take(subjects, NOW);
  const count = async (): Promise<number> =>
    (await test.database.query({ name: 'count', text: 'SELECT 1 FROM customers.allowance' })).length;
  const before = await count();
  await rateLimiter.sweep(later(47 * 3_600_000));
  expect(await count()).toBe(before);
  await rateLimiter.sweep(later(49 * 3_600_000));
  expect(await count()).toBe(0);
});
