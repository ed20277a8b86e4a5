import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../database/testing.ts';
import { keyedHashOf } from '../keyed-hash.ts';
import type { AllowanceRule } from './allowance.ts';
import { type Allowances, openAllowances } from './allowances.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const budget = (max: number): AllowanceRule => ({ kind: 'budget', max, windowMs: 60_000 });

let test: TestDatabase;
let allowances: Allowances;
beforeAll(async () => {
  test = await testDatabase({ connections: 12 });
  allowances = openAllowances(test.database, keyedHashOf(Buffer.alloc(32, 1)));
});
afterAll(() => test.close());

it('lets exactly as many parallel tries through as there are', async () => {
  const limited = [
    { subject: ['a', 'one'] as const, rule: budget(7) },
    { subject: ['b', 'two'] as const, rule: budget(100) },
  ];
  const answers = await Promise.all(Array.from({ length: 200 }, () => allowances.charge(limited, NOW)));
  expect(answers.filter((blocked) => blocked === null)).toHaveLength(7);
  expect(answers.find((blocked) => blocked)).toEqual({ index: 0, waitMs: 60_000 });
  // A refused try costs the other subjects nothing: 93 are left.
  const rest = await Promise.all(Array.from({ length: 100 }, () => allowances.charge(limited.slice(1), NOW)));
  expect(rest.filter((blocked) => blocked === null)).toHaveLength(93);
});

it('two orders of the same subjects don’t wait for each other', async () => {
  const [x, y] = [
    { subject: ['x'] as const, rule: budget(1_000) },
    { subject: ['y'] as const, rule: budget(1_000) },
  ];
  await Promise.all(Array.from({ length: 100 }, (_, i) => allowances.charge(i % 2 ? [x, y] : [y, x], NOW)));
  expect(await allowances.wait([x, y], NOW)).toBe(0);
});

it('forgets, while others try', async () => {
  const limited = [{ subject: ['forgotten'] as const, rule: budget(1) }];
  await allowances.charge(limited, NOW);
  expect(await allowances.wait(limited, NOW)).toBe(60_000);
  await allowances.forget([['forgotten']]);
  expect(await allowances.wait(limited, NOW)).toBe(0);
  expect(await allowances.charge(limited, NOW)).toBeNull();
});

it('sweeps what no rule remembers', async () => {
  const limited = [{ subject: ['old'] as const, rule: budget(1) }];
  await allowances.charge(limited, NOW);
  const count = async (): Promise<number> =>
    (await test.database.query({ name: 'count', text: 'SELECT 1 FROM customers.allowance' })).length;
  const before = await count();
  await allowances.sweep(later(47 * 3_600_000));
  expect(await count()).toBe(before);
  await allowances.sweep(later(49 * 3_600_000));
  expect(await count()).toBe(0);
});
