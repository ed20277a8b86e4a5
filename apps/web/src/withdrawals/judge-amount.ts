import type { WithdrawalRate } from '@sathorn/api';
import { compareDecimals } from '../parts/money/exchange.ts';

type AmountVerdict = 'missing' | 'below_minimum' | 'above_maximum' | 'exceeds_daily' | 'exceeds_balance';

/** Checks an amount against the data on this device and returns the most helpful fault. The server checks again. */
export function judgeWithdrawalAmount(
  amount: string,
  rate: Pick<WithdrawalRate, 'min' | 'max' | 'left_today'>,
  available: string | undefined,
): AmountVerdict | null {
  if (amount === '') return 'missing';
  if (available !== undefined && compareDecimals(amount, available) > 0) return 'exceeds_balance';
  // The whole of a small balance may be withdrawn. The quote says whether the fee leaves anything.
  const isAll = available !== undefined && compareDecimals(amount, available) === 0;
  if (compareDecimals(amount, rate.min) < 0 && !isAll) return 'below_minimum';
  if (compareDecimals(amount, rate.max) > 0) return 'above_maximum';
  if (compareDecimals(amount, rate.left_today) > 0) return 'exceeds_daily';
  return null;
}

/** Returns the largest possible withdrawal. */
export function largestWithdrawal({ max, left_today: left }: Pick<WithdrawalRate, 'max' | 'left_today'>): string {
  return compareDecimals(max, left) < 0 ? max : left;
}
