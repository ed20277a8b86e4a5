import { money, parseMoney, rateOf } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import {
  decideLiquiditySubscription,
  decideLockup,
  decideRedemption,
  highestDailyIncome,
  type LiquiditySubscription,
  type LockupSubscription,
  type Redemption,
} from './decide-earning.ts';

const usdt = (text: string) => parseMoney('USDT', text) ?? money('USDT', -1n);
const fund = { available: 10_000_000n, liquidityDaily: 0n, isWaiting: false };
const lockup: LockupSubscription = {
  amount: usdt('1000'),
  isOffered: true,
  min: usdt('50'),
  available: usdt('1000'),
  limits: { max: usdt('1000'), takenBy: usdt('0'), quota: usdt('3000'), taken: usdt('2000') },
  terms: { dailyRate: rateOf('0.00015'), days: 30 },
  fund,
};
const cost = { lastDay: 0n, subscribed: 0n, next: null };
const liquidity: LiquiditySubscription = {
  ...lockup,
  fund: 10_000_000n,
  cost,
  min: usdt('10'),
  stages: [{ from: 0n, rate: rateOf('0.0365') }],
};
const redemption: Redemption = {
  amount: usdt('5'),
  speed: 'quick',
  redeemable: usdt('5'),
  quick: usdt('29999995'),
};

describe('a lock-up subscription', () => {
  it('promises its whole yield', () => {
    expect(decideLockup(lockup)).toEqual({
      ok: true,
      effect: { promised: usdt('4.5'), takenBy: usdt('1000'), taken: usdt('3000') },
    });
  });
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: LockupSubscription[] = [];
  it.each([
    ['yield_uncovered', { fund: { ...fund, available: 4_499_999n } }, undefined],
    ['sold_out', { limits: { ...lockup.limits, taken: usdt('2000.000001') } }, undefined],
    ['exceeds_balance', { available: usdt('999.999999') }, { available: '999.999999' }],
    ['above_maximum', { limits: { ...lockup.limits, takenBy: usdt('0.000001') } }, { max: '999.999999' }],
    ['below_minimum', { min: usdt('1000.000001') }, { min: '1000.000001' }],
    ['earning_not_offered', { isOffered: false }, undefined],
  ] as const)('is refused as %s before any later reason', (refusal, change, params) => {
    spoiled.push({ ...(spoiled.at(-1) ?? lockup), ...change });
    expect(decideLockup({ ...lockup, ...change })).toMatchObject({ ok: false, refusal });
    expect(decideLockup(spoiled.at(-1) ?? lockup)).toMatchObject({ ok: false, refusal, ...(params && { params }) });
  });
  it('shows the smaller of the customer’s and the total quota, and never less than zero', () => {
    const of = (limits: Partial<LockupSubscription['limits']>) =>
      decideLockup({ ...lockup, limits: { ...lockup.limits, ...limits } });
    expect(of({ takenBy: usdt('1'), taken: usdt('2500') })).toMatchObject({ params: { max: '500.000000' } });
    expect(of({ takenBy: usdt('1001') })).toMatchObject({ params: { max: '0.000000' } });
    expect(of({ takenBy: usdt('1'), taken: usdt('3001') })).toMatchObject({ params: { max: '0.000000' } });
  });
  it('leaves liquidity a month of income, to the unit', () => {
    const tight = { available: 4_500_000n + 30n * 7n, liquidityDaily: 7n, isWaiting: false };
    expect(decideLockup({ ...lockup, fund: tight }).ok).toBe(true);
    expect(decideLockup({ ...lockup, fund: { ...tight, available: tight.available - 1n } }).ok).toBe(false);
  });
});

describe('the highest cost of a day of liquidity', () => {
  const stages = [
    { from: 0n, rate: rateOf('0.02') },
    { from: 1_000n, rate: rateOf('0.0365') },
  ];
  it.each([
    // At the highest stage's rate, 10,000 units earn exactly one unit per day.
    [10_000n, 1n],
    [10_001n, 2n],
    [1n, 1n],
    [0n, 0n],
  ])('of %i units is %i, rounded up', (balance, units) => expect(highestDailyIncome(balance, stages)).toBe(units));
});

describe('a liquidity subscription', () => {
  it.each([
    ['yield_uncovered', { fund: 2_999_999n }],
    ['yield_uncovered', { fund: 3_000_000n, cost: { ...cost, lastDay: 1n } }],
    ['yield_uncovered', { fund: 3_000_000n, cost: { ...cost, subscribed: 1n } }],
    ['yield_uncovered', { cost: { ...cost, next: { day: 1, units: 10_000_001n } } }],
    ['exceeds_balance', { available: usdt('999') }],
    ['below_minimum', { amount: usdt('9.999999') }],
    ['earning_not_offered', { isOffered: false }],
  ] as const)('is refused as %s', (refusal, change) => {
    expect(decideLiquiditySubscription({ ...liquidity, ...change })).toMatchObject({ ok: false, refusal });
  });
  it('is accepted while the account can pay a month of it, to the unit', () => {
    expect(decideLiquiditySubscription({ ...liquidity, fund: 3_000_000n })).toEqual({
      ok: true,
      effect: { ...cost, subscribed: 1_000_000_000n },
    });
  });
});

describe('a redemption', () => {
  it.each([
    ['quick_cap_reached', { quick: usdt('29999995.000001') }],
    ['exceeds_liquidity', { redeemable: usdt('4.999999') }],
    ['amount_not_positive', { amount: usdt('0') }],
  ] as const)('is refused as %s', (refusal, change) => {
    expect(decideRedemption({ ...redemption, ...change })).toMatchObject({ ok: false, refusal });
  });
  it('counts against the next one, to the last unit of the day’s cap', () =>
    expect(decideRedemption(redemption)).toEqual({ ok: true, effect: usdt('30000000') }));
  it('has no cap if it is normal', () => {
    const quick = usdt('30000000');
    expect(decideRedemption({ ...redemption, speed: 'normal', quick })).toEqual({ ok: true, effect: quick });
  });
});
