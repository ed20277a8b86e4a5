import type { BookView, TradeView } from '@sathorn/api';
import { formatDecimal, formatPrice, mulDiv, parsePrice, price } from '@sathorn/money';
import { decimalsOf } from './contract-math.ts';

interface BookMiddle {
  /** Halfway between the best prices, rounded up to a price step. */
  readonly mid: string;
  /** Best ask minus best bid in parts of 10,000 of the mid, with one decimal. */
  readonly spreadBp: string;
}

/** Returns undefined if a side is empty or the prices cross. */
export function bookMiddle({ bids, asks }: Pick<BookView, 'bids' | 'asks'>, tick: string): BookMiddle | undefined {
  const bid = bids[0] && parsePrice(bids[0][0]);
  const ask = asks[0] && parsePrice(asks[0][0]);
  const step = parsePrice(tick);
  if (bid === undefined || ask === undefined || !step || bid <= 0n || ask < bid) return undefined;
  const mid = mulDiv(bid + ask, 1n, 2n * step, 'up') * step;
  const tenths = ((ask - bid) * 400_000n + (bid + ask)) / (2n * (bid + ask));
  return { mid: formatPrice(price(mid), decimalsOf(tick)), spreadBp: formatDecimal(tenths, 1) };
}

/** After this time the last trade no longer indicates the market's direction. */
const TONE_MS = 60_000;

/** Returns the last trade's age and its colour while recent. A clock behind the server's gives age zero. */
export function lastTradeView(
  { side, at }: Pick<TradeView, 'side' | 'at'>,
  nowMs: number,
): { readonly ageSeconds: number; readonly tone: 'rise' | 'fall' | '' } {
  const ageMs = Math.max(0, nowMs - Date.parse(at));
  return { ageSeconds: Math.floor(ageMs / 1_000), tone: ageMs >= TONE_MS ? '' : side === 'buy' ? 'rise' : 'fall' };
}
