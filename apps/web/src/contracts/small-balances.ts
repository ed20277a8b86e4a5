import type { User } from '@sathorn/api';
import { type CoinCode, isCoinCode, isMore, type Money, parseMoney } from '@sathorn/money';
import { CONTRACT_LIMITS, SALE_MIN_USDT } from '@sathorn/settlement';

export interface SmallBalance {
  readonly code: CoinCode;
  /** The whole balance, in coins. */
  readonly quantity: string;
  readonly value: Money<'USDT'>;
}

/**
 * Returns coin balances below the smallest order, which can only be sold as a whole. Coins in an open order are left
 * out, because their whole balance cannot be sold.
 */
export function smallBalances(coins: User['coins']): SmallBalance[] {
  return coins.flatMap(({ code, amount, held, value }) => {
    const worth = value === null ? undefined : parseMoney('USDT', value);
    if (!isCoinCode(code) || worth === undefined || /[1-9]/.test(held)) return [];
    const isSmall = isMore(CONTRACT_LIMITS.amountMin, worth) && !isMore(SALE_MIN_USDT, worth);
    return isSmall ? [{ code, quantity: amount, value: worth }] : [];
  });
}
