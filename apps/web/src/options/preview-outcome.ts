import type { DurationTerms } from '@sathorn/api';
import { formatMoney, parseMoney, parseRate } from '@sathorn/money';
import { optionWinOf } from '@sathorn/settlement';

export interface OutcomePreview {
  /** The total credit of a win after the fee: USDT with all decimals. */
  readonly credit: string;
  readonly fee: string;
}

/**
 * Estimates an order's result under the published terms, before the purchase. The order itself contains the agreed
 * terms. Returns undefined while the text is not an amount.
 */
export function previewOutcome(stakeText: string, terms: DurationTerms): OutcomePreview | undefined {
  const stake = parseMoney('USDT', stakeText);
  const payout = parseRate(terms.payout);
  const feeRate = parseRate(terms.fee);
  if (!stake || stake.units === 0n || payout === undefined || feeRate === undefined) return undefined;
  const { credited, fee } = optionWinOf(stake, payout, feeRate);
  return { credit: formatMoney(credited), fee: formatMoney(fee) };
}
