import type { DurationTerms } from '@sathorn/api';
import { formatDecimal, parseRate, RATE_ONE } from '@sathorn/money';

const SHARE_SCALE = 4;
const SHARE_ONE = 10_000n;

/**
 * The share of won options at which a customer neither gains nor loses: stake / (stake + gain after the fee), which is
 * 1 / (1 + payout × (1 − fee)). Rounds up to 0.01 %, so that the share shown is never too small to break even.
 */
export function breakEvenShare({ payout, fee }: Pick<DurationTerms, 'payout' | 'fee'>): string | undefined {
  const [payoutRate, feeRate] = [parseRate(payout), parseRate(fee)];
  if (payoutRate === undefined || feeRate === undefined) return undefined;
  const one = RATE_ONE * RATE_ONE;
  const whole = one + payoutRate * (RATE_ONE - feeRate);
  return formatDecimal((one * SHARE_ONE + whole - 1n) / whole, SHARE_SCALE);
}
