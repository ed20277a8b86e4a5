import { COIN_CODES, type CoinCode } from '@sathorn/money';
import type { Bus, BusEvents } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { bookViewOf, type HeardBooks, TELL_EVERY_MS } from './book-view.ts';
import type { BookChanges, CoinBook } from './coin-book.ts';
import { type ContractRow, contractOrderOf, MARKET_MAKER } from './contract-order.ts';
import { tradeViewOf } from './fill-view.ts';

/** Told at once: more would be no message of NATS. */
const TRADES_MAX = 1_000;
/** No app is told more often. */
const BOOK_EVERY_MS = 100;

/** Tells what was committed: orders to their owners, trades and the best levels to everybody. */
export class ChangesTeller {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #bookOf: (coin: CoinCode) => CoinBook | undefined;
  readonly #heard: HeardBooks;
  readonly #changed = new Set<CoinCode>();
  /** Books whose turn it is to be told. */
  readonly #due = new Set<CoinCode>();
  #sinceAllMs = 0;

  constructor(dependencies: {
    bus: Bus;
    clock: Clock;
    bookOf: (coin: CoinCode) => CoinBook | undefined;
    heard: HeardBooks;
  }) {
    this.#bus = dependencies.bus;
    this.#clock = dependencies.clock;
    this.#bookOf = dependencies.bookOf;
    this.#heard = dependencies.heard;
  }

  tell(changes: readonly BookChanges[]): void {
    for (const { coin, inserted, updated, newTrades } of changes) {
      this.#changed.add(coin);
      for (const rows of [inserted, updated])
        for (const row of rows) if (row.customer !== MARKET_MAKER) this.#bus.emit('contracts', changeOf(row));
      for (let at = 0; at < newTrades.length; at += TRADES_MAX) {
        const data = newTrades.slice(at, at + TRADES_MAX).map(tradeViewOf);
        this.#bus.emit('trades', { code: coin, data });
      }
    }
    this.#tellDue();
  }

  /**
   * Tells of the books until the signal aborts, and what has changed then; `isOurs` are those that this process writes.
   */
  run(signal: AbortSignal, isOurs: (coin: CoinCode) => boolean): Promise<void> {
    const timer = setInterval(() => this.#tellBooks(isOurs), BOOK_EVERY_MS);
    return new Promise((resolve) => {
      const stop = (): void => {
        clearInterval(timer);
        this.#tellBooks(isOurs);
        resolve();
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  #tellBooks(isOurs: (coin: CoinCode) => boolean): void {
    this.#sinceAllMs += BOOK_EVERY_MS;
    const all = this.#sinceAllMs >= TELL_EVERY_MS;
    if (all) this.#sinceAllMs = 0;
    for (const coin of COIN_CODES) if (this.#changed.has(coin) || (all && isOurs(coin))) this.#due.add(coin);
    this.#changed.clear();
    this.#tellDue();
  }

  /** What a batch has done may yet be taken back, so its book waits for the end of it. */
  #tellDue(): void {
    const now = this.#clock.now();
    for (const coin of this.#due) {
      const book = this.#bookOf(coin);
      if (book !== undefined && !book.isCommitted) continue;
      this.#due.delete(coin);
      // Who is cut off from the database, and does not know yet that another matches the coin, must not tell what was.
      if (book === undefined || this.#heard.knowsNewer(coin, book.sequence, now)) continue;
      this.#bus.emit('book', { code: coin, data: bookViewOf(book, now) });
    }
  }
}

/** Few owners watch: an order is written out for those who do. A row that was committed does not change any more. */
const changeOf = (row: ContractRow): BusEvents['contracts'][0] => ({
  owner: row.customer,
  get data() {
    return [contractOrderOf(row)];
  },
});
