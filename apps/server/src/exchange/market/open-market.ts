import { INTERVALS } from '@sathorn/api';
import { COIN_CODES } from '@sathorn/money';
import { TICK_LATE_MAX_MS, type TickEnvironment } from '@sathorn/proof';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { allowOnAnyClock } from '../../platform/edge/handle.ts';
import { publicTopic } from '../../platform/edge/topic-source.ts';
import type { Module } from '../../platform/module.ts';
import { readNamedPromise } from '../../platform/proofs/index.ts';
import { openChartHistory } from './chart-history.ts';
import { type IndexPublisher, openIndexPublisher } from './index-publisher.ts';
import type { IndexPublishing, Market, MarketDependencies, PricesConfig } from './market.ts';
import {
  extendToSignedTick,
  readBarsBefore,
  readFirstTickAfter,
  readLastTickAtOrBefore,
  readTick,
  readTickHeads,
  readTicksBetween,
  readTicksFrom,
  storeFeedOrigin,
} from './market-store.ts';
import { candleOf, MarketView } from './market-view.ts';
import { openSimulation } from './open-simulation.ts';
import type { PriceSource } from './price-source.ts';
import { readProofTicksHandler } from './read-proof-ticks.ts';
import { readRecording } from './recording.ts';
import { firstSecondOf, replaySources } from './replay-sources.ts';
import { sampledSource } from './sampled-source.ts';
import { openTickSealer } from './seal-ticks.ts';
import type { OpenedSimulation } from './simulated-price.ts';
import { simulatedVenues } from './simulated-venues.ts';
import { ForgedTickError, openTickVerifier } from './tick-verifier.ts';
import { wholeSeconds } from './whole-seconds.ts';

/** Leaves a new leader enough time to fetch the venues' lists first. */
const SILENT_MAX_MS = 60_000;

/** Reads the state from the database; nothing runs before `lead` or `follow`. */
export async function openMarket({
  database,
  publishing,
  reads = database,
  clock,
  bus,
  prices,
  onFault,
  onAlarm,
  silentMaxMs = SILENT_MAX_MS,
  historyWaitMaxMs,
}: MarketDependencies): Promise<Module<Market>> {
  const { environment, sources, simulation } = await openSources(prices, publishing?.database ?? null, database, clock);
  const coins = COIN_CODES.filter((coin) => sources.some((source) => source.coins.includes(coin)));
  const { verify, trust } = openTickVerifier(database);
  const view = new MarketView(coins, bus, verify);
  const history = await openChartHistory(simulation, view, database, historyWaitMaxMs);
  await view.catchUp(database, clock.now()).catch((error: unknown) => {
    // Without a verified price trading stops, but everything else can still be read.
    if (!(error instanceof ForgedTickError)) throw error;
    onFault(error);
  });
  assertSameKind(view, environment);
  const openedMs = clock.now().getTime();
  let isLeading = false;
  let reading: Promise<unknown> | null = null;

  const startSources = (): void => {
    for (const source of sources) source.start();
  };
  const stopSources = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.stop()));
  };

  /** Called when this process becomes the leader: reads what others have published. */
  const takeOver = async ({ database: own, signer }: IndexPublishing): Promise<IndexPublisher> => {
    await view.catchUp(own, clock.now());
    // Discards the volume from the time when another process published, because that process's candles contain it.
    for (const source of sources) for (const coin of source.coins) source.takeVolume(coin, clock.now().getTime());
    // A read in progress would be older than what this process publishes from now on.
    while (reading !== null) await reading;
    isLeading = true;
    return openIndexPublisher({
      database: own,
      signer,
      sources,
      environment,
      view,
      clock,
      openedMs,
      onSigned: trust,
      ...(onAlarm && { onAlarm }),
    });
  };

  /** The first second without a tick. Prices since then are published late, as far back as the database accepts. */
  const firstMissing = (second: number): number => {
    const last = Math.min(...coins.map((coin) => view.lastTick(coin)?.at.getTime() ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(last) ? Math.max(last + 1_000, second - TICK_LATE_MAX_MS) : second;
  };

  const publishSeconds = async (own: IndexPublishing, signal: AbortSignal): Promise<void> => {
    let making: Promise<void> | null = null;
    const makeHistory = async (): Promise<void> => {
      await history.make(own.database, signal).catch(onFault);
      making = null;
    };
    try {
      let publisher = await takeOver(own).catch(onFault);
      let lastPublishedMs = clock.now().getTime();
      let next: number | null = null;
      for await (const second of wholeSeconds(clock, signal)) {
        publisher ??= await takeOver(own).catch(onFault);
        if (publisher) {
          // Computes seconds without a publication: this process was suspended, or the previous leader ended.
          for (let at = Math.max(next ?? firstMissing(second), second - TICK_LATE_MAX_MS); at < second; at += 1_000)
            publisher.compute(at);
          next = second + 1_000;
        }
        // After a database fault the second is published later, marked as late.
        if (await publisher?.publish(second).catch(onFault)) {
          lastPublishedMs = second;
          if (!history.isComplete) making ??= makeHistory();
        }
        // Nothing is being published at this point, which `look` requires.
        await history.look(own.database, clock.now()).catch(onFault);
        // Another process may still receive prices; if none does, leadership rotates.
        if (Math.abs(second - lastPublishedMs) < silentMaxMs) continue;
        await stopSources();
        startSources();
        return;
      }
    } finally {
      isLeading = false;
      await making;
    }
  };

  // A simulator always has prices. Live venues may be silent, and the platform is ready all the same.
  let isReady = environment === 'live';
  const ready = new Promise<void>((resolve) => {
    if (isReady) resolve();
    bus.once('ticked', () => {
      isReady = true;
      resolve();
    });
  });

  const api: Market = {
    environment,
    ready,
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
      new Map((await readTickHeads(queries, coins)).map(({ coin, at }) => [coin, at] as const)),
    sources: (coin) => view.sources(coin),
    isStale: (coin, now) => view.isStale(coin, now),
    isPaused: (coin, now) => view.isPaused(coin, now),
    tick: (coin, sequence, queries = database) => readTick(queries, coin, sequence),
    firstTickAfter: (coin, at, queries = database) => readFirstTickAfter(queries, coin, at),
    lastTickAtOrBefore: (coin, at, queries = database) => readLastTickAtOrBefore(queries, coin, at),
    async ticksBetween(coin, from, to, queries = database) {
      const ticks = await readTicksBetween(queries, coin, from, to);
      await verify(await extendToSignedTick(queries, coin, ticks));
      return ticks;
    },
    promiseOf: (coin, tree, accepted) =>
      readNamedPromise(database, tree, accepted, async (from, to) =>
        (await readTicksBetween(database, coin, from, to)).map(({ text }) => text),
      ),
    ticksFrom: (coin, sequence, limit) => readTicksFrom(reads, coin, sequence, limit),
    async bars(coin, interval, before, limit) {
      await history.wait();
      return (await readBarsBefore(reads, coin, interval, before, limit)).reverse();
    },
    currentBar: (coin, interval) => view.bar(coin, interval) ?? null,
    async lead(signal) {
      if (publishing === null) throw new Error('this process has no key of the index: give it the role index');
      // A follower also receives prices, so that it can take over without a gap.
      startSources();
      try {
        await publishing.database.runAsLeader('index', signal, (its) => publishSeconds(publishing, its));
      } finally {
        await stopSources();
      }
    },
    async follow(signal) {
      // A finished recording gives no more ticks, so the platform is ready with its last prices and their age.
      const known = environment === 'replay' ? coins.flatMap((coin) => view.lastTick(coin)?.at.getTime() ?? []) : [];
      if (known.length > 0) bus.emitHere('ticked', new Date(Math.max(...known)));
      let isBehind = false;
      const read = (): void => {
        if (isLeading) return;
        // The read may lack what was published while it ran, so another one follows.
        isBehind = reading !== null;
        if (isBehind) return;
        reading = view
          .catchUp(database, clock.now())
          .then(() => history.look(database, clock.now()))
          .catch(onFault)
          .finally(() => {
            reading = null;
            if (isBehind && !signal.aborted) read();
          });
      };
      // Reads when the index announces a second, and also after a second without an announcement, which may be lost.
      let isAnnounced = false;
      const onPublished = (): void => {
        isAnnounced = true;
        read();
      };
      bus.on('published', onPublished);
      const readOthers = async (): Promise<void> => {
        for await (const _second of wholeSeconds(clock, signal)) {
          if (!isAnnounced) read();
          isAnnounced = false;
        }
        bus.off('published', onPublished);
        await reading;
      };
      // A separate loop, because stale prices must be announced even while the database is unavailable.
      const announceStaleness = async (): Promise<void> => {
        for await (const second of wholeSeconds(clock, signal)) view.announce(new Date(second), false);
      };
      await Promise.all([readOthers(), announceStaleness()]);
    },
  };
  return {
    api,
    handlers: allowOnAnyClock(readProofTicksHandler(api)),
    topics: [
      publicTopic('tickers', {}, api.tickers),
      publicTopic('candle', { code: COIN_CODES, interval: INTERVALS }, ({ code, interval }) => {
        const bar = api.currentBar(code, interval);
        return bar && { code, interval, candle: candleOf(code, bar) };
      }),
    ],
    jobs: [
      { on: 'every process', run: api.follow },
      ...(publishing === null
        ? []
        : ([
            { on: 'index', run: api.lead },
            { on: 'index', run: openTickSealer(publishing.database, onFault).run },
          ] as const)),
    ],
    checks: [
      {
        name: 'index',
        isReady: () => isReady,
        state: (now) => (coins.some((coin) => !api.isStale(coin, now)) ? 'fresh' : 'stale'),
      },
    ],
  };
}

async function openSources(
  prices: PricesConfig,
  publishing: Database | null,
  database: Database,
  clock: Clock,
): Promise<{ environment: TickEnvironment; sources: readonly PriceSource[]; simulation: OpenedSimulation | null }> {
  if (prices.kind === 'sim') {
    const simulation = await openSimulation(prices.seed, publishing, database, clock);
    return { environment: 'sim', sources: simulatedVenues(simulation), simulation };
  }
  if (prices.kind === 'replay') {
    const feeds = await readRecording(prices.folder);
    // The start is stored, so that a recording continues after a restart instead of starting again.
    const from = prices.from?.getTime() ?? firstSecondOf(feeds) * 1_000;
    const name = `replay of ${feeds.map((feed) => `${feed.coin} ${feed.name} ${feed.times[0]}`).join(', ')}`;
    const { startedAt, seed } = await storeFeedOrigin(publishing, database, name, {
      seed: String(from),
      startedAt: clock.now(),
    });
    return {
      environment: 'replay',
      sources: replaySources(feeds, startedAt.getTime(), Number(seed)),
      simulation: null,
    };
  }
  const sources = prices.sources.map((source) => sampledSource(source, clock));
  return { environment: prices.environment, sources, simulation: null };
}

/** Throws if the prices' origin changes: a database with simulated or replayed prices never becomes a live one. */
function assertSameKind(view: MarketView, environment: TickEnvironment): void {
  for (const coin of view.coins) {
    const last = view.lastTick(coin)?.environment;
    const isOther =
      environment === 'live' ? (last ?? 'live') !== 'live' || view.bar(coin, '1w')?.simulated : last === 'live';
    if (isOther)
      throw new Error(`the prices of ${coin} in this database are not ${environment}: another database is needed`);
  }
}
