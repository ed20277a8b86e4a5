import { formatRate, mulDiv, parsePrice, RATE_ONE, type Rate } from '@sathorn/money';

/** From here on it is said before the order is sent: a slip of a digit is ten times as much. */
const TOLD_FROM = RATE_ONE / 20n;

/** By which share of the index a buyer offers more, or a seller takes less; null when it is not worth saying. */
export function costlyDistance(side: 'buy' | 'sell', limit: string, index: string | null | undefined): string | null {
  const [price, middle] = [parsePrice(limit), parsePrice(index ?? '')];
  if (price === undefined || middle === undefined || middle <= 0n) return null;
  const away = side === 'buy' ? price - middle : middle - price;
  if (away <= 0n) return null;
  const share = mulDiv(away, RATE_ONE, middle, 'down');
  return share >= TOLD_FROM ? formatRate(share as Rate) : null;
}
