import { type Candle, INTERVALS, type Interval, type Ticker } from '@sathorn/api';
import { COINS, type CoinCode, formatDecimal, formatPrice, price } from '@sathorn/money';
import { readTick } from '@sathorn/proof';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Bar } from './candle.ts';
import { type DayFigures, DayWindow } from './day-figures.ts';
import { type CoinBar, readLastTicks, readMinutesSince, readNewestBars, readTickHeads } from './market-store.ts';
import { type SourceView, sourceViews } from './source-view.ts';
import type { PublishedTick } from './tick.ts';
import type { VerifyTicks } from './tick-verifier.ts';

/**
 * A price is stale after this long without a newer tick, and purchases are refused. An option waits this long for its
 * start tick.
 */
export const TICK_STALE_AFTER_MS = 3_000;
/** How long buying pauses after a jump. */
export const JUMP_PAUSE_MS = 60_000;
const DAY_MS = 86_400_000;
const VOLUME_SCALE = 8;

/** After a longer gap, another price is no sudden move, and purchases need not pause. */
const SUDDEN_MS = 3_600_000;

/** True if the price has jumped and the previous tick is recent enough for that to be meaningful. */
export function isSuddenJump(tick: PublishedTick, before: PublishedTick | null): boolean {
  return tick.jump && before !== null && tick.at.getTime() - before.at.getTime() <= SUDDEN_MS;
}

interface CoinState {
  last: PublishedTick | null;
  sources: readonly SourceView[];
  readonly bars: Map<Interval, Bar>;
  readonly day: DayWindow;
  jumpedAt: number | null;
  wasStale: boolean;
}

/**
 * This process's copy of the market, so that quotes and tickers need no query. It holds only committed data: the
 * publishing process adds its own ticks, all others read them from the database.
 */
export class MarketView {
  readonly #coins: ReadonlyMap<CoinCode, CoinState>;
  readonly #bus: Bus;
  readonly #verify: VerifyTicks;

  constructor(coins: readonly CoinCode[], bus: Bus, verify: VerifyTicks) {
    this.#bus = bus;
    this.#verify = verify;
    this.#coins = new Map(
      coins.map((coin) => [
        coin,
        { last: null, sources: [], bars: new Map(), day: new DayWindow(), jumpedAt: null, wasStale: true },
      ]),
    );
  }

  get coins(): CoinCode[] {
    return [...this.#coins.keys()];
  }

  lastTick(coin: CoinCode): PublishedTick | null {
    return this.#coins.get(coin)?.last ?? null;
  }

  bar(coin: CoinCode, interval: Interval): Bar | undefined {
    return this.#coins.get(coin)?.bars.get(interval);
  }

  sources(coin: CoinCode): readonly SourceView[] {
    return this.#coins.get(coin)?.sources ?? [];
  }

  figures(coin: CoinCode, now: Date): DayFigures | null {
    return this.#coins.get(coin)?.day.figures(now.getTime()) ?? null;
  }

  isStale(coin: CoinCode, now: Date): boolean {
    const last = this.#coins.get(coin)?.last;
    // A tick far in the future means that the clock was set back; no tick can follow until then, so the coin is stale.
    return !last || Math.abs(now.getTime() - last.at.getTime()) > TICK_STALE_AFTER_MS;
  }

  isPaused(coin: CoinCode, now: Date): boolean {
    const jumpedAt = this.#coins.get(coin)?.jumpedAt;
    return typeof jumpedAt === 'number' && now.getTime() - jumpedAt < JUMP_PAUSE_MS;
  }

  /** Updates the sources' prices, also in a second without a tick. */
  setSources(coin: CoinCode, sources: readonly SourceView[]): void {
    const state = this.#coins.get(coin);
    if (state) state.sources = sources;
  }

  /** Applies what was committed for the second `at` and notifies listeners. */
  apply(at: Date, ticks: readonly PublishedTick[], bars: readonly CoinBar[]): void {
    for (const tick of ticks) {
      const state = this.#coins.get(tick.coin);
      if (!state) continue;
      if (isSuddenJump(tick, state.last)) state.jumpedAt = tick.at.getTime();
      state.last = tick;
    }
    for (const entry of bars) this.#putBar(entry);
    if (ticks.length > 0) this.#bus.emitHere('ticked', at);
    for (const { coin, interval, bar } of bars)
      this.#bus.emitHere('candle', {
        code: coin,
        interval,
        data: { code: coin, interval, candle: candleOf(coin, bar) },
      });
    this.announce(at, ticks.length > 0);
  }

  /**
   * Reads the candles again, including earlier ones that were written since. Nothing may be published during the call,
   * because the older read would overwrite it.
   */
  async readEarlier(queries: Queries, now: Date): Promise<void> {
    for (const entry of await readNewestBars(queries, this.coins, INTERVALS)) this.#putBar(entry);
    const minutes = await readMinutesSince(queries, this.coins, new Date(now.getTime() - DAY_MS));
    for (const [coin, entries] of Map.groupBy(minutes, (entry) => entry.coin))
      this.#coins.get(coin)?.day.putEarlier(entries.map(({ bar }) => bar));
  }

  /** Notifies the processes that follow. */
  announcePublished(at: Date): void {
    this.#bus.emit('published', at);
  }

  /** Publishes the tickers of all coins if some moved or one has become stale. */
  announce(now: Date, moved: boolean): void {
    let turned = false;
    for (const [coin, state] of this.#coins) {
      const isStale = this.isStale(coin, now);
      if (isStale !== state.wasStale) turned = true;
      state.wasStale = isStale;
    }
    if (moved || turned) this.#bus.emitHere('tickers', { data: this.tickers(now) });
  }

  tickers(now: Date): Ticker[] {
    return this.coins.flatMap((coin) => {
      const last = this.lastTick(coin);
      if (!last) return [];
      return {
        code: coin,
        price: formatPrice(last.price, COINS[coin].indexDecimals),
        change_24h: formatChange(this.figures(coin, now)?.changePpm ?? 0n),
        sequence: String(last.sequence),
        hash: last.text.hash,
        at: last.at.toISOString(),
        stale: this.isStale(coin, now),
      };
    });
  }

  /**
   * Reads what other processes have committed since the last call; returns true if there was anything. Throws on a
   * forged tick.
   */
  async catchUp(database: Database, now: Date): Promise<boolean> {
    const heads = new Map((await readTickHeads(database, this.coins)).map((head) => [head.coin, head]));
    const behind = this.coins.filter(
      (coin) => !this.bar(coin, '1m') || this.#isBehind(coin, heads.get(coin)?.sequence),
    );
    if (behind.length === 0) return false;
    const ticks = await readLastTicks(database, behind);
    await this.#verify(ticks);
    const bars = await readNewestBars(database, behind, INTERVALS);
    const known = behind.map((coin) => this.bar(coin, '1m')?.at ?? 0);
    const minutes = await readMinutesSince(
      database,
      behind,
      new Date(Math.max(Math.min(...known), now.getTime() - DAY_MS)),
    );

    // This process may have published in the meantime; then the result of the read is older and is dropped.
    const sequences = new Map(ticks.map(({ coin, sequence }) => [coin, sequence]));
    const news = new Set(behind.filter((coin) => !this.bar(coin, '1m') || this.#isBehind(coin, sequences.get(coin))));
    for (const { coin, bar } of minutes) if (news.has(coin)) this.#coins.get(coin)?.day.put(bar);
    for (const coin of news) {
      const jumpedAt = heads.get(coin)?.jumpedAt;
      const state = this.#coins.get(coin);
      if (state && jumpedAt) state.jumpedAt = jumpedAt.getTime();
    }
    const newTicks = ticks.filter(({ coin }) => news.has(coin));
    for (const tick of newTicks) this.setSources(tick.coin, sourcesOf(tick));
    const newest = Math.max(...newTicks.map(({ at }) => at.getTime()));
    this.apply(
      newTicks.length > 0 ? new Date(newest) : now,
      newTicks,
      bars.filter(({ coin }) => news.has(coin)),
    );
    return newTicks.length > 0;
  }

  #isBehind(coin: CoinCode, sequence: bigint | undefined): boolean {
    return sequence !== undefined && sequence > (this.lastTick(coin)?.sequence ?? 0n);
  }

  #putBar({ coin, interval, bar }: CoinBar): void {
    const state = this.#coins.get(coin);
    if (!state) return;
    state.bars.set(interval, bar);
    if (interval === '1m') state.day.put(bar);
  }
}

function sourcesOf(tick: PublishedTick): SourceView[] {
  const read = readTick(tick.text.body);
  return read ? sourceViews(read) : [];
}

/** On the wire: time, open, high, low, close, volume, and whether it is simulated. */
export function candleOf(coin: CoinCode, bar: Bar): Candle {
  const text = (units: bigint): string => formatPrice(price(units), COINS[coin].indexDecimals);
  return [
    bar.at,
    text(bar.open),
    text(bar.high),
    text(bar.low),
    text(bar.close),
    formatVolume(bar.volume),
    bar.simulated ? 1 : 0,
  ];
}

export function formatVolume(volume: bigint): string {
  return formatDecimal(volume, VOLUME_SCALE);
}

/** Formats a change as a share: -0.012345 is a fall of 1.2345%. */
export function formatChange(ppm: bigint): string {
  return formatDecimal(ppm, 6);
}
