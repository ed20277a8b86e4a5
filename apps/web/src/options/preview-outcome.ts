import type { DurationTerms } from '@sathorn/api';
import { formatMoney, parseMoney, parseRate } from '@sathorn/money';
import { optionWin } from '@sathorn/settlement';

export interface Preview {
  /** The credit of a win in all, after the fee. USDT, all decimals. */
  readonly credit: string;
  readonly fee: string;
}

/**
 * Estimates the result of an order under these published terms, for display before the purchase. The order itself
 * states the agreed terms. Undefined when the text is not an amount yet.
 */
export function previewOutcome(stakeText: string, terms: DurationTerms): Preview | undefined {
  const stake = parseMoney('USDT', stakeText);
  const payout = parseRate(terms.payout);
  const feeRate = parseRate(terms.fee);
  if (!stake || stake.units === 0n || payout === undefined || feeRate === undefined) return undefined;
  const { credited, fee } = optionWin(stake, payout, feeRate);
  return { credit: formatMoney(credited), fee: formatMoney(fee) };
}
