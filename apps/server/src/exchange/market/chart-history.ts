import { setTimeout as pause } from 'node:timers/promises';
import { INTERVALS } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import type { Database, Queries } from '../../platform/database/index.ts';
import { type CoinBar, readCoinsWithHistory, readFirstBarMinute, saveBarHistory } from './market-store.ts';
import type { MarketView } from './market-view.ts';
import { simulatedHistory } from './simulated-history.ts';
import type { OpenedSimulation } from './simulated-price.ts';

const WEEK_MS = 7 * 86_400_000;
/** A chart that is requested early waits this long, and then shows what is there. */
const WAIT_MAX_MS = 10_000;

/**
 * The charts of a simulation before its first tick. Computing them takes seconds, so they are computed after the
 * platform has opened.
 */
interface ChartHistory {
  readonly isComplete: boolean;
  /** Resolves when the charts are complete, at the latest after some seconds. */
  wait(): Promise<void>;
  /** Writes the missing charts, up to each coin's first minute. Only the leader of the index may call it. */
  make(database: Database, signal: AbortSignal): Promise<void>;
  /** Reloads the view when everything is written. Nothing may be published during the call. */
  look(queries: Queries, now: Date): Promise<void>;
}

/** Opens the history. Live prices and recordings have none before their first tick, so theirs is complete. */
export async function openChartHistory(
  simulation: OpenedSimulation | null,
  view: MarketView,
  queries: Queries,
  waitMaxMs = WAIT_MAX_MS,
): Promise<ChartHistory> {
  const complete = Promise.withResolvers<void>();
  // Candles older than a week before the first start come only from the history.
  const before = simulation && new Date(simulation.startedAt.getTime() - WEEK_MS);
  const missing = async (from: Queries): Promise<CoinCode[]> => {
    if (before === null) return [];
    const made = await readCoinsWithHistory(from, view.coins, before);
    return view.coins.filter((coin) => !made.has(coin));
  };
  let isComplete = false;
  const end = (): void => {
    isComplete = true;
    complete.resolve();
  };
  if ((await missing(queries)).length === 0) end();

  return {
    get isComplete() {
      return isComplete;
    },
    async wait() {
      if (!isComplete) await Promise.race([complete.promise, pause(waitMaxMs, undefined, { ref: false })]);
    },
    async make(database, signal) {
      if (simulation === null || isComplete) return;
      for (const coin of await missing(database)) {
        const first = await readFirstBarMinute(database, coin);
        if (signal.aborted) return;
        // The coin has no tick yet.
        if (first === null) continue;
        const history = simulatedHistory(simulation, coin, first.getTime());
        const bars: CoinBar[] = INTERVALS.flatMap((interval) =>
          (history.get(interval) ?? []).map((bar) => ({ coin, interval, bar })),
        );
        await saveBarHistory(database, bars);
      }
    },
    async look(from, now) {
      if (isComplete || (await missing(from)).length > 0) return;
      await view.readEarlier(from, now);
      end();
    },
  };
}
