import { formatRate, mulDiv, parsePrice, RATE_ONE, type Rate } from '@sathorn/money';

/**
 * A limit price at least this far from the index causes a warning before the order is sent. A typing error of one digit
 * is usually ten times as far.
 */
const TOLD_FROM = RATE_ONE / 20n;

/** The share of the index by which a buyer overpays or a seller undersells; null if too small for a warning. */
export function overpaidShare(side: 'buy' | 'sell', limit: string, index: string | null | undefined): string | null {
  const [price, middle] = [parsePrice(limit), parsePrice(index ?? '')];
  if (price === undefined || middle === undefined || middle <= 0n) return null;
  const away = side === 'buy' ? price - middle : middle - price;
  if (away <= 0n) return null;
  const share = mulDiv(away, RATE_ONE, middle, 'down');
  return share >= TOLD_FROM ? formatRate(share as Rate) : null;
}

/** A smaller distance is shown as none, because the figures have steps of 0.01 %. */
const SHOWN_FROM = RATE_ONE / 10_000n;

/** The share of the index by which a price is above or below it, for a sentence; undefined without both. */
export function priceDistanceText(
  priceText: string,
  index: string | null,
): { readonly direction: 'above' | 'below' | 'same'; readonly share: string } | undefined {
  const [price, middle] = [parsePrice(priceText), parsePrice(index ?? '')];
  if (price === undefined || middle === undefined || middle <= 0n) return undefined;
  const isAbove = price > middle;
  const share = mulDiv(isAbove ? price - middle : middle - price, RATE_ONE, middle, 'down');
  return {
    direction: share < SHOWN_FROM ? 'same' : isAbove ? 'above' : 'below',
    share: formatRate(share as Rate),
  };
}
