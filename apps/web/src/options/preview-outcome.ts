import type { DurationTerms } from '@sathorn/api';
import { add, formatMoney, parseMoney, parseRate, share, subtract } from '@sathorn/money';

export interface Preview {
  /** What a win would credit in all, after the fee. USDT, all decimals. */
  readonly credit: string;
  readonly fee: string;
}

/**
 * What an order of these published terms would end in, for showing before it is bought. The order itself says what was agreed.
 * Undefined for what is not an amount yet.
 */
export function previewOutcome(stakeText: string, terms: DurationTerms): Preview | undefined {
  const stake = parseMoney('USDT', stakeText);
  const payout = parseRate(terms.payout);
  const feeRate = parseRate(terms.fee);
  if (!stake || stake.units === 0n || payout === undefined || feeRate === undefined) return undefined;
  const profit = share(stake, payout, 'down');
  const fee = share(profit, feeRate, 'up');
  return {
    credit: formatMoney(subtract(add(stake, profit), fee)),
    fee: formatMoney(fee),
  };
}
