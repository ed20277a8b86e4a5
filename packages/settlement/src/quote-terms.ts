import { type CoinCode, type Money, money } from '@sathorn/money';

/** The terms by which the house's market maker quotes a coin. */
export interface QuoteTerms {
  /**
   * Distance from the index to the best quote on either side, in parts of 10,000, when the maker holds equal values in
   * the coin and in USDT. It is less than any taker fee, which is what makes such a narrow spread affordable.
   */
  readonly halfSpreadBps: bigint;
  /** The quotes are replaced at once when the index has moved this far since they were placed. */
  readonly followBps: bigint;
  /** The value of the best quote. */
  readonly first: Money<'USDT'>;
}

const terms = (halfSpreadBps: bigint, followBps: bigint, first: bigint): QuoteTerms => ({
  halfSpreadBps,
  followBps,
  first: money('USDT', first * 1_000_000n),
});

/** Volatile coins get wider spreads and smaller sizes. A price step of ADA is two bps, so its spread is two steps. */
export const QUOTE_TERMS: Readonly<Record<CoinCode, QuoteTerms>> = {
  BTC: terms(1n, 4n, 1_000n),
  ETH: terms(1n, 4n, 750n),
  BNB: terms(2n, 6n, 500n),
  SOL: terms(2n, 6n, 500n),
  XRP: terms(2n, 6n, 500n),
  DOGE: terms(2n, 6n, 250n),
  ADA: terms(1n, 5n, 125n),
  TRX: terms(2n, 6n, 250n),
};

interface QuoteLevel {
  readonly distance: bigint;
  readonly size: bigint;
  /** True if this level is too near to the index while the index moves fast. */
  readonly isNear: boolean;
}
const level = (distance: bigint, size: bigint, isNear = false): QuoteLevel => ({ distance, size, isNear });

/**
 * Levels of one side, best first: distance and size as multiples of the best level's, in tenths. The near levels are
 * small, because a customer who knows the market before the index does takes these first.
 */
export const QUOTE_LADDER: readonly QuoteLevel[] = [
  level(10n, 10n, true),
  level(20n, 15n, true),
  level(35n, 25n, true),
  level(50n, 40n),
  level(80n, 60n),
  level(120n, 80n),
  level(175n, 120n),
  level(250n, 160n),
  level(350n, 220n),
  level(480n, 300n),
  level(650n, 400n),
];

/**
 * The shortest time between two requotes, because the journal of each is stored for ever. A quote that the index has
 * left too far behind is replaced at once.
 */
export const REQUOTE_AFTER_MS = 2_500;

/** The index is fast if it leaves quotes behind within this time. */
export const FAST_WITHIN_MS = 4_000;
/** No quotes are placed near the index for this long after it was fast. */
export const CALM_AFTER_MS = 15_000;
