/**
 * A venue's price from its order book: the mean of the average prices at which a given amount of USDT buys and sells. A
 * trade of the smallest lot does not change it, so a manipulator would need resting orders of that amount, which
 * anybody may hit. There is no averaging over time, because a lagging price gives faster traders an edge.
 */
import { type CoinCode, PRICE_SCALE, parseDecimal } from '@sathorn/money';

/** A level in the client library's format: price and amount as numbers or decimal strings. */
export type BookLevel = readonly unknown[];

export interface VenueBook {
  /** Best price first. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** The venue's own time of the book's latest change. */
  readonly timestamp?: number | undefined;
}

export interface ImpactTerms {
  /** The amount of USDT (or of the venue's dollars) to buy and sell; in units of 10^-6. */
  readonly notional: bigint;
  /** A book whose two averages are further apart than this has no vote; in bps of the mid. */
  readonly spreadMaxBps: bigint;
}

const usdt = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(PRICE_SCALE);

/**
 * On a usual day each listed venue can fill these amounts many times over. With larger amounts, thin books would have
 * no vote at night.
 */
export const IMPACT_TERMS: Record<CoinCode, ImpactTerms> = {
  BTC: { notional: usdt(10_000), spreadMaxBps: 10n },
  ETH: { notional: usdt(10_000), spreadMaxBps: 10n },
  BNB: { notional: usdt(5_000), spreadMaxBps: 20n },
  SOL: { notional: usdt(5_000), spreadMaxBps: 20n },
  XRP: { notional: usdt(5_000), spreadMaxBps: 20n },
  DOGE: { notional: usdt(2_500), spreadMaxBps: 30n },
  ADA: { notional: usdt(2_500), spreadMaxBps: 30n },
  TRX: { notional: usdt(2_500), spreadMaxBps: 30n },
};

/** Amounts are in units of 10^-8 coins. */
const AMOUNT_SCALE = 8;
/** Sums of coins are a million times finer than their quotes, so that the average is exact to a price's last digit. */
const FINER = 1_000_000n;

interface ImpactMid {
  /** In units of 10^-6. */
  readonly price: bigint;
  /** The levels from which it was computed, as text: the same text means that nothing near the price has changed. */
  readonly mark: string;
}

/** Null if the book is empty, crossed, unsorted, too thin for the amount, or too wide. */
export function impactMid({ bids, asks }: VenueBook, { notional, spreadMaxBps }: ImpactTerms): ImpactMid | null {
  const buy = averageOf(asks, notional, (price, before) => price >= before);
  const sell = averageOf(bids, notional, (price, before) => price <= before);
  if (buy === null || sell === null || sell.best >= buy.best) return null;
  const price = (buy.average + sell.average) / 2n;
  if ((buy.average - sell.average) * 10_000n > price * spreadMaxBps) return null;
  return { price, mark: `${sell.mark}|${buy.mark}` };
}

/** The average price at which an amount trades against one side of a book. */
function averageOf(
  levels: readonly BookLevel[],
  notional: bigint,
  isInOrder: (price: bigint, before: bigint) => boolean,
): { readonly best: bigint; readonly average: bigint; readonly mark: string } | null {
  // A price in 10^-6 times an amount in 10^-8 is in 10^-14.
  const whole = notional * 10n ** BigInt(AMOUNT_SCALE);
  let left = whole;
  let coins = 0n;
  let best: bigint | undefined;
  let before: bigint | undefined;
  let mark = '';
  for (const level of levels) {
    const price = venueUnitsOf(level[0], PRICE_SCALE);
    const amount = venueUnitsOf(level[1], AMOUNT_SCALE);
    if (price === undefined || amount === undefined || price <= 0n || amount < 0n) return null;
    if (before !== undefined && !isInOrder(price, before)) return null;
    before = price;
    if (amount === 0n) continue;
    best ??= price;
    mark += `${price}x${amount} `;
    const worth = price * amount;
    if (worth >= left) {
      coins += (left * FINER) / price;
      return { best, average: (whole * FINER) / coins, mark };
    }
    left -= worth;
    coins += amount * FINER;
  }
  return null;
}

/** Converts a venue's number to units of 10^-scale and cuts off finer digits. Undefined if it is not a plain number. */
export function venueUnitsOf(value: unknown, scale: number): bigint | undefined {
  if (typeof value === 'number') {
    // Below 2^50 rounding to the nearest integer is exact; larger numbers take the slower exact way.
    const units = value * 10 ** scale;
    if (units >= 0 && units < 2 ** 50) return BigInt(Math.round(units));
  }
  const text = typeof value === 'string' ? value : typeof value === 'number' ? value.toFixed(scale) : '';
  const [whole = '', fraction = ''] = text.split('.');
  return parseDecimal(fraction === '' ? whole : `${whole}.${fraction.slice(0, scale)}`, scale);
}
