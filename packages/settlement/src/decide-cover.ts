/**
 * Decides whether a coin may be bought. Coins can be neither deposited nor withdrawn yet, so each coin that a customer
 * owns is a claim on the house. With real money a coin can be bought only while a reserve that two people have counted
 * covers all customers' holdings of it. Selling lowers the holdings and is always possible.
 */
import { accept, type Decision, refuse } from './decision.ts';

/** A count stays valid for a week and a day. */
export const COUNT_VALID_MS = 8 * 86_400_000;

export interface CoinCover {
  /** A demonstration's coins are test money, which nothing needs to cover. */
  readonly isTestMoney: boolean;
  /** All customers' holdings of the coin, in its smallest units. */
  readonly owed: bigint;
  /** The newest count that two people signed; null if there is none. */
  readonly counted: { readonly units: bigint; readonly asOfMs: number } | null;
  readonly nowMs: number;
}

export type CoverRefusal = 'coin_not_counted' | 'coin_not_covered';

export function decideCover(side: 'buy' | 'sell', cover: CoinCover): Decision<null, CoverRefusal> {
  if (side === 'sell' || cover.isTestMoney) return accept(null);
  const counted = validCountOf(cover);
  if (counted === null) return refuse('coin_not_counted', { field: 'code' });
  return counted < cover.owed ? refuse('coin_not_covered', { field: 'code' }) : accept(null);
}

/** Returns how much more of the coin the house may sell, in units; null without a limit. */
export function coverLeft(cover: CoinCover): bigint | null {
  if (cover.isTestMoney) return null;
  const left = (validCountOf(cover) ?? 0n) - cover.owed;
  return left > 0n ? left : 0n;
}

/** Returns the counted units, or null without a valid count. A count with a future date is a mistake. */
export function validCountOf({ counted, nowMs }: Pick<CoinCover, 'counted' | 'nowMs'>): bigint | null {
  if (counted === null || counted.asOfMs > nowMs || nowMs - counted.asOfMs > COUNT_VALID_MS) return null;
  return counted.units;
}
