import { INTERVALS, type Interval } from '@sathorn/api';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { aggregateBars, type Bar, candleOf, extendBar, intervalStartOf } from '../market/index.ts';
import {
  addToCandles,
  type CountedTrade,
  moveCandleHead,
  readCandleHead,
  readTradesAfter,
  type StoredBar,
} from './candle-store.ts';

/** The shortest interval between two notifications. */
const REPUBLISH_EVERY_MS = 1_000;
const READ_MAX = 5_000;

interface TradeCandlesDependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** The number of a coin's newest trade if this process matches the coin; otherwise undefined. */
  readonly lastTradeOf: (coin: CoinCode) => number | undefined;
  readonly isSimulated: boolean;
  readonly onFault: (error: unknown) => void;
}

/** The trades to add to the candles of one minute. */
interface Minute {
  bar: Bar;
  houseVolume: bigint;
}

/**
 * Counts each trade into the candles exactly once: the number of the newest counted trade moves in the same
 * transaction. A time without trades has no candle.
 */
export class TradeCandles {
  readonly #dependencies: TradeCandlesDependencies;
  /** The last counted trade per coin as far as this process knows; another process may have counted more. */
  readonly #counted = new Map<CoinCode, number>();

  constructor(dependencies: TradeCandlesDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    let turn = Promise.resolve();
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      turn = this.turn().finally(() => {
        isBusy = false;
      });
    }, REPUBLISH_EVERY_MS);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    clearInterval(timer);
    await turn;
  }

  /** Counts new trades and publishes the newest candles. Queries the database only when there are any. */
  async turn(): Promise<void> {
    const { lastTradeOf, onFault } = this.#dependencies;
    await Promise.all(
      COIN_CODES.map(async (coin) => {
        const last = lastTradeOf(coin);
        if (last === undefined || last <= (this.#counted.get(coin) ?? 0)) return;
        try {
          await this.#count(coin);
        } catch (error) {
          this.#counted.delete(coin);
          onFault(error);
        }
      }),
    );
  }

  async #count(coin: CoinCode): Promise<void> {
    const { database, bus } = this.#dependencies;
    let head = this.#counted.get(coin) ?? (await readCandleHead(database, coin));
    const newest = new Map<Interval, StoredBar>();
    for (;;) {
      const trades = await readTradesAfter(database, coin, head, READ_MAX);
      const after = Number(trades.at(-1)?.number ?? head);
      const bars = trades.length === 0 ? [] : await this.#add(coin, head, after, trades);
      for (const bar of bars) if (bar.at >= (newest.get(bar.interval)?.at ?? bar.at)) newest.set(bar.interval, bar);
      this.#counted.set(coin, after);
      head = after;
      if (trades.length < READ_MAX) break;
    }
    for (const [interval, bar] of newest)
      bus.emit('trades_candle', {
        code: coin,
        interval,
        data: { code: coin, interval, candle: candleOf(coin, this.barOf(bar)) },
      });
  }

  #add(coin: CoinCode, before: number, after: number, trades: readonly CountedTrade[]): Promise<StoredBar[]> {
    const minutes = minutesOf(trades);
    const added = INTERVALS.flatMap((interval) => widen(minutes, interval));
    return this.#dependencies.database.transaction(async (transaction) => {
      const isMoved = await moveCandleHead(transaction, {
        coin,
        before,
        after,
        houseFeesUsdt: trades.reduce((sum, { houseFeeUsdt }) => sum + houseFeeUsdt, 0n),
        houseFeesCoin: trades.reduce((sum, { houseFeeCoin }) => sum + houseFeeCoin, 0n),
      });
      if (!isMoved) throw new Error(`another process counts the trades of ${coin}`);
      return addToCandles(transaction, coin, added);
    });
  }

  barOf({ interval: _interval, houseVolume: _houseVolume, ...bar }: StoredBar): Bar {
    return { ...bar, simulated: this.#dependencies.isSimulated };
  }
}

/** Groups in the order of the trades, so a clock that was set back opens an earlier minute again. */
function minutesOf(trades: readonly CountedTrade[]): Minute[] {
  const minutes: Minute[] = [];
  for (const { atMs, price, quantity, house } of trades) {
    const last = minutes.at(-1);
    const houseVolume = house ? quantity : 0n;
    const bar = extendBar(last?.bar, '1m', Number(atMs), price, quantity, false);
    if (last?.bar.at !== bar.at) minutes.push({ bar, houseVolume });
    else {
      last.bar = bar;
      last.houseVolume += houseVolume;
    }
  }
  return minutes;
}

function widen(minutes: readonly Minute[], interval: Interval): StoredBar[] {
  const wide = Map.groupBy(minutes, ({ bar }) => intervalStartOf(interval, bar.at));
  return [...wide.values()].flatMap((parts) =>
    aggregateBars(
      parts.map(({ bar }) => bar),
      interval,
    ).map(({ simulated: _simulated, ...bar }) => ({
      ...bar,
      interval,
      houseVolume: parts.reduce((sum, { houseVolume }) => sum + houseVolume, 0n),
    })),
  );
}
