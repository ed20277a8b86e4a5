import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, PRICE_SCALE } from '@sathorn/money';
import type { PriceObservation } from '@sathorn/proof';
import { IMPACT_TERMS, impactMid, type VenueBook, venueUnitsOf } from './impact-mid.ts';
import type { PriceSource } from './price-source.ts';
import { openVenueClient, type VenueClient } from './venue-client.ts';

/** A venue and the quote currency that we read there. */
interface Venue {
  /** The venue's id in the client library. */
  readonly id: string;
  readonly quote: string;
}

/** Large venues with public order books. Each venue in USDT has its own vote; those in USD share one vote. */
export const LIVE_VENUES: readonly Venue[] = [
  { id: 'binance', quote: 'USDT' },
  { id: 'okx', quote: 'USDT' },
  { id: 'bybit', quote: 'USDT' },
  { id: 'kucoin', quote: 'USDT' },
  { id: 'kraken', quote: 'USD' },
  { id: 'coinbaseexchange', quote: 'USD' },
];

const ASK_AGAIN_MS = 600_000;

interface LiveSourcesOptions {
  readonly venues?: readonly Venue[];
  readonly coins?: readonly CoinCode[];
  readonly onFault: (error: unknown, venue: string) => void;
  /** The first delay after a failure; it doubles up to thirty times the delay. */
  readonly retryMs?: number;
  /** A coin's subscription is renewed after this long without data. */
  readonly askAgainMs?: number;
  /** Further settings for the client library, such as other addresses. */
  readonly settings?: (venue: Venue) => Record<string, unknown>;
  /** Opens a venue's client; tests pass their own. */
  readonly openClient?: typeof openVenueClient;
}

export function liveSources(options: LiveSourcesOptions): PriceSource[] {
  return (options.venues ?? LIVE_VENUES).map((venue) => new LiveSource(venue, options));
}

/** The traded volume of one coin at one venue. */
interface Traded {
  readonly newest: string;
  volume: bigint;
}

class LiveSource implements PriceSource {
  readonly name: string;
  readonly family: string;
  readonly coins: readonly CoinCode[];
  readonly #venue: Venue;
  readonly #options: LiveSourcesOptions;
  readonly #books = new Map<CoinCode, VenueBook>();
  readonly #traded = new Map<CoinCode, Traded>();
  /** Coins for which data arrived since the last check for silence. */
  readonly #updatedCoins = new Set<CoinCode>();
  #hasJustReported = false;
  #running: { readonly stopping: AbortController; readonly done: Promise<void> } | undefined;

  constructor(venue: Venue, options: LiveSourcesOptions) {
    this.name = `${venue.id}-${venue.quote.toLowerCase()}`;
    this.family = venue.quote;
    this.coins = options.coins ?? COIN_CODES;
    this.#venue = venue;
    this.#options = options;
  }

  /**
   * The impact mid of the current book, at the book's own time. A book without a time could be of any age, so it has no
   * vote.
   */
  latest(coin: CoinCode): PriceObservation | null {
    const book = this.#books.get(coin);
    if (book?.timestamp === undefined) return null;
    const mid = impactMid(book, IMPACT_TERMS[coin]);
    if (mid === null) return null;
    return { price: mid.price, at: book.timestamp, trade: `${mid.mark}${this.#traded.get(coin)?.newest ?? ''}` };
  }

  takeVolume(coin: CoinCode): bigint {
    const traded = this.#traded.get(coin);
    if (!traded) return 0n;
    const { volume } = traded;
    traded.volume = 0n;
    return volume;
  }

  start(): void {
    if (this.#running) return;
    const stopping = new AbortController();
    this.#running = { stopping, done: this.#run(stopping.signal) };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stopping.abort();
    await running?.done;
  }

  /**
   * Connects and runs until aborted. Regularly checks which coins are silent, because the venue does not list them or
   * refused the subscription. The library does not report a second refusal on a connection, so these coins are
   * requested on a new connection while the others keep theirs.
   */
  async #run(signal: AbortSignal): Promise<void> {
    const listening = new Set<Promise<void>>();
    const leaving = new Map<CoinCode, AbortController>();
    let silent = this.coins;
    while (!signal.aborted) {
      const client = silent.length > 0 ? await this.#connect(signal) : undefined;
      if (client) {
        // A venue sends nothing for a coin that it does not list; the tick states that.
        const listed = silent.filter((coin) => client.symbols?.includes(this.#symbolOf(coin)));
        for (const coin of listed) {
          leaving.get(coin)?.abort();
          leaving.set(coin, new AbortController());
        }
        const signalOf = (coin: CoinCode) => AbortSignal.any([signal, leaving.get(coin)?.signal ?? signal]);
        const work = this.#listen(client, listed, signalOf).finally(() => listening.delete(work));
        listening.add(work);
      }
      this.#updatedCoins.clear();
      await pause(this.#options.askAgainMs ?? ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      silent = this.coins.filter((coin) => !this.#updatedCoins.has(coin));
    }
    await Promise.all(listening);
  }

  /**
   * Subscribes to each coin separately, so that a failing one does not silence the others. Disconnects when none is
   * left.
   */
  async #listen(
    client: VenueClient,
    coins: readonly CoinCode[],
    signalOf: (coin: CoinCode) => AbortSignal,
  ): Promise<void> {
    const follows = coins.flatMap((coin) => {
      const [symbol, signal] = [this.#symbolOf(coin), signalOf(coin)];
      return [
        this.#repeat(signal, async () => this.#onTrades(coin, await client.watchTrades(symbol))),
        this.#repeat(signal, async () => this.#onBook(coin, await client.watchOrderBook(symbol))),
      ];
    });
    await Promise.all(follows);
    client.close().catch(() => undefined);
  }

  #symbolOf(coin: CoinCode): string {
    return `${coin}/${this.#venue.quote}`;
  }

  async #connect(signal: AbortSignal): Promise<VenueClient | undefined> {
    let client: VenueClient | undefined;
    await this.#repeat(
      signal,
      async () => {
        client ??= await (this.#options.openClient ?? openVenueClient)(
          this.#venue.id,
          this.#options.settings?.(this.#venue) ?? {},
          signal,
        );
        // `true` forces a reload; otherwise the library would keep returning a failed attempt.
        await client.loadMarkets(true);
        // A venue under maintenance returns an empty list or an HTML page, which the library does not treat as an
        // error.
        if (!this.coins.some((coin) => client?.symbols?.includes(this.#symbolOf(coin))))
          throw new Error(`${this.name} lists none of our coins`);
      },
      1,
    );
    return client;
  }

  /**
   * Repeats the work (until it has succeeded `times` times, if given) with a growing pause after each failure; reports
   * the first failure.
   */
  async #repeat(signal: AbortSignal, work: () => Promise<void>, times = Number.POSITIVE_INFINITY): Promise<void> {
    const firstMs = this.#options.retryMs ?? 1_000;
    let waitMs = firstMs;
    let isWell = true;
    for (let done = 0; done < times && !signal.aborted; ) {
      try {
        await unlessAborted(work(), signal);
        done += 1;
        waitMs = firstMs;
        isWell = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isWell) this.#report(error);
        isWell = false;
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, firstMs * 30);
      }
    }
  }

  /** Reports a lost connection, which fails all its subscriptions in the same turn, as one fault. */
  #report(error: unknown): void {
    if (this.#hasJustReported) return;
    this.#hasJustReported = true;
    setImmediate(() => {
      this.#hasJustReported = false;
    });
    this.#options.onFault(error, this.name);
  }

  /** Trades count as volume and show that a quiet book is alive; the price comes from the book. */
  #onTrades(
    coin: CoinCode,
    trades: readonly { id?: string; timestamp?: number; price?: unknown; amount?: unknown }[],
  ): void {
    for (const { id, timestamp, price, amount } of trades) {
      const units = venueUnitsOf(price, PRICE_SCALE);
      if (units === undefined || units <= 0n) continue;
      const volume = (this.#traded.get(coin)?.volume ?? 0n) + (venueUnitsOf(amount, 8) ?? 0n);
      this.#traded.set(coin, { newest: id ?? `${timestamp ?? ''} ${units}`, volume });
    }
  }

  #onBook(coin: CoinCode, book: VenueBook): void {
    this.#updatedCoins.add(coin);
    this.#books.set(coin, book);
  }
}

/** Waits for the work, but not beyond the abort: a venue that does not answer must not delay a stop. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    signal.addEventListener('abort', onAbort, { once: true });
  });
  await Promise.race([work, aborted]).finally(() => onAbort && signal.removeEventListener('abort', onAbort));
}
