import type { DurationTerms, Interval, Ticker } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import type { TickEnvironment } from '@sathorn/proof';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { NamedPromise, Signer } from '../../platform/proofs/index.ts';
import type { Bar } from './candle.ts';
import type { DayFigures } from './day-figures.ts';
import type { MarketAlarm } from './index-publisher.ts';
import type { PriceSource } from './price-source.ts';
import type { SourceView } from './source-view.ts';
import type { PublishedTick } from './tick.ts';

/** The origin of prices. It is fixed for a database, which rejects live prices if it has simulated or replayed ones. */
export type PricesConfig =
  | { readonly kind: 'sim'; readonly seed: string }
  /** `from`: the recorded moment at which the first start with this folder begins. */
  | { readonly kind: 'replay'; readonly folder: string; readonly from?: Date }
  | { readonly kind: 'live'; readonly environment: 'live'; readonly sources: readonly PriceSource[] };

/** The market with the products that are traded on its prices. */
export interface MarketListsDependencies {
  readonly market: Market;
  readonly optionTerms: ReadOptionTerms;
  readonly tradeBars: ReadBars;
  readonly contracts: boolean;
}

export interface IndexPublishing {
  readonly database: Database;
  readonly signer: Signer;
}

export interface MarketDependencies {
  readonly database: Database;
  /**
   * Set if this process may be the index: a database connection with the only role that may append ticks, and the
   * signing key.
   */
  readonly publishing: IndexPublishing | null;
  /** Connections for public reads; the index uses its own. */
  readonly reads?: Queries;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly prices: PricesConfig;
  /** Receives the fault of a second without a tick; the index continues. */
  readonly onFault: (error: unknown) => void;
  /**
   * Called when a source is excluded for its distance, when a coin jumps, becomes stale or recovers, and when seconds
   * are late.
   */
  readonly onAlarm?: (alarm: MarketAlarm) => void;
  /** The leader of the index steps down after this long without a tick. */
  readonly silentMaxMs?: number;
  /** How long a request for charts waits for their history to be written. */
  readonly historyWaitMaxMs?: number;
}

export interface MarketQuote {
  readonly coin: CoinCode;
  readonly last: PublishedTick | null;
  readonly figures: DayFigures | null;
  readonly stale: boolean;
  readonly paused: boolean;
  readonly sources: readonly SourceView[];
}

/** The market's interface. Unnamed times are ms since 1970; `queries` reads within the caller's transaction. */
export interface Market {
  readonly environment: TickEnvironment;
  /** Resolves when there is a price; immediately with live sources. */
  readonly ready: Promise<void>;
  /** The coins that have a source; others are not offered. */
  coins(): readonly CoinCode[];
  /** Reads from memory without a query. */
  quote(coin: CoinCode): MarketQuote;
  tickers(): Ticker[];
  lastTick(coin: CoinCode): PublishedTick | null;
  /** Times of the newest stored ticks, whichever process published them; coins without ticks are absent. */
  newestTimes(coins: readonly CoinCode[], queries: Queries): Promise<ReadonlyMap<CoinCode, Date>>;
  sources(coin: CoinCode): readonly SourceView[];
  /** True without a tick for more than three seconds. */
  isStale(coin: CoinCode, now: Date): boolean;
  /** True if the price has jumped by more than a fifth within the last minute. */
  isPaused(coin: CoinCode, now: Date): boolean;

  tick(coin: CoinCode, sequence: bigint, queries?: Queries): Promise<PublishedTick | null>;
  /** The first tick later than `at`. */
  firstTickAfter(coin: CoinCode, at: Date, queries?: Queries): Promise<PublishedTick | null>;
  lastTickAtOrBefore(coin: CoinCode, at: Date, queries?: Queries): Promise<PublishedTick | null>;
  /** Oldest first, both ends inclusive. Each tick is verified, because money moves on them. */
  ticksBetween(coin: CoinCode, from: Date, to: Date, queries?: Queries): Promise<readonly PublishedTick[]>;
  ticksFrom(coin: CoinCode, sequence: bigint, limit: number): Promise<readonly PublishedTick[]>;
  /** How a tree of terms is in the chain of promises, up to a tick that names it; null while none does. */
  promiseOf(coin: CoinCode, tree: string, accepted: Date): Promise<NamedPromise | null>;

  /** The newest `limit` bars that start before a time, oldest first. */
  bars(coin: CoinCode, interval: Interval, before: Date, limit: number): Promise<readonly Bar[]>;
  currentBar(coin: CoinCode, interval: Interval): Bar | null;

  /** The role `index`: publishes a tick per second while this process leads. Resolves when `signal` aborts. */
  lead(signal: AbortSignal): Promise<void>;
  /** Keeps this process's quotes up to date while another process publishes. Resolves when `signal` aborts. */
  follow(signal: AbortSignal): Promise<void>;
}

/** The newest `limit` bars that start before a time, oldest first. */
export type ReadBars = (coin: CoinCode, interval: Interval, before: Date, limit: number) => Promise<readonly Bar[]>;

/** A coin's option terms; empty if options on it are not offered. */
export type ReadOptionTerms = (coin: CoinCode) => readonly DurationTerms[];
