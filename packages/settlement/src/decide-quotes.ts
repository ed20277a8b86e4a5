/**
 * Decides the quotes of the house's market maker: a ladder on both sides of the index, computed from its balances.
 * `docs/decisions/0012-house-market-maker.md` explains the distances and when quotes are replaced.
 *
 * Every bid is below the index and every ask above it, all within the band of market orders, and each level is farther
 * away than the previous one. A quote rests or is left out. What customers offer at a price at which the maker would
 * quote is taken by an order of its own (`decideTake`), so a customer's order is filled once the index has passed it.
 * All bids together cost at most the maker's USDT, and all asks at most its coins. A maker
 * with more value in the coin than in USDT asks closer to the index and bids smaller sizes, and vice versa, until both
 * are equal. The same situation always gives the same quotes.
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
import { CALM_AFTER_MS, FAST_WITHIN_MS, QUOTE_LADDER, type QuoteTerms, REQUOTE_AFTER_MS } from './quote-terms.ts';

export interface QuoteSituation {
  readonly coin: CoinCode;
  /** Null while the index is stale or the coin is paused; then nothing is quoted. */
  readonly index: Price | null;
  /** True while the index moves fast: then nothing is quoted near it. */
  readonly isFast: boolean;
  readonly terms: QuoteTerms;
  /** Balances available for this coin, including those held by its resting quotes. */
  readonly coins: Money<CoinCode>;
  readonly usdt: Money<'USDT'>;
  /** The most units of the coin that may be sold; null without a limit. */
  readonly sellMax?: bigint | null;
}

/** Best first, bids before asks. */
export function decideQuotes(situation: QuoteSituation): LimitTicket[] {
  const { index } = situation;
  if (index === null) return [];
  const skew = skewOf(situation, index);
  return [...sideOf('buy', situation, index, skew), ...sideOf('sell', situation, index, -skew)];
}

/** The best prices on a book; null for an empty side. */
export interface BestPrices {
  readonly buy: Price | null;
  readonly sell: Price | null;
}

/**
 * The order that takes what customers offer at the price of the maker's nearest quote or better: of all its quotes that
 * would have crossed, at the price of the nearest. Null if there is nothing to take.
 */
export function decideTake(quotes: readonly LimitTicket[], best: BestPrices): LimitTicket | null {
  for (const side of ['buy', 'sell'] as const) {
    const offered = best[side === 'buy' ? 'sell' : 'buy'];
    if (offered === null) continue;
    const crossing = quotes.filter(
      (quote) => quote.side === side && (side === 'buy' ? quote.price >= offered : quote.price <= offered),
    );
    const [nearest] = crossing;
    if (nearest === undefined) continue;
    const units = crossing.reduce((sum, { quantity }) => sum + quantity.units, 0n);
    return { ...nearest, quantity: money(nearest.coin, units), timeInForce: 'IOC', postOnly: false };
  }
  return null;
}

export interface PlacedQuotes {
  readonly index: Price;
  readonly atMs: number;
  /** When the index was last fast; null if never. */
  readonly fastMs: number | null;
}

interface Seen {
  readonly index: Price;
  readonly terms: QuoteTerms;
  /** The lowest taker fee in force, in parts of 10,000. */
  readonly takerBps: bigint;
}

/**
 * Returns when the index was last fast: when it left quotes behind soon after they were placed or after a trade, whose
 * taker may have known the market's move.
 */
export function lastFastMs(
  quoted: PlacedQuotes | null,
  now: Seen & { readonly isFilled: boolean; readonly atMs: number },
): number | null {
  if (quoted === null) return null;
  const isSoon = Math.abs(now.atMs - quoted.atMs) < FAST_WITHIN_MS;
  return isLeftBehind(quoted, now) && (isSoon || now.isFilled) ? now.atMs : quoted.fastMs;
}

/** Uses the absolute difference, so a clock that steps back does not keep the index fast for long. */
export const isFastMarketAt = (fastMs: number | null, atMs: number): boolean =>
  fastMs !== null && Math.abs(atMs - fastMs) < CALM_AFTER_MS;

/** True if a quote must be replaced before it gives away more than the taker's fee earns. */
function isLeftBehind(quoted: PlacedQuotes, { index, terms, takerBps }: Seen): boolean {
  const moved = movedFrom(quoted, index);
  const limits = [terms.followBps, terms.halfSpreadBps + takerBps];
  return limits.some((bps) => moved >= mulDiv(quoted.index, bps, 10_000n, 'up'));
}
const movedFrom = (quoted: PlacedQuotes, index: Price): bigint =>
  index > quoted.index ? index - quoted.index : quoted.index - index;

/** True if the quotes should be replaced; `quoted` is null when there are none. */
export function isRequoteDue(
  quoted: PlacedQuotes | null,
  now: Seen & {
    readonly isFilled: boolean;
    /**
     * True when nobody has traded with the house for a while. Then the quotes are replaced only when the index has
     * left them behind.
     */
    readonly isQuiet: boolean;
    readonly atMs: number;
  },
): boolean {
  if (quoted === null || isLeftBehind(quoted, now)) return true;
  const { index, terms, isFilled, isQuiet, atMs } = now;
  // Uses the absolute difference, so a clock that steps back does not stop requoting.
  const ageMs = Math.abs(atMs - quoted.atMs);
  if (isFastMarketAt(quoted.fastMs, quoted.atMs) && !isFastMarketAt(quoted.fastMs, atMs)) return true;
  const hasMoved = movedFrom(quoted, index) >= mulDiv(quoted.index, terms.halfSpreadBps, 10_000n, 'up');
  return ageMs >= REQUOTE_AFTER_MS && (isFilled || (!isQuiet && hasMoved));
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
  { coin, terms, coins, usdt, isFast, sellMax }: QuoteSituation,
  index: Price,
  skew: bigint,
): LimitTicket[] {
  const sellable = sellMax != null && sellMax < coins.units ? money(coin, sellMax) : coins;
  const has = side === 'buy' ? usdt.units : contractAmount(index, sellable, 'down').units;
  const ladder = QUOTE_LADDER.reduce((sum, { size }) => sum + (terms.first.units * size) / 10n, 0n);
  // All levels shrink by the same factor: first because of the surplus, then to fit the available balance.
  const wanted = skew > 0n ? (ladder * (SKEW_ONE - skew)) / SKEW_ONE : ladder;
  const worth = wanted < has ? wanted : has;

  const quotes: LimitTicket[] = [];
  let left: bigint = side === 'buy' ? usdt.units : sellable.units;
  let before = index;
  for (const { distance: away, size, isNear } of QUOTE_LADDER) {
    if (isFast && isNear) continue;
    const limit = priceAt(side, coin, index, before, terms.halfSpreadBps * away * (2n * SKEW_ONE + skew));
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
function priceAt(side: 'buy' | 'sell', coin: CoinCode, index: Price, before: Price, away: bigint): Price | null {
  const priceStep = priceStepUnits(coin);
  if (side === 'buy') {
    const exact = mulDiv(index, DISTANCE_ONE - away, DISTANCE_ONE, 'down') / priceStep;
    const next = mulDiv(before, 1n, priceStep, 'up') - 1n;
    const limit = price((exact < next ? exact : next) * priceStep);
    return limit >= bandPrice(coin, 'sell', index) && limit > 0n ? limit : null;
  }
  const exact = mulDiv(mulDiv(index, DISTANCE_ONE + away, DISTANCE_ONE, 'up'), 1n, priceStep, 'up');
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
