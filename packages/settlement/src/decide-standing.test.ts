import { money, rateOf } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import {
  afterRefusal,
  decideNewDepositOrder,
  decideNewRenewal,
  decideStanding,
  isStandingRefusal,
  type StandingBounds,
  type StandingSource,
  standingAmount,
} from './decide-standing.ts';
import { refuse } from './decision.ts';

const usdt = (units: bigint) => money('USDT', units);
const HOUR_MS = 3_600_000;

describe('a new renewal', () => {
  it.each([
    [undefined, 'order_unknown'],
    [{ hasEnded: true, isRenewed: true }, 'lockup_ended'],
    [{ hasEnded: false, isRenewed: true }, 'already_renewed'],
  ] as const)('of %j is refused: %s', (order, refusal) => {
    expect(decideNewRenewal(order)).toMatchObject({ ok: false, refusal, field: 'id' });
  });

  it('is accepted for an open lock-up', () => {
    expect(decideNewRenewal({ hasEnded: false, isRenewed: false })).toEqual({ ok: true, effect: null });
  });
});

describe('a new order for deposits', () => {
  const terms = { isOffered: true, min: usdt(10n), max: usdt(1_000n) };
  const wanted = { product: 7, rateMin: rateOf('0.0001'), amountMin: usdt(10n), amountMax: usdt(1_000n) };
  it.each([
    [{}, { terms: undefined }, 'product_unknown', 'product'],
    [{}, { terms: { ...terms, isOffered: false } }, 'earning_not_offered', 'product'],
    [{ rateMin: null }, {}, 'rate_min_missing', 'rate_min'],
    [{ product: null }, {}, 'rate_min_missing', 'rate_min'],
    [{ amountMin: usdt(9n) }, {}, 'below_minimum', 'amount_min'],
    [{ amountMax: usdt(1_001n) }, {}, 'above_maximum', 'amount_max'],
    [{ amountMin: usdt(20n), amountMax: usdt(19n) }, {}, 'amounts_crossed', 'amount_max'],
    [{}, { active: 1 }, 'too_many_standing', undefined],
  ] as const)('is refused, case %#', (change, given, refusal, field) => {
    expect(decideNewDepositOrder({ ...wanted, ...change }, { active: 0, terms, ...given })).toMatchObject({
      ok: false,
      refusal,
      ...(field && { field }),
    });
  });

  it('is accepted for a lock-up within its limits, and for liquidity, which has no maximum', () => {
    expect(decideNewDepositOrder(wanted, { active: 0, terms })).toEqual({ ok: true, effect: null });
    const liquid = { ...wanted, product: null, rateMin: null, amountMax: usdt(10n ** 15n) };
    expect(decideNewDepositOrder(liquid, { active: 0, terms: { ...terms, max: null } })).toEqual({
      ok: true,
      effect: null,
    });
  });
});

describe('a subscription by a standing order', () => {
  const now = new Date('2036-12-08T00:00:00Z');
  const renewal: StandingBounds = {
    customer: 7n,
    kind: 'renewal',
    product: 30,
    rateMin: rateOf('0.0001'),
    amountMin: null,
    amountMax: null,
    createdMs: now.getTime() - HOUR_MS,
    state: 'active',
    current: 'lockup',
  };
  const ended: StandingSource = {
    id: 'lockup',
    kind: 'renewal',
    customer: 7n,
    amount: usdt(500n),
    endDay: 100,
    creditedMs: null,
  };
  const order = { customer: 7n, product: 30, amount: usdt(500n), day: 100, now, dailyRate: rateOf('0.0001') };
  const deposits: StandingBounds = {
    ...renewal,
    kind: 'deposits',
    amountMin: usdt(100n),
    amountMax: usdt(400n),
    current: null,
  };
  const credited: StandingSource = {
    ...ended,
    id: 'deposit',
    kind: 'deposits',
    endDay: null,
    creditedMs: now.getTime(),
  };
  const part = { ...order, amount: usdt(400n) };

  it.each([
    ['another customer', { customer: 8n }, {}, {}, 'standing_not_due'],
    ['an instruction of another customer', {}, { customer: 8n }, {}, 'standing_not_due'],
    ['a source of another customer', {}, {}, { customer: 8n }, 'standing_not_due'],
    ['another product', { product: 60 }, {}, {}, 'standing_not_due'],
    ['liquidity', { product: null }, {}, {}, 'standing_not_due'],
    ['more', { amount: usdt(501n) }, {}, {}, 'standing_not_due'],
    ['less', { amount: usdt(499n) }, {}, {}, 'standing_not_due'],
    ['a lock-up that is not in line', {}, { current: 'other' }, {}, 'standing_not_due'],
    ['a deposit', {}, {}, { kind: 'deposits' }, 'standing_not_due'],
    ['a revoked instruction', {}, { state: 'revoked' }, {}, 'standing_not_due'],
    ['an ended instruction', {}, { state: 'ended' }, {}, 'standing_not_due'],
    ['the second day after the end', { day: 102 }, {}, {}, 'missed'],
    ['a lower rate', { dailyRate: rateOf('0.00009999') }, {}, {}, 'below_rate_min'],
    ['a product without terms', { dailyRate: null }, {}, {}, 'below_rate_min'],
  ] as const)('renews nothing for %s', (_why, ordered, bounds, source, refusal) => {
    const decided = decideStanding({ ...order, ...ordered }, { ...renewal, ...bounds }, { ...ended, ...source });
    expect(decided).toMatchObject({ ok: false, refusal });
  });

  it.each([
    ['one from before the order', {}, {}, { creditedMs: renewal.createdMs - 1 }, 'standing_not_due'],
    ['the whole of a larger one', { amount: usdt(500n) }, {}, {}, 'standing_not_due'],
    ['one of more than six hours ago', {}, {}, { creditedMs: now.getTime() - 6 * HOUR_MS - 1 }, 'missed'],
    ['a small one', { amount: usdt(99n) }, {}, { amount: usdt(99n) }, 'deposit_too_small'],
    ['a lower rate', { dailyRate: rateOf('0') }, {}, {}, 'below_rate_min'],
  ] as const)('subscribes no deposit for %s', (_why, ordered, bounds, source, refusal) => {
    const early = { ...deposits, createdMs: refusal === 'missed' ? 0 : deposits.createdMs, ...bounds };
    const decided = decideStanding({ ...part, ...ordered }, early, { ...credited, ...source });
    expect(decided).toMatchObject({ ok: false, refusal });
  });

  it('is covered within the bounds, and by an instruction and a source only', () => {
    expect(decideStanding(order, renewal, ended)).toEqual({ ok: true, effect: null });
    expect(decideStanding({ ...order, day: 101 }, renewal, ended)).toEqual({ ok: true, effect: null });
    expect(decideStanding(part, deposits, credited)).toEqual({ ok: true, effect: null });
    const small = { ...credited, amount: usdt(100n) };
    expect(decideStanding({ ...part, amount: usdt(100n) }, deposits, small)).toEqual({ ok: true, effect: null });
    const liquid = { ...deposits, product: null, rateMin: null };
    expect(decideStanding({ ...part, product: null, dailyRate: null }, liquid, credited).ok).toBe(true);
    expect(decideStanding(order, undefined, ended)).toMatchObject({ refusal: 'standing_not_due' });
    expect(decideStanding(order, renewal, undefined)).toMatchObject({ refusal: 'standing_not_due' });
    expect(standingAmount(renewal, ended)).toEqual(usdt(500n));
  });

  it('is tried again after a pause while there is time, and otherwise skipped', () => {
    for (const refusal of ['paused', 'money_halted', 'standing_not_due']) {
      expect(afterRefusal(refuse(refusal), false)).toBeNull();
      expect(afterRefusal(refuse(refusal), true)).toEqual({ skip: refusal });
    }
    for (const refusal of ['exceeds_balance', 'below_rate_min', 'account_frozen', 'consent_required', 'missed'])
      expect(afterRefusal(refuse(refusal), false)).toEqual({ skip: refusal });
  });

  it('has refusals that no other subscription gets', () => {
    expect(['missed', 'below_rate_min', 'sold_out', 'account_frozen'].map(isStandingRefusal)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
