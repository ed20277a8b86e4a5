import type { WithdrawalRate } from '@sathorn/api';
import { compareDecimals } from '../parts/money/exchange.ts';

export type AmountVerdict = 'missing' | 'below_minimum' | 'above_maximum' | 'exceeds_daily' | 'exceeds_balance';

/** What is wrong with an amount by what is known here, most telling first. The server judges it again. */
export function judgeAmount(
  amount: string,
  rate: Pick<WithdrawalRate, 'min' | 'max' | 'left_today'>,
  available: string | undefined,
): AmountVerdict | null {
  if (amount === '') return 'missing';
  if (available !== undefined && compareDecimals(amount, available) > 0) return 'exceeds_balance';
  if (compareDecimals(amount, rate.min) < 0) return 'below_minimum';
  if (compareDecimals(amount, rate.max) > 0) return 'above_maximum';
  if (compareDecimals(amount, rate.left_today) > 0) return 'exceeds_daily';
  return null;
}

/** The most that one withdrawal may be, of what is available. */
export function mostOf({ max, left_today: left }: Pick<WithdrawalRate, 'max' | 'left_today'>): string {
  return compareDecimals(max, left) < 0 ? max : left;
}
