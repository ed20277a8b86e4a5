import { formatMoney, money, parseMoney, rateOf } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decidePurchase, type OptionOffer, type Purchase } from './decide-purchase.ts';

const usdt = (text: string) => {
  const amount = parseMoney('USDT', text);
  if (amount === undefined) throw new RangeError(text);
  return amount;
};

const offer: OptionOffer = {
  payout: rateOf('0.78'),
  feeRate: rateOf('0.02'),
  stakeMin: usdt('1'),
  stakeMax: usdt('10000'),
  windowExposureMax: usdt('50000'),
  coinExposureMax: usdt('200000'),
};
const good: Purchase = {
  stake: usdt('100'),
  isCoinOffered: true,
  offer,
  isIndexStale: false,
  isAfterLatest: false,
  available: usdt('100'),
  poolAvailable: usdt('1000000'),
  windowExposure: usdt('0'),
  coinExposure: usdt('0'),
};

describe('decidePurchase', () => {
  it('accepts and returns the profit of a win', () => {
    const decision = decidePurchase(good);
    if (!decision.ok) throw new Error(decision.refusal);
    const { profit, fee, credited } = decision.effect;
    expect([profit, fee, credited].map(formatMoney)).toEqual(['78.000000', '1.560000', '176.440000']);
  });

  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: Purchase[] = [];
  const table = [
    ['exposure_reached', { poolAvailable: usdt('77.999999') }, { left: '99.999999' }],
    ['exceeds_balance', { available: usdt('99.999999') }, { available: '99.999999' }],
    ['above_maximum', { offer: { ...offer, stakeMax: usdt('99.999999') } }, { max: '99.999999' }],
    ['below_minimum', { offer: { ...offer, stakeMin: usdt('100.000001') } }, { min: '100.000001' }],
    ['accepted_late', { isAfterLatest: true }, undefined],
    ['index_stale', { isIndexStale: true }, undefined],
    ['duration_not_offered', { offer: undefined }, undefined],
    ['coin_not_offered', { isCoinOffered: false }, undefined],
  ] as const;
  it.each(table)('refuses %s before any later reason', (refusal, change, params) => {
    spoiled.push({ ...(spoiled.at(-1) ?? good), ...change });
    expect(decidePurchase({ ...good, ...change })).toMatchObject({ ok: false, refusal });
    const all = decidePurchase(spoiled.at(-1) ?? good);
    expect(all).toMatchObject({ ok: false, refusal });
    expect(all.ok ? undefined : all.params).toEqual(params);
  });

  it('S5.12 accepts a stake at both limits', () => {
    for (const stake of ['1', '10000'])
      expect(decidePurchase({ ...good, stake: usdt(stake), available: usdt(stake) }).ok).toBe(true);
  });

  it.each([
    ['window', { windowExposure: usdt('49961') }, '50.000001'],
    ['coin', { coinExposure: usdt('199961') }, '50.000001'],
    ['pool', { poolAvailable: usdt('39') }, '50.000001'],
    ['a limit lowered below what is open', { windowExposure: usdt('60000') }, '0.000000'],
    ['less left than the minimum', { poolAvailable: usdt('0.5') }, '0.000000'],
  ])('names the stake that the %s still allows', (_, change, left) => {
    expect(decidePurchase({ ...good, ...change })).toMatchObject({ refusal: 'exposure_reached', params: { left } });
  });

  it('accepts the largest stake that it named, and not one unit more', () => {
    const tight = { ...good, poolAvailable: money('USDT', 39_000_000n) };
    expect(decidePurchase({ ...tight, stake: usdt('50.000001') }).ok).toBe(true);
    expect(decidePurchase({ ...tight, stake: usdt('50.000002') }).ok).toBe(false);
  });
});
