import type { Ticker } from '@sathorn/api';
import type { Bus, BusEvents } from '../bus/index.ts';
import type { CustomerTopic } from './stream-topics.ts';

/** As many trades as an app shows. */
const TAPE_MAX = 50;

/** What one customer's connections will be told at the next frame: every event, or the state anew. */
export interface OwnChanges {
  readonly events: ReadonlyMap<CustomerTopic, readonly unknown[]>;
  readonly renewed: ReadonlySet<CustomerTopic>;
}

interface OwnGathered {
  readonly events: Map<CustomerTopic, unknown[]>;
  readonly renewed: Set<CustomerTopic>;
}

/** What was added to a list, oldest first. */
interface Added {
  readonly items: readonly unknown[];
  /** Some were left out: it goes out as the state. */
  readonly isCut: boolean;
}

export interface TopicChange {
  readonly topic: string;
  readonly data: unknown;
  /** All of it, in place of what was told before. */
  readonly isSnapshot: boolean;
}

interface Hearers {
  /** At once: what was read before is old. */
  onTopic(topic: string): void;
  /** Whether anybody of this customer listens here. */
  isHeard(owner: bigint): boolean;
}

/** What has happened on the bus since the last frame: the latest of each state (a ticker, a candle, a book), every order and every trade. */
export class StreamChanges {
  readonly #bus: Bus;
  readonly #hearers: Hearers;
  readonly #tickers = new Map<string, Ticker>();
  readonly #states = new Map<string, unknown>();
  readonly #added = new Map<string, Added>();
  readonly #own = new Map<bigint, OwnGathered>();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(bus: Bus, hearers: Hearers) {
    this.#bus = bus;
    this.#hearers = hearers;
    this.#listen('tickers', (tickers) => this.#onTickers(tickers));
    this.#listen('candle', (candle) => this.#onState(`candle:${candle.code}:${candle.interval}`, candle));
    this.#listen('trades_candle', (candle) => this.#onState(`trades_candle:${candle.code}:${candle.interval}`, candle));
    this.#listen('book', (book) => this.#onState(`book:${book.code}`, book));
    this.#listen('trades', ({ code, trades }) => this.#onAdded(`trades:${code}`, trades));
    this.#listen('order', ({ owner, order }) => this.#onOwnEvent(owner, 'orders', order));
    this.#listen('contract', (event) => {
      // The view of an order is made when it is asked for.
      if (hearers.isHeard(event.owner)) this.#onOwnEvent(event.owner, 'contracts', event.order);
    });
    this.#listen('funds', (owners) => {
      for (const owner of owners) this.#ownOf(owner)?.renewed.add('balances');
    });
    // Notices are worded for each reader, so the news of one is a new snapshot.
    this.#listen('message', ({ owner }) => this.#ownOf(owner)?.renewed.add('messages'));
  }

  close(): void {
    for (const stop of this.#unsubscribe) stop();
  }

  /** Nobody of this customer listens any more. */
  forget(owner: bigint): void {
    this.#own.delete(owner);
  }

  /** What everybody may read, and begins anew. */
  *takeTopics(): Generator<TopicChange> {
    if (this.#tickers.size > 0) yield { topic: 'tickers', data: [...this.#tickers.values()], isSnapshot: false };
    for (const [topic, data] of this.#states) yield { topic, data, isSnapshot: false };
    for (const [topic, { items, isCut }] of this.#added)
      yield { topic, data: isCut ? items.toReversed() : items, isSnapshot: isCut };
    this.#tickers.clear();
    this.#states.clear();
    this.#added.clear();
  }

  /** What is customers' own, and begins anew. */
  *takeOwn(): Generator<readonly [owner: bigint, OwnChanges]> {
    yield* this.#own;
    this.#own.clear();
  }

  #listen<Name extends keyof BusEvents>(name: Name, listener: (...event: BusEvents[Name]) => void): void {
    this.#unsubscribe.push(listen(this.#bus, name, listener));
  }

  #onTickers(tickers: Ticker[]): void {
    this.#hearers.onTopic('tickers');
    for (const ticker of tickers) this.#tickers.set(ticker.code, ticker);
  }

  #onState(topic: string, state: unknown): void {
    this.#hearers.onTopic(topic);
    this.#states.set(topic, state);
  }

  #onAdded(topic: string, items: readonly unknown[]): void {
    this.#hearers.onTopic(topic);
    const before = this.#added.get(topic);
    const all = before === undefined ? items : [...before.items, ...items];
    const isCut = before?.isCut === true || all.length > TAPE_MAX;
    this.#added.set(topic, { items: all.slice(-TAPE_MAX), isCut });
  }

  #onOwnEvent(owner: bigint, topic: CustomerTopic, event: unknown): void {
    const events = this.#ownOf(owner)?.events;
    const earlier = events?.get(topic);
    if (earlier === undefined) events?.set(topic, [event]);
    else earlier.push(event);
  }

  /** Null when nobody of this customer listens here. */
  #ownOf(owner: bigint): OwnGathered | null {
    if (!this.#hearers.isHeard(owner)) return null;
    let own = this.#own.get(owner);
    if (own === undefined) {
      own = { events: new Map(), renewed: new Set() };
      this.#own.set(owner, own);
    }
    return own;
  }
}

/** Gives how to stop. */
export function listen<Name extends keyof BusEvents>(
  bus: Bus,
  name: Name,
  listener: (...event: BusEvents[Name]) => void,
): () => void {
  // EventEmitter's own types can't follow a generic name.
  const listening = listener as unknown as Parameters<typeof bus.on>[1];
  bus.on(name, listening);
  return () => bus.off(name, listening);
}
