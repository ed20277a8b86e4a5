import { INTERVALS, type Interval, type Ticker } from '@sathorn/api';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import type { TickEnvironment } from '@sathorn/proof';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Database, Queries } from '../database/index.ts';
import { announceKey, type Signer } from '../proofs/index.ts';
import type { Bar } from './candle.ts';
import type { DayFigures } from './day-figures.ts';
import { type IndexPublisher, indexPublisher, type MarketAlarm } from './index-publisher.ts';
import {
  type CoinBar,
  keepOrigin,
  readBarsBefore,
  readFirstTickAfter,
  readHeads,
  readLastTickAtOrBefore,
  readTick,
  readTicksBetween,
  readTicksFrom,
  saveBars,
} from './market-store.ts';
import { MarketView } from './market-view.ts';
import { readRecording } from './recording.ts';
import { firstOf, replaySources } from './replay.ts';
import { simulatedHistory } from './simulated-history.ts';
import { type SimulatedMarket, simulatedMarket } from './simulated-price.ts';
import { simulatedVenues } from './simulated-venues.ts';
import type { Source } from './source.ts';
import type { SourceView } from './source-view.ts';
import type { PublishedTick } from './tick.ts';
import { wholeSeconds } from './whole-seconds.ts';

/** Who has just taken over asks the venues for their lists first, and is not silent for that. */
const SILENT_MAX_MS = 60_000;

/** Where prices come from. There is no way from one to another but a new start, and the database refuses live after others. */
export type Prices =
  | { readonly kind: 'sim'; readonly seed: string }
  /** `from`: the recorded moment to begin with, at the first start with this folder. */
  | { readonly kind: 'replay'; readonly folder: string; readonly from?: Date }
  | { readonly kind: 'live'; readonly environment: 'live'; readonly sources: readonly Source[] };

export interface MarketDeps {
  readonly database: Database;
  /** For what anybody may ask; by connections of its own, the index keeps its own. */
  readonly reads?: Queries;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly signer: Signer;
  readonly prices: Prices;
  /** Told of what went wrong in a second that got no tick; the index goes on. */
  readonly onFault: (error: unknown) => void;
  /** Told when a source is left out for its distance, and when a coin jumps, goes stale or comes back. */
  readonly onAlarm?: (alarm: MarketAlarm) => void;
  /** After so long without a tick who leads the index makes room. */
  readonly silentMaxMs?: number;
}

export interface Quote {
  readonly coin: CoinCode;
  readonly last: PublishedTick | null;
  readonly figures: DayFigures | null;
  readonly stale: boolean;
  readonly paused: boolean;
  readonly sources: readonly SourceView[];
}

/** The market's door. Times without a name are ms since 1970; `queries` reads inside a transaction of the caller. */
export interface Market {
  readonly environment: TickEnvironment;
  /** The coins that have a source; others are not offered. */
  coins(): readonly CoinCode[];
  /** From memory: costs no query. */
  quote(coin: CoinCode): Quote;
  tickers(): Ticker[];
  lastTick(coin: CoinCode): PublishedTick | null;
  /** Times of the newest ticks that are kept, whoever published them; a coin without one is absent. */
  newestTimes(coins: readonly CoinCode[], queries: Queries): Promise<ReadonlyMap<CoinCode, Date>>;
  sources(coin: CoinCode): readonly SourceView[];
  /** No tick for more than three seconds. */
  isStale(coin: CoinCode, now: Date): boolean;
  /** The price has jumped by more than a fifth within the last minute. */
  isPaused(coin: CoinCode, now: Date): boolean;

  tick(coin: CoinCode, sequence: bigint, queries?: Queries): Promise<PublishedTick | null>;
  /** The first tick whose time is later than `at`. */
  firstTickAfter(coin: CoinCode, at: Date, queries?: Queries): Promise<PublishedTick | null>;
  lastTickAtOrBefore(coin: CoinCode, at: Date, queries?: Queries): Promise<PublishedTick | null>;
  /** Oldest first, both ends included. */
  ticksBetween(coin: CoinCode, from: Date, to: Date, queries?: Queries): Promise<readonly PublishedTick[]>;
  ticksFrom(coin: CoinCode, sequence: bigint, limit: number): Promise<readonly PublishedTick[]>;

  /** The newest `limit` bars that start before a time, oldest first. */
  bars(coin: CoinCode, interval: Interval, before: Date, limit: number): Promise<readonly Bar[]>;
  currentBar(coin: CoinCode, interval: Interval): Bar | null;

  /** The role `index`: publishes a tick a second while this process holds it. Resolves when `signal` aborts. */
  lead(signal: AbortSignal): Promise<void>;
  /** Keeps this process's quotes fresh while another one publishes. Resolves when `signal` aborts. */
  follow(signal: AbortSignal): Promise<void>;
}

/** Reads what is known so far; nothing runs before `lead` or `follow`. */
export async function openMarket({
  database,
  reads = database,
  clock,
  bus,
  signer,
  prices,
  onFault,
  onAlarm,
  silentMaxMs = SILENT_MAX_MS,
}: MarketDeps): Promise<Market> {
  const { environment, sources, simulation } = await openSources(prices, database, clock);
  const coins = COIN_CODES.filter((coin) => sources.some((source) => source.coins.includes(coin)));
  const view = new MarketView(coins, bus);
  await view.catchUp(database, clock.now());
  assertSameKind(view, environment);
  await announceKey(database, 'index', signer);
  let isLeading = false;

  /** Once this process may publish: what others have published before it, and full charts for a simulation that begins. */
  const takeOver = async (): Promise<IndexPublisher> => {
    await view.catchUp(database, clock.now());
    if (simulation && (await makeHistory(database, simulation, view, clock.now())))
      await view.catchUp(database, clock.now());
    isLeading = true;
    return indexPublisher({ database, signer, sources, environment, view, ...(onAlarm && { onAlarm }) });
  };

  const publishSeconds = async (signal: AbortSignal): Promise<void> => {
    for (const source of sources) source.start();
    try {
      let publisher = await takeOver().catch(onFault);
      let spoke = clock.now().getTime();
      for await (const second of wholeSeconds(clock, signal)) {
        // After a fault of the database, or when it came too late, a second gets no tick, and the next is tried.
        publisher ??= await takeOver().catch(onFault);
        if (await publisher?.publish(second).catch(onFault)) spoke = second;
        // Who waits for the role may hear what is not heard here; where nobody hears any, they take turns.
        if (Math.abs(second - spoke) >= silentMaxMs) return;
      }
    } finally {
      isLeading = false;
      await Promise.all(sources.map((source) => source.stop()));
    }
  };

  return {
    environment,
    coins: () => coins,
    quote: (coin) => {
      const now = clock.now();
      return {
        coin,
        last: view.lastTick(coin),
        figures: view.figures(coin, now),
        stale: view.isStale(coin, now),
        paused: view.isPaused(coin, now),
        sources: view.sources(coin),
      };
    },
    tickers: () => view.tickers(clock.now()),
    lastTick: (coin) => view.lastTick(coin),
    newestTimes: async (coins, queries) =>
      new Map((await readHeads(queries, coins)).map(({ coin, at }) => [coin, at] as const)),
    sources: (coin) => view.sources(coin),
    isStale: (coin, now) => view.isStale(coin, now),
    isPaused: (coin, now) => view.isPaused(coin, now),
    tick: (coin, sequence, queries = database) => readTick(queries, coin, sequence),
    firstTickAfter: (coin, at, queries = database) => readFirstTickAfter(queries, coin, at),
    lastTickAtOrBefore: (coin, at, queries = database) => readLastTickAtOrBefore(queries, coin, at),
    ticksBetween: (coin, from, to, queries = database) => readTicksBetween(queries, coin, from, to),
    ticksFrom: (coin, sequence, limit) => readTicksFrom(reads, coin, sequence, limit),
    bars: async (coin, interval, before, limit) =>
      (await readBarsBefore(reads, coin, interval, before, limit)).reverse(),
    currentBar: (coin, interval) => view.bar(coin, interval) ?? null,
    lead: (signal) => database.asSingle('index', signal, publishSeconds),
    async follow(signal) {
      // No tick may come any more of a recording: then its last prices are what there is to wait for, and how old they are is told with them.
      const known = environment === 'replay' ? coins.flatMap((coin) => view.lastTick(coin)?.at.getTime() ?? []) : [];
      if (known.length > 0) bus.emit('ticked', new Date(Math.max(...known)));
      const readOthers = async (): Promise<void> => {
        for await (const second of wholeSeconds(clock, signal)) {
          if (!isLeading) await view.catchUp(database, new Date(second)).catch(onFault);
        }
      };
      // By itself: a database that is away must not keep it to itself that the price is old.
      const tellStaleness = async (): Promise<void> => {
        for await (const second of wholeSeconds(clock, signal)) view.announce(new Date(second), false);
      };
      await Promise.all([readOthers(), tellStaleness()]);
    },
  };
}

async function openSources(
  prices: Prices,
  database: Database,
  clock: Clock,
): Promise<{ environment: TickEnvironment; sources: readonly Source[]; simulation: SimulatedMarket | null }> {
  if (prices.kind === 'sim') {
    const simulation = simulatedMarket(prices.seed);
    return { environment: 'sim', sources: simulatedVenues(simulation), simulation };
  }
  if (prices.kind === 'replay') {
    const feeds = await readRecording(prices.folder);
    // Where it began is kept: after a restart the recording goes on, it does not begin again.
    const from = prices.from?.getTime() ?? firstOf(feeds) * 1_000;
    const name = `replay of ${feeds.map((feed) => `${feed.coin} ${feed.name} ${feed.times[0]}`).join(', ')}`;
    const { startedAt, seed } = await keepOrigin(database, name, { seed: String(from), startedAt: clock.now() });
    return {
      environment: 'replay',
      sources: replaySources(feeds, startedAt.getTime(), Number(seed)),
      simulation: null,
    };
  }
  return { environment: prices.environment, sources: prices.sources, simulation: null };
}

/** A database whose prices were once simulated or replayed never becomes a live one, nor the other way round. */
function assertSameKind(view: MarketView, environment: TickEnvironment): void {
  for (const coin of view.coins) {
    const last = view.lastTick(coin)?.environment;
    const isOther =
      environment === 'live' ? (last ?? 'live') !== 'live' || view.bar(coin, '1w')?.simulated : last === 'live';
    if (isOther)
      throw new Error(`the prices of ${coin} in this database are not ${environment}: another database is needed`);
  }
}

/** At the very first start, the charts of the simulator begin full; every such candle is marked. Says whether it was. */
async function makeHistory(
  database: Database,
  simulation: SimulatedMarket,
  view: MarketView,
  now: Date,
): Promise<boolean> {
  const empty = view.coins.filter((coin) => !view.bar(coin, '1m'));
  for (const coin of empty) {
    const history = simulatedHistory(simulation, coin, now.getTime());
    const bars: CoinBar[] = INTERVALS.flatMap((interval) =>
      (history.get(interval) ?? []).map((bar) => ({ coin, interval, bar })),
    );
    await saveBars(database, bars);
  }
  return empty.length > 0;
}
