import { INTERVALS } from '@sathorn/api';
import { type CoinCode, price } from '@sathorn/money';
import {
  type IndexResult,
  type IndexRuleName,
  type IndexState,
  indexPrice,
  NO_TICK,
  readTick,
  rulesOf,
  stepOf,
  type TickEnvironment,
  tickOf,
  writeTick,
} from '@sathorn/proof';
import type { Database } from '../database/index.ts';
import type { Signer } from '../proofs/index.ts';
import { extendBar } from './candle.ts';
import { withHealing } from './heal-head.ts';
import { type CoinBar, insertTicks, saveBars } from './market-store.ts';
import type { MarketView } from './market-view.ts';
import type { Source } from './source.ts';
import { sourceViews } from './source-view.ts';
import type { PublishedTick } from './tick.ts';

export const INDEX_RULE: IndexRuleName = 'families/1';

export interface IndexPublisher {
  /**
   * Publishes the second `at` (ms, a whole second): asks the sources, and for each coin that has a price appends a signed tick
   * and its candles, all in one transaction. Returns how many coins got a tick. Throws on a fault of the database; whether the
   * second was then committed is unknown, and the next call looks it up first.
   */
  publish(at: number): Promise<number>;
}

/** What an operator should look at. */
export type MarketAlarm =
  | { readonly kind: 'source_far'; readonly coin: CoinCode; readonly source: string }
  | { readonly kind: 'stale' | 'back' | 'jump'; readonly coin: CoinCode };

interface Parts {
  readonly database: Database;
  readonly signer: Signer;
  readonly sources: readonly Source[];
  readonly environment: TickEnvironment;
  readonly view: MarketView;
  readonly onAlarm?: (alarm: MarketAlarm) => void;
}

/** Of one process at a time: whoever holds the role `index`. */
export function indexPublisher({ database, signer, sources, environment, view, onAlarm }: Parts): IndexPublisher {
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

  /** The tick and the candles of a coin, or nothing when it has no price, or this second is not after the last. */
  const make = (coin: CoinCode, at: number): { tick: PublishedTick; bars: CoinBar[] } | null => {
    const readings = sources
      .filter((source) => source.coins.includes(coin))
      .map((source) => ({ name: source.name, family: source.family, latest: source.latest(coin, at) }));
    const volumes = new Map(
      sources
        .filter((source) => source.coins.includes(coin))
        .map((source) => [source.name, source.takeVolume(coin, at)]),
    );
    const result = indexPrice(at, readings, states.get(coin) ?? new Map(), rulesOf(INDEX_RULE, stepOf(coin)));
    alarm(coin, states.get(coin), result);
    states.set(coin, result.state);
    const excluded = result.excluded.map(({ latest, ...source }) => ({ ...source, said: latest }));
    view.hear(coin, sourceViews({ used: result.used, excluded }));
    const last = view.lastTick(coin);
    if (result.stale || (last !== null && at <= last.at.getTime())) return null;

    const tick = tickOf(result, {
      coin,
      sequence: (last?.sequence ?? 0n) + 1n,
      at,
      rule: INDEX_RULE,
      environment,
      previous: last?.text.hash ?? NO_TICK,
      previousPrice: last?.price ?? null,
    });
    if (tick.isJump) onAlarm?.({ kind: 'jump', coin });
    const volume = result.used.reduce((sum, { name }) => sum + (volumes.get(name) ?? 0n), 0n);
    const bars = INTERVALS.map((interval) => ({
      coin,
      interval,
      bar: extendBar(view.bar(coin, interval), interval, at, tick.price, volume, environment === 'sim'),
    }));
    return {
      tick: {
        coin,
        sequence: tick.sequence,
        at: new Date(at),
        price: price(tick.price),
        environment,
        jump: tick.isJump,
        text: signer.sign(writeTick(tick)),
      },
      bars,
    };
  };

  return {
    async publish(at) {
      if (isUncertain) {
        await view.catchUp(database, new Date(at));
        isUncertain = false;
      }
      const made = view.coins.flatMap((coin) => make(coin, at) ?? []);
      const ticks = made.map(({ tick }) => tick);
      const bars = made.flatMap((entry) => entry.bars);
      if (ticks.length > 0) {
        isUncertain = true;
        await withHealing({ database, signer, coins: view.coins }, () =>
          database.transaction(async (transaction) => {
            await insertTicks(transaction, ticks);
            await saveBars(transaction, bars);
          }),
        );
        isUncertain = false;
      }
      view.apply(new Date(at), ticks, bars);
      return ticks.length;
    },
  };
}

/** After a restart, who was far from the median is still far. Everything else begins anew. */
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
