import type { DurationTerms } from '@sathorn/api';
import { parseRate, RATE_ONE } from '@sathorn/money';
import { breakEvenOf } from '@sathorn/settlement';

/** The share of won options at which a customer breaks even with these terms; null if they cannot be read. */
export function breakEvenShare({ payout, fee }: Pick<DurationTerms, 'payout' | 'fee'>): string | null {
  const [payoutRate, feeRate] = [parseRate(payout), parseRate(fee)];
  if (payoutRate === undefined || feeRate === undefined) return null;
  return breakEvenOf(RATE_ONE * RATE_ONE, payoutRate * (RATE_ONE - feeRate));
}
