import { INTERVALS } from '@sathorn/api';
import { type CoinCode, price } from '@sathorn/money';
import {
  computeIndexPrice,
  type IndexResult,
  type IndexRuleName,
  type IndexState,
  indexRulesOf,
  indexStepOf,
  NO_TICK_HASH,
  readTick,
  TICK_LATE_MAX_MS,
  type TickEnvironment,
  tickOf,
  writeTick,
} from '@sathorn/proof';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { appendPromises, type NamedLink, readPromises, type Signer } from '../../platform/proofs/index.ts';
import { type Bar, extendBar } from './candle.ts';
import { type CoinBar, insertTicks, saveBars } from './market-store.ts';
import { isSuddenJump, type MarketView } from './market-view.ts';
import type { PriceSource } from './price-source.ts';
import { withHeadRepair } from './repair-head.ts';
import { sourceViews } from './source-view.ts';
import type { PublishedTick } from './tick.ts';
import { CLOCK_STEP_BACK_MAX_MS } from './whole-seconds.ts';

/**
 * The rule for live prices, replays and simulations alike. A replay reads prices within a recorded candle and the
 * simulator gives mid prices, because neither has order books.
 */
export const INDEX_RULE: IndexRuleName = 'families/2';

/** A tick signed this long after its second is marked as late; the database requires the mark from one second on. */
const LATE_FROM_MS = 500;

export interface IndexPublisher {
  /**
   * Computes the second `at` (ms, a whole second) from what the sources had reported by then, without publishing it.
   * For seconds that passed while the process was stalled. The next `publish` appends the result, marked as late.
   */
  compute(at: number): void;
  /**
   * Publishes the second `at` and all computed but unpublished seconds. For each coin with a price it appends a signed
   * tick and its candles, all in one transaction. Returns the number of ticks. Throws on a database fault; whether the
   * ticks were committed is then unknown, and the next call checks first. Computed ticks are kept and published later.
   */
  publish(at: number): Promise<number>;
}

/** Alarms for the operator. */
export type MarketAlarm =
  | { readonly kind: 'source_far'; readonly coin: CoinCode; readonly source: string }
  | { readonly kind: 'stale' | 'back' | 'jump'; readonly coin: CoinCode }
  /** Seconds published late, or lost because the database could not be written for too long. */
  | { readonly kind: 'late' | 'lost'; readonly seconds: number };

/** One coin's result for one second. */
interface Computed {
  readonly coin: CoinCode;
  readonly at: number;
  readonly price: Extract<IndexResult, { stale: false }>;
  readonly volume: bigint;
}

interface IndexPublisherDependencies {
  readonly database: Database;
  readonly signer: Signer;
  readonly sources: readonly PriceSource[];
  readonly environment: TickEnvironment;
  readonly view: MarketView;
  /** The clock for signing times; without one, the signing time is the second for which `publish` is called. */
  readonly clock?: Clock;
  /** When this process began to listen to its sources. */
  readonly openedMs?: number;
  readonly onAlarm?: (alarm: MarketAlarm) => void;
  /** Called with ticks before they are stored. */
  readonly onSigned?: (ticks: readonly PublishedTick[]) => void;
}

/** Runs in one process at a time, the leader of the role `index`. */
export function openIndexPublisher({
  database,
  signer,
  sources,
  environment,
  view,
  clock,
  openedMs = 0,
  onAlarm,
  onSigned,
}: IndexPublisherDependencies): IndexPublisher {
  const states = new Map<CoinCode, IndexState>(view.coins.map((coin) => [coin, rememberedState(view.lastTick(coin))]));
  const staleCoins = new Set<CoinCode>();
  let isUncertain = false;

  const alarm = (coin: CoinCode, before: IndexState | undefined, result: IndexResult): void => {
    for (const [source, { isFar }] of result.state) {
      if (isFar && !before?.get(source)?.isFar) onAlarm?.({ kind: 'source_far', coin, source });
    }
    if (result.stale === staleCoins.has(coin)) return;
    if (result.stale) staleCoins.add(coin);
    else staleCoins.delete(coin);
    onAlarm?.({ kind: result.stale ? 'stale' : 'back', coin });
  };

  let computed: Computed[] = [];
  /** The newest computed second. Each second is computed once, so nobody can choose between two results. */
  let computedUpTo = Number.NEGATIVE_INFINITY;

  const compute = (at: number): void => {
    // The clock was far ahead and has been corrected, so results for future seconds are dropped.
    if (computedUpTo - at > CLOCK_STEP_BACK_MAX_MS) computed = [];
    else if (at <= computedUpTo) return;
    computedUpTo = at;
    for (const coin of view.coins) {
      const ofCoin = sources.filter((source) => source.coins.includes(coin));
      const readings = ofCoin.map((source) => ({
        name: source.name,
        family: source.family,
        latest: source.latest(coin, at),
      }));
      const volumes = new Map(ofCoin.map((source) => [source.name, source.takeVolume(coin, at)]));
      const rules = indexRulesOf(INDEX_RULE, indexStepOf(coin, INDEX_RULE));
      const result = computeIndexPrice(at, readings, states.get(coin) ?? new Map(), rules);
      alarm(coin, states.get(coin), result);
      states.set(coin, result.state);
      const excluded = result.excluded.map(({ latest, ...source }) => ({ ...source, said: latest }));
      view.setSources(coin, sourceViews({ used: result.used, excluded }));
      if (result.stale) continue;
      const volume = result.used.reduce((sum, { name }) => sum + (volumes.get(name) ?? 0n), 0n);
      computed.push({ coin, at, price: result, volume });
    }
  };

  const signed = (
    { coin, at, price: result }: Computed,
    last: PublishedTick | null,
    lateMs: number,
    link: NamedLink | null,
  ): PublishedTick => {
    // The tick before knows every link up to its second.
    const isNewLink = link !== null && link.at > (last?.at.getTime() ?? 0);
    const tick = tickOf(result, {
      coin,
      sequence: (last?.sequence ?? 0n) + 1n,
      at,
      rule: INDEX_RULE,
      environment,
      previous: last?.text.hash ?? NO_TICK_HASH,
      previousPrice: last?.price ?? null,
      ...(lateMs >= LATE_FROM_MS && { lateMs }),
      ...(isNewLink && { promises: link.hash }),
    });
    return {
      coin,
      sequence: tick.sequence,
      at: new Date(at),
      price: price(tick.price),
      environment,
      jump: tick.isJump,
      text: signer.sign(writeTick(tick)),
    };
  };

  /** The ticks and candles of each computed second, in order, so that each tick follows the one before. */
  const seconds = (now: number, link: NamedLink | null): Second[] => {
    const lasts = new Map(view.coins.map((coin) => [coin, view.lastTick(coin)]));
    const bars = new Map<string, Bar | undefined>();
    const naming = new Set<CoinCode>();
    const made = new Map<number, Second>();
    for (const entry of computed) {
      const { coin, at, volume } = entry;
      const last = lasts.get(coin) ?? null;
      if (last !== null && at <= last.at.getTime()) continue;
      // A coin's first new tick names the link, because all of them are published after it.
      const tick = signed(entry, last, now - at, naming.has(coin) ? null : link);
      naming.add(coin);
      lasts.set(coin, tick);
      const second = made.get(at) ?? { at, ticks: [], bars: [] };
      made.set(at, second);
      second.ticks.push(tick);
      for (const interval of INTERVALS) {
        const key = `${coin} ${interval}`;
        const before = bars.has(key) ? bars.get(key) : view.bar(coin, interval);
        const bar = extendBar(before, interval, at, tick.price, volume, environment === 'sim');
        bars.set(key, bar);
        second.bars.push({ coin, interval, bar });
      }
    }
    return [...made.values()].sort((a, b) => a.at - b.at);
  };

  /** Drops seconds that are too old for the database to accept. */
  const forgetLost = (now: number): void => {
    const lost = new Set(computed.filter(({ at }) => now - at > TICK_LATE_MAX_MS).map(({ at }) => at));
    if (lost.size === 0) return;
    computed = computed.filter(({ at }) => !lost.has(at));
    onAlarm?.({ kind: 'lost', seconds: lost.size });
  };

  return {
    compute,
    async publish(at) {
      compute(at);
      // A process that was stalled since the second began marks the tick as late; otherwise the database would reject
      // it.
      const now = Math.max(at, clock?.now().getTime() ?? at);
      forgetLost(now);
      if (isUncertain) {
        await view.catchUp(database, new Date(at));
        isUncertain = false;
      }
      const { newest, made: link } = await readPromises(database, at);
      const made = seconds(now, link ?? newest);
      // Sorted by coin, because everything that locks several heads uses the same order, settlements too.
      const ticks = made.flatMap((second) => second.ticks.sort((a, b) => (a.coin < b.coin ? -1 : 1)));
      if (ticks.length > 0) {
        isUncertain = true;
        onSigned?.(ticks);
        await withHeadRepair({ database, signer, coins: view.coins }, () =>
          database.transaction(async (transaction) => {
            if (link !== null) await appendPromises(transaction, link);
            await insertTicks(transaction, ticks);
            // Saved in order, because a minute is added to the wider candles when the next one begins.
            for (const minute of minutesOf(made.flatMap(({ bars }) => bars))) await saveBars(transaction, minute);
          }),
        );
        isUncertain = false;
      }
      computed = [];
      // Seconds before this process opened are late because no process ran, and so raise no alarm.
      const late = made.filter((second) => second.at < at && second.at >= openedMs).length;
      if (late > 0) onAlarm?.({ kind: 'late', seconds: late });
      for (const [nth, tick] of ticks.entries()) {
        const before = ticks.slice(0, nth).findLast(({ coin }) => coin === tick.coin) ?? view.lastTick(tick.coin);
        if (isSuddenJump(tick, before)) onAlarm?.({ kind: 'jump', coin: tick.coin });
      }
      for (const second of made) view.apply(new Date(second.at), second.ticks, second.bars);
      if (made.at(-1)?.at !== at) view.apply(new Date(at), [], []);
      if (made.length > 0) view.announcePublished(new Date(at));
      return ticks.length;
    },
  };
}

interface Second {
  readonly at: number;
  readonly ticks: PublishedTick[];
  readonly bars: CoinBar[];
}

/** One-minute bars grouped by minute, oldest first; each bar once, in its last state. */
function minutesOf(bars: readonly CoinBar[]): CoinBar[][] {
  const minutes = bars.filter(({ interval }) => interval === '1m');
  const last = new Map(minutes.map((entry) => [`${entry.coin} ${entry.bar.at}`, entry]));
  return [...Map.groupBy(last.values(), ({ bar }) => bar.at)].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The state after a restart: a source that was far from the median still counts as far; the rest starts fresh. */
function rememberedState(last: PublishedTick | null): IndexState {
  const tick = last && readTick(last.text.body);
  if (!tick) return new Map();
  const sources = [
    ...tick.used.map((vote) => ({ ...vote, isFar: false })),
    ...tick.excluded.flatMap(({ name, reason, said }) => (said ? [{ name, ...said, isFar: reason === 'far' }] : [])),
  ];
  return new Map(
    sources.map(({ name, price, at, isFar }) => [
      name,
      { price, trade: '', at: Math.min(at, tick.at), unchangedSince: tick.at, isFar },
    ]),
  );
}
