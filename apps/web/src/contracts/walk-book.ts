import {
  add,
  type CoinCode,
  type Money,
  money,
  type Price,
  parseMoney,
  parsePrice,
  scaleOf,
  zero,
} from '@sathorn/money';
import { quantityForAmount } from './contract-math.ts';

/** Price and quantity of each level as decimal strings, best first. */
export type BookLevels = readonly (readonly [string, string])[];

export interface BookWalk {
  readonly coin: CoinCode;
  /** The taker's side. */
  readonly side: 'buy' | 'sell';
  /** The worst price; null for no limit. */
  readonly limit: Price | null;
  /** In coins, or in USDT for a buy by amount. */
  readonly size: Money;
  readonly lot: bigint;
}

export interface TakenFromBook {
  readonly quantity: Money<CoinCode>;
  /** Rounded up for a buy and down for a sale, so that an estimate is never too good. */
  readonly amount: Money<'USDT'>;
  /** True if the levels filled the whole size. */
  readonly isWhole: boolean;
}

/**
 * Computes what an order would take from these levels, best first, if it arrived now. For display only: the server
 * matches with its own book.
 */
export function walkBook(levels: BookLevels, { coin, side, limit, size, lot }: BookWalk): TakenFromBook {
  const isByAmount = size.asset === 'USDT';
  const parts = 10n ** BigInt(scaleOf(coin));
  let left = isByAmount ? size.units * parts : size.units;
  let taken: Money<CoinCode> = zero(coin);
  let sum = 0n;
  for (const [priceText, quantityText] of levels) {
    const price = parsePrice(priceText);
    const there = parseMoney<CoinCode>(coin, quantityText);
    if (price === undefined || there === undefined || price <= 0n) continue;
    if (limit !== null && (side === 'buy' ? price > limit : price < limit)) break;
    const wanted = isByAmount ? quantityForAmount(coin, money('USDT', left / parts), price, lot).units : left;
    const hasEnough = wanted <= there.units;
    const quantity = hasEnough ? wanted : there.units;
    taken = add(taken, money(coin, quantity));
    sum += price * quantity;
    left -= isByAmount ? price * quantity : quantity;
    // An amount is used up when it no longer buys a lot at this price.
    if (isByAmount ? hasEnough : left === 0n) {
      return { quantity: taken, amount: rounded(sum, parts, side), isWhole: taken.units > 0n };
    }
  }
  return { quantity: taken, amount: rounded(sum, parts, side), isWhole: false };
}

function rounded(sum: bigint, parts: bigint, side: 'buy' | 'sell'): Money<'USDT'> {
  return money('USDT', side === 'buy' ? (sum + parts - 1n) / parts : sum / parts);
}
