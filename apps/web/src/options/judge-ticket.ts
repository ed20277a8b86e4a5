import type { DurationTerms } from '@sathorn/api';
import { isMore, type Money, parseMoney } from '@sathorn/money';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';

/**
 * The reason why an order cannot be bought now, the most general reason first. The server checks again in the same
 * order.
 */
type TicketFault =
  | 'price_missing'
  | 'price_stale'
  | 'stream_silent'
  | 'not_offered'
  | 'amount_missing'
  | 'below_minimum'
  | 'above_maximum'
  | 'exceeds_balance';

export interface TicketInput {
  readonly amount: string;
  readonly terms: DurationTerms | undefined;
  readonly available: string | undefined;
  readonly hasPrice: boolean;
  readonly isStale: boolean;
  readonly isSilent: boolean;
}

function usdt(text: string | undefined): Money<'USDT'> | undefined {
  return text === undefined ? undefined : parseMoney('USDT', text);
}

export function judgeTicket({
  amount,
  terms,
  available,
  hasPrice,
  isStale,
  isSilent,
}: TicketInput): TicketFault | null {
  if (!hasPrice) return 'price_missing';
  if (isStale) return 'price_stale';
  if (isSilent) return 'stream_silent';
  if (!terms) return 'not_offered';

  const stake = usdt(amount);
  const min = usdt(terms.min);
  const max = usdt(terms.max);
  const balance = usdt(available);
  if (!stake || stake.units === 0n) return 'amount_missing';
  if (min && isMore(min, stake)) return 'below_minimum';
  if (max && isMore(stake, max)) return 'above_maximum';
  if (balance && isMore(stake, balance)) return 'exceeds_balance';
  return null;
}

/** True if the balance is enough for the smallest order. */
export function canPayMinimum(available: string, { min }: Pick<DurationTerms, 'min'>): boolean {
  const [balance, least] = [usdt(available), usdt(min)];
  return !balance || !least || !isMore(least, balance);
}

/** Returns the largest stake: the available amount, but at most an order's maximum. */
export function largestStake(available: string, { max }: Pick<DurationTerms, 'max'>): string {
  const [balance, most] = [usdt(available), usdt(max)];
  return withoutTrailingZeros(balance && most && isMore(balance, most) ? max : available);
}

/** True if the customer may choose this stake: within the limits of an order and of the balance. */
export function isStakeAllowed(stakeText: string, available: string, { min, max }: Pick<DurationTerms, 'min' | 'max'>) {
  const [stake, least, most] = [usdt(stakeText), usdt(min), usdt(largestStake(available, { max }))];
  return stake !== undefined && !(least && isMore(least, stake)) && !(most && isMore(stake, most));
}

/** Faults of the market and not of the input. They are shown above the buttons for any amount. */
export const MARKET_FAULTS: ReadonlySet<TicketFault> = new Set([
  'price_missing',
  'price_stale',
  'stream_silent',
  'not_offered',
]);
