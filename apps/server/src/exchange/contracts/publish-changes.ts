import { COIN_CODES, type CoinCode } from '@sathorn/money';
import type { Bus, BusEvents } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { BOOK_REPUBLISH_EVERY_MS, bookViewOf, type ReceivedBooks } from './book-view.ts';
import type { BookChanges, CoinBook } from './coin-book.ts';
import { type ContractRow, contractOrderOf, MARKET_MAKER_OWNER } from './contract-order.ts';
import { tradeViewOf } from './fill-view.ts';
import { type WaitingRow, waitingOrderOf } from './waiting-order.ts';

/** Trades per message; more would exceed the message size of NATS. */
const TRADES_MAX = 1_000;
/** The shortest interval between two book messages. */
const BOOK_EVERY_MS = 100;

/** Publishes committed changes: orders to their owners, trades and the best levels to everybody. */
export class ChangePublisher {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #bookOf: (coin: CoinCode) => CoinBook | undefined;
  readonly #received: ReceivedBooks;
  readonly #changed = new Set<CoinCode>();
  /** Coins whose books are due to be published. */
  readonly #due = new Set<CoinCode>();
  #sinceAllMs = 0;

  constructor(dependencies: {
    bus: Bus;
    clock: Clock;
    bookOf: (coin: CoinCode) => CoinBook | undefined;
    received: ReceivedBooks;
  }) {
    this.#bus = dependencies.bus;
    this.#clock = dependencies.clock;
    this.#bookOf = dependencies.bookOf;
    this.#received = dependencies.received;
  }

  publish(changes: readonly BookChanges[]): void {
    for (const { coin, inserted, updated, newTrades, waitingInserted, waitingUpdated } of changes) {
      this.#changed.add(coin);
      for (const rows of [inserted, updated])
        for (const row of rows) if (row.customer !== MARKET_MAKER_OWNER) this.#bus.emit('contracts', changeOf(row));
      for (const rows of [waitingInserted, waitingUpdated])
        for (const row of rows) this.#bus.emit('waiting', waitingChangeOf(row));
      for (let at = 0; at < newTrades.length; at += TRADES_MAX) {
        const data = newTrades.slice(at, at + TRADES_MAX).map(tradeViewOf);
        this.#bus.emit('trades', { code: coin, data });
      }
    }
    this.#publishDue();
  }

  /**
   * Publishes the books until the signal aborts, and then the last changes. `isOurs` selects the coins that this
   * process matches.
   */
  run(signal: AbortSignal, isOurs: (coin: CoinCode) => boolean): Promise<void> {
    const timer = setInterval(() => this.#publishBooks(isOurs), BOOK_EVERY_MS);
    return new Promise((resolve) => {
      const stop = (): void => {
        clearInterval(timer);
        this.#publishBooks(isOurs);
        resolve();
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  #publishBooks(isOurs: (coin: CoinCode) => boolean): void {
    this.#sinceAllMs += BOOK_EVERY_MS;
    const all = this.#sinceAllMs >= BOOK_REPUBLISH_EVERY_MS;
    if (all) this.#sinceAllMs = 0;
    for (const coin of COIN_CODES) if (this.#changed.has(coin) || (all && isOurs(coin))) this.#due.add(coin);
    this.#changed.clear();
    this.#publishDue();
  }

  /** A batch may still be rolled back, so its book is published only after the batch has ended. */
  #publishDue(): void {
    const now = this.#clock.now();
    for (const coin of this.#due) {
      const book = this.#bookOf(coin);
      if (book !== undefined && !book.isCommitted) continue;
      this.#due.delete(coin);
      // A process that is cut off from the database may not know that another one matches the coin. It must not publish
      // its stale book.
      if (book === undefined || this.#received.knowsNewer(coin, book.sequence, now)) continue;
      this.#bus.emit('book', { code: coin, data: bookViewOf(book, now) });
    }
  }
}

/**
 * Converts an order only when somebody listens, because few owners are connected. The delay does no harm: committed
 * rows no longer change.
 */
const waitingChangeOf = (row: WaitingRow): BusEvents['waiting'][0] => ({
  owner: row.customer,
  get data() {
    return [waitingOrderOf(row)];
  },
});
const changeOf = (row: ContractRow): BusEvents['contracts'][0] => ({
  owner: row.customer,
  get data() {
    return [contractOrderOf(row)];
  },
});
