import type { BookView } from '@sathorn/api';
import { COINS, type CoinCode, formatMoney, formatPrice, money } from '@sathorn/money';
import type { CoinBook } from './coin-book.ts';

/** The number of levels per side that are shown. */
const BOOK_DEPTH_MAX = 50;

export function bookViewOf(book: CoinBook, at: Date): BookView {
  const { coin } = book;
  const { priceDecimals } = COINS[coin];
  const levels = (side: 'buy' | 'sell'): [string, string][] =>
    book
      .depth(side, BOOK_DEPTH_MAX)
      .map(({ price, quantity }) => [formatPrice(price, priceDecimals), formatMoney(money(coin, quantity))]);
  return {
    code: coin,
    bids: levels('buy'),
    asks: levels('sell'),
    sequence: String(book.sequence),
    at: at.toISOString(),
  };
}

/**
 * An unchanged book is published again at this interval. A process that has just started then receives it, and
 * subscribers notice when updates stop.
 */
export const BOOK_REPUBLISH_EVERY_MS = 2_000;
const STALE_AFTER_MS = 3 * BOOK_REPUBLISH_EVERY_MS;

/** The latest books that this process has received, from its own matchers and from others. */
export class ReceivedBooks {
  readonly #books = new Map<string, { readonly book: BookView; readonly receivedMs: number }>();

  put(book: BookView, now: Date): void {
    this.#books.set(book.code, { book, receivedMs: now.getTime() });
  }

  latest(code: CoinCode): BookView | null {
    return this.#books.get(code)?.book ?? null;
  }

  /** True if the book has not been published for a while: no matcher is running, or it cannot be reached. */
  isStale(code: CoinCode, now: Date): boolean {
    const received = this.#books.get(code);
    // Uses the absolute difference, so that a clock that steps back does not make a stale book fresh.
    return received === undefined || Math.abs(now.getTime() - received.receivedMs) > STALE_AFTER_MS;
  }

  /** True if another process has published a later state. */
  knowsNewer(code: CoinCode, sequence: number, now: Date): boolean {
    const received = this.#books.get(code);
    return received !== undefined && !this.isStale(code, now) && Number(received.book.sequence) > sequence;
  }
}
