import { formatRate, mulDiv, parsePrice, RATE_ONE, type Rate } from '@sathorn/money';

/**
 * From this distance on, the customer is warned before the order is sent. A typing error of one digit is usually ten
 * times as far.
 */
const TOLD_FROM = RATE_ONE / 20n;

/** By what share of the index a buyer overpays or a seller undersells; null if it is too small to warn about. */
export function costlyDistance(side: 'buy' | 'sell', limit: string, index: string | null | undefined): string | null {
  const [price, middle] = [parsePrice(limit), parsePrice(index ?? '')];
  if (price === undefined || middle === undefined || middle <= 0n) return null;
  const away = side === 'buy' ? price - middle : middle - price;
  if (away <= 0n) return null;
  const share = mulDiv(away, RATE_ONE, middle, 'down');
  return share >= TOLD_FROM ? formatRate(share as Rate) : null;
}

/** By what share of the index a price is above it, or below it when negative; undefined without both prices. */
export function distanceFrom(priceText: string, index: string | null): string | undefined {
  const [price, middle] = [parsePrice(priceText), parsePrice(index ?? '')];
  if (price === undefined || middle === undefined || middle <= 0n) return undefined;
  return formatRate((((price - middle) * RATE_ONE) / middle) as Rate);
}
