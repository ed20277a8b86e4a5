import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { CONTRACT_FEES } from './contract-terms.ts';
import { VIP_LEVELS, vipLevelOf, vipValueOf, withdrawalDailyMax } from './withdrawal-limits.ts';

const usdt = (units: bigint) => money('USDT', units);

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

  it('end where the next begins, so that the app can derive where each begins', () => {
    const values = VIP_LEVELS.map(({ level }) => vipValueOf(level).units);
    const begins = VIP_LEVELS.map((_, n) => (n === 0 ? usdt(20_000_000n).units : values[n - 1]));
    expect(begins).toEqual(VIP_LEVELS.map(({ from }) => from.units));
    expect(values.at(-1)).toBe(VIP_LEVELS.at(-1)?.from.units);
  });

  it('each has fees, and none is worse than the one before', () => {
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
