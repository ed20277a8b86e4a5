import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { CONTRACT_FEES } from './contract-terms.ts';
import { isBelowMinimum, VIP_LEVELS, vipLevelOf, vipValueOf, withdrawalDailyMax } from './withdrawal-limits.ts';

const usdt = (units: bigint) => money('USDT', units);

describe('a withdrawal below the minimum', () => {
  it.each([
    ['at the minimum', 10n, 500n, 9n, false],
    ['below it', 9n, 500n, 8n, true],
    ['all of a small balance', 9n, 9n, 8n, false],
    ['more than a small balance', 9n, 8n, 8n, true],
    ['of which the fee leaves nothing', 9n, 9n, 0n, true],
    ['of which less than nothing is left', 9n, 9n, -1n, true],
    ['which pays nothing out, though it is large', 10n, 500n, 0n, true],
  ])('%s', (_, amount, available, left, isRefused) => {
    const [min, received] = [usdt(10n), usdt(left)];
    expect(isBelowMinimum({ amount: usdt(amount), min, available: usdt(available), received })).toBe(isRefused);
  });
});

describe('VIP levels', () => {
  it.each([
    [0n, 0],
    [19_999_999n, 0],
    [20_000_000n, 1],
    [999_999_999n, 1],
    [1_000_000_000n, 2],
    [199_999_999_999n, 5],
    [200_000_000_000n, 6],
    [10n ** 15n, 6],
  ])('%s units of deposits are level %s', (units, level) => {
    expect(vipLevelOf(usdt(units))).toBe(level);
  });

  it('end where the next one begins, so that the app can derive where each begins', () => {
    const values = VIP_LEVELS.map(({ level }) => vipValueOf(level).units);
    const begins = VIP_LEVELS.map((_, n) => (n === 0 ? usdt(20_000_000n).units : values[n - 1]));
    expect(begins).toEqual(VIP_LEVELS.map(({ from }) => from.units));
    expect(values.at(-1)).toBe(VIP_LEVELS.at(-1)?.from.units);
  });

  it('each has fees, and none is worse than the level below', () => {
    expect(CONTRACT_FEES).toHaveLength(VIP_LEVELS.length + 1);
    for (const [n, fees] of CONTRACT_FEES.entries()) {
      const before = CONTRACT_FEES[n - 1];
      if (before) expect([fees.makerBps <= before.makerBps, fees.takerBps <= before.takerBps]).toEqual([true, true]);
    }
  });
});

it.each([
  ['none', 0, 1_000],
  ['none', 6, 1_000],
  ['primary', 6, 10_000],
  ['advanced', 0, 50_000],
  ['advanced', 1, 50_000],
  ['advanced', 6, 500_000],
] as const)('a customer with certification %s at level %s withdraws %s USDT a day', (certified, level, whole) => {
  expect(withdrawalDailyMax(certified, level)).toEqual(usdt(BigInt(whole) * 1_000_000n));
});
