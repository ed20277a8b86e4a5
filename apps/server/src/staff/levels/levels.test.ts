import { listLevels, type ResultOf, readLevel } from '@sathorn/api';
import { type CertifiedLevel, LEVEL_INFLOW_DAYS } from '@sathorn/settlement';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queries } from '../../platform/database/index.ts';
import { openTestEdge, TestClock, type TestEdge } from '../../platform/edge/testing.ts';
import { type Levels, openLevels } from './index.ts';

const database = {} as never;
const HELD_MS = LEVEL_INFLOW_DAYS * 86_400_000;
const deposits = new Map<bigint, bigint>();
const lately = new Map<bigint, bigint>();
let certified: CertifiedLevel = 'none';
const clock = new TestClock();
let levels: Levels;
let edge: TestEdge;
beforeAll(async () => {
  const opened = openLevels({
    database,
    clock,
    flowsOf: async (_queries: Queries, customer) => [
      { at: new Date(clock.now().getTime() - HELD_MS), units: deposits.get(customer) ?? 0n },
      { at: clock.now(), units: lately.get(customer) ?? 0n },
    ],
    certifiedOf: async () => certified,
    signInOf: async () => null,
  });
  levels = opened.api;
  edge = await openTestEdge({ handlers: opened.handlers });
});
afterAll(() => edge.close());

async function read<Result>(path: string): Promise<Result> {
  const response = await fetch(`${edge.url}/api${path}`, { headers: { token: 'token-1' } });
  return ((await response.json()) as { data: Result }).data;
}

it('are listed with their upper ends, from which the app derives where each begins', async () => {
  const listed = await read<ResultOf<typeof listLevels>>(listLevels.path);
  expect(listed.map(({ level, value }) => [level, value])).toEqual([
    [1, '1000.000000'],
    [2, '5000.000000'],
    [3, '20000.000000'],
    [4, '60000.000000'],
    [5, '200000.000000'],
    [6, '200000.000000'],
  ]);
  expect(listed[0]?.benefits).toEqual({ maker: '0.0009', taker: '0.0014', withdrawal_daily_max: '50000.000000' });
});

it('follow the completed deposits up and, when one is reversed, down', async () => {
  deposits.set(1n, 19_999_999n);
  expect(await read<ResultOf<typeof readLevel>>(readLevel.path)).toMatchObject({
    level: 0,
    deposited: '19.999999',
    next_value: '20.000000',
    benefits: { maker: '0.001', taker: '0.0015' },
    sign: null,
  });
  expect(await levels.levelOf(1n)).toBe(0);
  deposits.set(1n, 5_000_000_000n);
  clock.advance(5_000);
  expect(await levels.levelOf(1n)).toBe(3);
  deposits.set(1n, 0n);
  expect(await levels.levelOf(1n)).toBe(3);
  clock.advance(5_000);
  expect(await levels.levelOf(1n)).toBe(0);
});

it('L10 count what stayed for the published days, less later withdrawals', async () => {
  deposits.set(3n, 1_000_000_000n);
  lately.set(3n, 90_000_000_000n);
  expect(await read<ResultOf<typeof readLevel>>(readLevel.path)).toMatchObject({ held_days: 7 });
  expect(await levels.standingOf(database, 3n)).toMatchObject({
    level: 2,
    deposited: { units: 1_000_000_000n },
    waiting: { units: 90_000_000_000n },
  });
  lately.set(3n, -1n);
  expect(await levels.standingOf(database, 3n)).toMatchObject({ level: 1, deposited: { units: 999_999_999n } });
});

it('raise the daily limit of withdrawals only with advanced certification', async () => {
  deposits.set(2n, 200_000_000_000n);
  const limits: bigint[] = [];
  for (const step of ['none', 'primary', 'advanced'] as const) {
    certified = step;
    limits.push((await levels.standingOf(database, 2n)).withdrawalDailyMax.units / 1_000_000n);
  }
  expect(limits).toEqual([1_000n, 10_000n, 500_000n]);
});
