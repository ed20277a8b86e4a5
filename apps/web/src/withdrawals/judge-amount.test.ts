import { expect, test } from 'vitest';
import { judgeWithdrawalAmount, largestWithdrawal } from './judge-amount.ts';

const rate = { min: '10', max: '50000', left_today: '9000' };

test.each([
  ['', '100', 'missing'],
  ['9.999999', '100', 'below_minimum'],
  ['9.999999', undefined, 'below_minimum'],
  ['9.999999', '9.999999', null],
  ['10', '100', null],
  ['100.000001', '100', 'exceeds_balance'],
  ['9000', '100000', null],
  ['9000.01', '100000', 'exceeds_daily'],
  ['50000.01', '100000', 'above_maximum'],
  ['5', '4', 'exceeds_balance'],
  ['500', undefined, null],
] as const)('%s of %s available: %s', (amount, available, verdict) => {
  expect(judgeWithdrawalAmount(amount, rate, available)).toBe(verdict);
});

test('the maximum is one withdrawal’s limit or the rest of today’s', () => {
  expect(largestWithdrawal(rate)).toBe('9000');
  expect(largestWithdrawal({ max: '500', left_today: '9000' })).toBe('500');
});
