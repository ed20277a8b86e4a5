import { describe, expect, test } from 'vitest';
import { liveOutcome } from '../parts/orders/live-outcome.ts';
import { breakEvenShare } from './break-even.ts';
import { canPayMinimum, isStakeAllowed, judgeTicket, largestStake } from './judge-ticket.ts';
import { netResult } from './net-result.ts';
import { previewOutcome } from './preview-outcome.ts';

const terms = { seconds: 60, payout: '0.78', fee: '0.02', min: '1.000000', max: '5000.000000' };

describe('the possible results of an order', () => {
  test('the mock-up’s own example', () => {
    expect(previewOutcome('100', terms)).toEqual({ credit: '176.440000', fee: '1.560000' });
  });
  test('profit is rounded down and the fee up, as in the rules', () => {
    expect(previewOutcome('1.000001', terms)).toEqual({ credit: '1.764401', fee: '0.015600' });
    expect(previewOutcome('1.000003', { ...terms, payout: '0.75' })).toEqual({
      credit: '1.735004',
      fee: '0.015001',
    });
  });
  test.each(['', '0', '0.000000', '1e3', '-5'])('%s is not an amount', (amount) => {
    expect(previewOutcome(amount, terms)).toBeUndefined();
  });
});

describe('the share of wins to break even', () => {
  test.each([
    // 100 / 173.5 = 0.57636…, so 57.63 % would still lose.
    ['0.75', '0.02', '0.5764'],
    ['0.78', '0.02', '0.5668'],
    ['1', '0', '0.5000'],
    ['0.25', '0', '0.8000'],
    ['0.85', '0', '0.5406'],
  ])('payout %s with fee %s needs %s, rounded up', (payout, fee, share) => {
    expect(breakEvenShare({ payout, fee })).toBe(share);
  });
  test('is unknown without terms that can be read', () => {
    expect(breakEvenShare({ payout: 'much', fee: '0.02' })).toBeNull();
  });
});

test('the largest stake is the available balance, or an order’s maximum', () => {
  expect(largestStake('2318.400000', terms)).toBe('2318.4');
  expect(largestStake('9999', terms)).toBe('5000');
  expect(isStakeAllowed('5000', '9999', terms)).toBe(true);
  expect(isStakeAllowed('5000.000001', '9999', terms)).toBe(false);
  expect(isStakeAllowed('0.999999', '9999', terms)).toBe(false);
  expect(isStakeAllowed('10', '9.999999', terms)).toBe(false);
});

describe('a ticket', () => {
  const good = { amount: '100', terms, available: '2318.400000', hasPrice: true, isStale: false, isSilent: false };
  test('may be bought', () => expect(judgeTicket(good)).toBeNull());
  test.each([
    ['price_missing', { hasPrice: false, isStale: true }],
    ['price_stale', { isStale: true, amount: '' }],
    ['stream_silent', { isSilent: true }],
    ['not_offered', { terms: undefined }],
    ['amount_missing', { amount: '' }],
    ['amount_missing', { amount: '0.000000' }],
    ['below_minimum', { amount: '0.999999' }],
    ['above_maximum', { amount: '5000.000001', available: '9999' }],
    ['exceeds_balance', { amount: '2318.400001' }],
  ] as const)('%s', (fault, change) => {
    expect(judgeTicket({ ...good, ...change })).toBe(fault);
  });
  test('the last unit of the balance can be staked', () => {
    expect(judgeTicket({ ...good, amount: '2318.4' })).toBeNull();
  });
});

test.each([
  ['0.000000', false],
  ['0.999999', false],
  ['1.000000', true],
])('%s is enough for an order of at least 1: %s', (available, isEnough) => {
  expect(canPayMinimum(available, terms)).toBe(isEnough);
});

describe('the state of an open order', () => {
  const order = { direction: 'up', start_price: '64210.00', quantity: '100.000000', win_credit: '176.440000' } as const;
  test.each([
    ['64210.01', 'winning', '76.440000', '176.440000'],
    ['64209.99', 'losing', '-100.000000', '0.000000'],
    ['64210.00', 'level', '0.000000', '100.000000'],
  ] as const)('up at %s is %s', (price, standing, profit, credit) => {
    expect(liveOutcome(order, price)).toMatchObject({ standing, profit, credit });
  });
  test('down is the reverse of up', () => {
    expect(liveOutcome({ ...order, direction: 'down' }, '64209.99')).toMatchObject({
      standing: 'winning',
      distance: '-0.01',
    });
  });
  test('is unknown before the first tick', () => {
    expect(liveOutcome({ ...order, start_price: null }, '1')).toBeUndefined();
    expect(liveOutcome(order, null)).toBeUndefined();
  });
});

test.each([
  ['176.440000', '76.440000'],
  ['0.000000', '-100.000000'],
  ['100.000000', '0.000000'],
  [null, null],
])('credited %s of a stake of 100 is %s', (credited, net) => {
  expect(netResult({ buy_price: '100.000000', sell_price: credited })).toBe(net);
});
