import { rateOf } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { checkIncome, type IncomeClaim } from './check-income.ts';

const liquidity: IncomeClaim = {
  base: 3_000_000_000n,
  stages: [
    { from: 0n, rate: rateOf('0.05') },
    { from: 1_000_000_000n, rate: rateOf('0.036') },
  ],
  lockup: null,
  carryBefore: 0n,
  units: 334_246n,
  carryAfter: 21_000_000_000n,
  totalAfter: 334_246n,
  transferred: 334_246n,
  isPaid: true,
};
const lockup: IncomeClaim = {
  base: 1_000_000_001n,
  stages: null,
  lockup: { dailyRate: rateOf('0.00015'), nth: 2, days: 30 },
  carryBefore: 15_000n,
  units: 150_000n,
  carryAfter: 30_000n,
  totalAfter: 300_000n,
  transferred: 150_000n,
  isPaid: true,
};

describe('the receipt of a day’s income', () => {
  it('matches the worked example of the rules', () => {
    expect(checkIncome(liquidity)).toEqual([]);
    // The next day starts with the carried remainder and pays one unit more.
    const next = { carryBefore: 21_000_000_000n, units: 334_247n, carryAfter: 5_500_000_000n, transferred: 334_247n };
    expect(checkIncome({ ...liquidity, ...next, totalAfter: 668_493n })).toEqual([]);
    expect(checkIncome(lockup)).toEqual([]);
  });

  it.each([
    [liquidity, { units: 334_245n, transferred: 334_245n }, ['income']],
    [liquidity, { carryAfter: 20_999_999_999n }, ['remainder']],
    [liquidity, { totalAfter: 334_245n }, ['total']],
    [liquidity, { transferred: 334_245n }, ['transfer']],
    [liquidity, { transferred: null }, ['transfer']],
    [liquidity, { isPaid: false }, ['transfer']],
    [liquidity, { base: 2_999_999_999n }, ['remainder']],
    [lockup, { carryBefore: 0n }, ['remainder']],
    [lockup, { totalAfter: 299_999n }, ['total']],
    [lockup, { base: 1_000_010_001n }, ['income', 'remainder', 'total']],
  ] as const)('names what is wrong: %#', (claim, change, faults) => {
    expect(checkIncome({ ...claim, ...change })).toEqual(faults);
  });
});
