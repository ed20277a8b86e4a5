import type { BookView } from '@sathorn/api';
import { formatPrice, parsePrice, price } from '@sathorn/money';
import { decimalsOf } from './contract-math.ts';

/** Best ask minus best bid; undefined when a side is empty. */
export function spreadOf({ bids, asks }: Pick<BookView, 'bids' | 'asks'>, tick: string): string | undefined {
  const bid = bids[0] && parsePrice(bids[0][0]);
  const ask = asks[0] && parsePrice(asks[0][0]);
  return bid === undefined || ask === undefined || ask < bid
    ? undefined
    : formatPrice(price(ask - bid), decimalsOf(tick));
}
