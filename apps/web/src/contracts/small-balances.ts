import type { User } from '@sathorn/api';
import { type CoinCode, isCoinCode, isMore, type Money, parseMoney } from '@sathorn/money';
import { CONTRACT_LIMITS, SALE_MIN } from '@sathorn/settlement';

export interface SmallBalance {
  readonly code: CoinCode;
  /** All that there is, in coins. */
  readonly quantity: string;
  readonly value: Money<'USDT'>;
}

/**
 * The coins of which the customer has less than the smallest order, and which can be sold nevertheless because it is
 * all. Coins in an open order are left out: all of them can't be sold.
 */
export function smallBalances(coins: User['coins']): SmallBalance[] {
  return coins.flatMap(({ code, amount, held, value }) => {
    const worth = value === null ? undefined : parseMoney('USDT', value);
    if (!isCoinCode(code) || worth === undefined || /[1-9]/.test(held)) return [];
    const isSmall = isMore(CONTRACT_LIMITS.amountMin, worth) && !isMore(SALE_MIN, worth);
    return isSmall ? [{ code, quantity: amount, value: worth }] : [];
  });
}
