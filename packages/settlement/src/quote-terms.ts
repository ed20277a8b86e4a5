import { type CoinCode, type Money, money } from '@sathorn/money';

/** How the house's market maker quotes a coin. */
export interface QuoteTerms {
  /**
   * Distance from the index to the best quote on either side, in parts of 10,000, when the maker holds equal values in
   * the coin and in USDT.
   */
  readonly halfSpreadBps: bigint;
  /** The value of the best quote. */
  readonly first: Money<'USDT'>;
}

const terms = (halfSpreadBps: bigint, first: bigint): QuoteTerms => ({
  halfSpreadBps,
  first: money('USDT', first * 1_000_000n),
});

/** Volatile coins get wider spreads and smaller sizes. */
export const QUOTE_TERMS: Readonly<Record<CoinCode, QuoteTerms>> = {
  BTC: terms(5n, 4_000n),
  ETH: terms(5n, 3_000n),
  BNB: terms(6n, 2_000n),
  SOL: terms(7n, 2_000n),
  XRP: terms(7n, 2_000n),
  DOGE: terms(8n, 1_000n),
  ADA: terms(8n, 1_000n),
  TRX: terms(8n, 1_000n),
};

/** Levels of one side, best first: distance and size as multiples of the best one's, in tenths. */
export const QUOTE_LADDER: readonly { readonly distance: bigint; readonly size: bigint }[] = [
  { distance: 10n, size: 10n },
  { distance: 16n, size: 15n },
  { distance: 24n, size: 20n },
  { distance: 36n, size: 30n },
  { distance: 52n, size: 40n },
  { distance: 76n, size: 55n },
  { distance: 110n, size: 75n },
  { distance: 160n, size: 100n },
];

/**
 * The shortest time between two requotes, because each is a journal that is stored for ever. A quote that the index has
 * reached is replaced at once.
 */
export const REQUOTE_AFTER_MS = 2_500;
