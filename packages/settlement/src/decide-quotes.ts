/**
 * Decides the quotes of the house's market maker: a ladder on both sides of the index, computed from its balances.
 *
 * Every bid is below the index and every ask above it, all within the band of market orders, and each level is farther
 * away than the previous one. All bids together cost at most the USDT that it may use, all asks at most its coins. A
 * maker with more value in the coin than in USDT asks closer to the index and bids smaller sizes, and vice versa, until
 * both are equal. The same situation always gives the same quotes.
 */
import {
  type CoinCode,
  lotUnits,
  type Money,
  money,
  mulDiv,
  type Price,
  price,
  priceStepUnits,
  scaleOf,
} from '@sathorn/money';
import { bandPrice, CONTRACT_LIMITS, contractAmount } from './contract-terms.ts';
import type { LimitTicket } from './contract-ticket.ts';
import { QUOTE_LADDER, type QuoteTerms, REQUOTE_AFTER_MS } from './quote-terms.ts';

export interface QuoteSituation {
  readonly coin: CoinCode;
  /** Null while the index is stale or the coin is paused; then nothing is quoted. */
  readonly index: Price | null;
  readonly terms: QuoteTerms;
  /** Balances available for this coin, including those held by its resting quotes. */
  readonly coins: Money<CoinCode>;
  readonly usdt: Money<'USDT'>;
}

/** Best first, bids before asks. */
export function decideQuotes(situation: QuoteSituation): LimitTicket[] {
  const { index } = situation;
  if (index === null) return [];
  const skew = skewOf(situation, index);
  return [...sideOf('buy', situation, index, skew), ...sideOf('sell', situation, index, -skew)];
}

export interface Quoted {
  readonly index: Price;
  readonly atMs: number;
}

/** Whether the quotes should be replaced; `quoted` is null when there are none. */
export function isRequoteDue(
  quoted: Quoted | null,
  now: {
    readonly index: Price;
    readonly terms: QuoteTerms;
    readonly isFilled: boolean;
    /**
     * True when nobody has traded with the house for a while. Then the quotes are replaced only when the index has
     * reached one of them.
     */
    readonly isQuiet: boolean;
    readonly atMs: number;
  },
): boolean {
  if (quoted === null) return true;
  const { index, terms, isFilled, isQuiet, atMs } = now;
  const moved = index > quoted.index ? index - quoted.index : quoted.index - index;
  const halfSpread = mulDiv(quoted.index, terms.halfSpreadBps, 10_000n, 'up');
  if (moved >= halfSpread) return true;
  // The absolute difference, so that a clock that steps back does not stop requoting.
  const isTooSoon = Math.abs(atMs - quoted.atMs) < REQUOTE_AFTER_MS;
  return !isTooSoon && (isFilled || (!isQuiet && moved * 2n >= halfSpread));
}

const SKEW_ONE = 1_000n;

/** From -1,000 (all in USDT) to 1,000 (all in the coin). */
function skewOf({ coins, usdt }: QuoteSituation, index: Price): bigint {
  const worth = contractAmount(index, coins, 'down').units;
  const all = worth + usdt.units;
  return all === 0n ? 0n : ((worth - usdt.units) * SKEW_ONE) / all;
}

/** `skew` is positive if this side would increase the surplus. */
function sideOf(
  side: 'buy' | 'sell',
  { coin, terms, coins, usdt }: QuoteSituation,
  index: Price,
  skew: bigint,
): LimitTicket[] {
  const has = side === 'buy' ? usdt.units : contractAmount(index, coins, 'down').units;
  const ladder = QUOTE_LADDER.reduce((sum, { size }) => sum + (terms.first.units * size) / 10n, 0n);
  // All levels shrink by the same factor: first because of the surplus, then to fit the available balance.
  const wanted = skew > 0n ? (ladder * (SKEW_ONE - skew)) / SKEW_ONE : ladder;
  const worth = wanted < has ? wanted : has;

  const quotes: LimitTicket[] = [];
  let left: bigint = side === 'buy' ? usdt.units : coins.units;
  let before = index;
  for (const { distance, size } of QUOTE_LADDER) {
    const limit = priceAt(side, coin, index, before, terms.halfSpreadBps * distance * (2n * SKEW_ONE + skew));
    if (limit === null) break;
    before = limit;
    const quantity = money(
      coin,
      quantityFor(coin, mulDiv((terms.first.units * size) / 10n, worth, ladder, 'down'), limit),
    );
    const cost = side === 'buy' ? contractAmount(limit, quantity, 'up').units : quantity.units;
    const isTooSmall = contractAmount(limit, quantity, 'down').units < CONTRACT_LIMITS.amountMin.units;
    if (isTooSmall || cost > left) continue;
    left -= cost;
    quotes.push({ coin, side, type: 'limit', price: limit, quantity, timeInForce: 'GTC', postOnly: true });
  }
  return quotes;
}

/** Product of the scales: parts of 10,000, tenths of the ladder, and thousandths of the skew. */
const DISTANCE_ONE = 10_000n * 10n * 2n * SKEW_ONE;

/** The price at a distance from the index, at least one price step beyond `before`; null outside the band. */
function priceAt(side: 'buy' | 'sell', coin: CoinCode, index: Price, before: Price, distance: bigint): Price | null {
  const priceStep = priceStepUnits(coin);
  if (side === 'buy') {
    const exact = mulDiv(index, DISTANCE_ONE - distance, DISTANCE_ONE, 'down') / priceStep;
    const next = mulDiv(before, 1n, priceStep, 'up') - 1n;
    const limit = price((exact < next ? exact : next) * priceStep);
    return limit >= bandPrice(coin, 'sell', index) && limit > 0n ? limit : null;
  }
  const exact = mulDiv(mulDiv(index, DISTANCE_ONE + distance, DISTANCE_ONE, 'up'), 1n, priceStep, 'up');
  const next = before / priceStep + 1n;
  const limit = price((exact > next ? exact : next) * priceStep);
  return limit <= bandPrice(coin, 'buy', index) ? limit : null;
}

/** Rounds to lots with two significant digits, so that sizes and holds rarely change with the price. */
function quantityFor(coin: CoinCode, amount: bigint, limit: Price): bigint {
  const lot = lotUnits(coin);
  const lots = mulDiv(amount, 10n ** BigInt(scaleOf(coin)), limit * lot, 'down');
  const step = 10n ** BigInt(Math.max(String(lots).length - 2, 0));
  return (lots / step) * step * lot;
}
