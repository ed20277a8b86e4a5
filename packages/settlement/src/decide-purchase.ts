/**
 * Decides whether an option may be bought, and what is held for it. An accepted purchase can always be paid, because it
 * holds the customer's stake and the house's profit of a win at once. The decision uses no price, because the start
 * price is a tick that does not exist yet.
 */
import { formatMoney, isMore, type Money, type Rate, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';
import { largestStakeFor, type OptionWin, optionWinOf } from './option-terms.ts';

/** The house's offer for one duration of one coin. Exposure is the profit that the house pays if the orders win. */
export interface OptionOffer {
  readonly payout: Rate;
  readonly feeRate: Rate;
  readonly stakeMin: Money<'USDT'>;
  readonly stakeMax: Money<'USDT'>;
  /** Limit per coin and direction, over orders that end in the same window. */
  readonly windowExposureMax: Money<'USDT'>;
  /** Limit per coin over all orders. */
  readonly coinExposureMax: Money<'USDT'>;
}

export interface Purchase {
  readonly stake: Money<'USDT'>;
  readonly isCoinOffered: boolean;
  /** Undefined when this duration is not offered. */
  readonly offer: OptionOffer | undefined;
  readonly isIndexStale: boolean;
  /** True if the order would be accepted later than the customer allowed. */
  readonly isAfterLatest: boolean;
  readonly available: Money<'USDT'>;
  /** The amount that the house's pool can still promise. */
  readonly poolAvailable: Money<'USDT'>;
  readonly windowExposure: Money<'USDT'>;
  readonly coinExposure: Money<'USDT'>;
}

export type PurchaseRefusal =
  | 'coin_not_offered'
  | 'duration_not_offered'
  | 'index_stale'
  | 'accepted_late'
  | 'below_minimum'
  | 'above_maximum'
  | 'exceeds_balance'
  | 'exposure_reached';

/** Checks in the order written here; the test's table follows the same order. */
export function decidePurchase(purchase: Purchase): Decision<OptionWin, PurchaseRefusal> {
  const { stake, offer, available } = purchase;

  if (!purchase.isCoinOffered) return refuse('coin_not_offered', { field: 'code' });
  if (offer === undefined) return refuse('duration_not_offered', { field: 'duration' });
  if (purchase.isIndexStale) return refuse('index_stale');
  if (purchase.isAfterLatest) return refuse('accepted_late');
  if (isMore(offer.stakeMin, stake)) {
    return refuse('below_minimum', { field: 'quantity', params: { min: formatMoney(offer.stakeMin) } });
  }
  if (isMore(stake, offer.stakeMax)) {
    return refuse('above_maximum', { field: 'quantity', params: { max: formatMoney(offer.stakeMax) } });
  }
  if (isMore(stake, available)) {
    return refuse('exceeds_balance', { field: 'quantity', params: { available: formatMoney(available) } });
  }

  const win = optionWinOf(stake, offer.payout, offer.feeRate);
  const room = roomForProfit(purchase, offer);
  if (isMore(win.profit, room)) {
    const left = largestStakeFor(room, offer.payout);
    // A remainder below the minimum stake cannot be bought, so it counts as zero.
    const offered = isMore(offer.stakeMin, left) ? zero('USDT') : left;
    return refuse('exposure_reached', { field: 'quantity', params: { left: formatMoney(offered) } });
  }
  return accept(win);
}

/** The largest profit that the house can still promise: limited by the window, the coin and the pool's balance. */
function roomForProfit(purchase: Purchase, offer: OptionOffer): Money<'USDT'> {
  const rooms = [
    subtract(offer.windowExposureMax, purchase.windowExposure),
    subtract(offer.coinExposureMax, purchase.coinExposure),
    purchase.poolAvailable,
  ];
  const least = rooms.reduce((smallest, room) => (isMore(smallest, room) ? room : smallest));
  // After a limit is lowered, the open exposure may exceed it; the room is then 0, not negative.
  return isMore(zero('USDT'), least) ? zero('USDT') : least;
}
