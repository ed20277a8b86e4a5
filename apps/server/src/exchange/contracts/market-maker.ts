import { randomUUID } from 'node:crypto';
import { type AssetCode, COIN_CODES, type CoinCode, money, type Price } from '@sathorn/money';
import {
  type BestPrices,
  type ContractFees,
  coverLeft,
  type Decision,
  decideQuotes,
  decideTake,
  isFastMarketAt,
  isRequoteDue,
  type LimitTicket,
  lastFastMs,
  type PlacedQuotes,
  QUOTE_TERMS,
} from '@sathorn/settlement';
import type { Intent, Ledger } from '../../ledger/index.ts';
import { type Bus, CommandFault } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadCoinCover } from './coin-covers.ts';
import type { QuoteCommand, TakeCommand } from './contract-command.ts';
import type { ContractIndex } from './contract-kind.ts';
import { readMarketMakerHoldings } from './market-maker-holdings.ts';

/** How often the maker checks the index. This limits how long it quotes a stale price. */
const LOOK_EVERY_MS = 250;
const RETRY_AFTER_MS = 1_000;
/**
 * After this long without a trade with the house, a coin is quoted less often, because each change is a journal that is
 * stored for ever.
 */
const QUIET_AFTER_MS = 60_000;
/** How often it looks for what customers offer beyond the index. */
const TAKE_AFTER_MS = 1_000;
/** Quotes that wait longer than this for their batch are not placed. */
const GOOD_FOR_MS = 2_000;

interface MarketMakerDependencies {
  readonly ledger: Pick<Ledger, 'balances'>;
  readonly market: ContractIndex;
  readonly fees: () => readonly ContractFees[];
  readonly coverOf: ReadCoinCover;
  readonly clock: Clock;
  readonly bus: Bus;
  /** The best prices at which customers' orders rest; null if this process has no book of the coin. */
  readonly bestOf: (coin: CoinCode) => BestPrices | null;
  readonly send: (command: QuoteCommand | TakeCommand, intent: Intent) => Promise<Decision<unknown, string>>;
  /**
   * The lease under which this process matches the coin; undefined if it does not. The maker quotes only coins that its
   * process matches, and starts again with each new lease.
   */
  readonly leaseOf: (coin: CoinCode) => bigint | undefined;
  readonly onFault: (error: unknown) => void;
}

/** The maker's state for one coin. */
interface Desk {
  readonly lease: bigint;
  quoted: PlacedQuotes | null;
  /** When it last looked for what customers offer beyond the index. */
  tookMs: number | null;
  /** True if quotes may be resting. */
  isOut: boolean;
  /** True if there was a trade with the house since the last quotes. */
  isFilled: boolean;
  /** When a quote was last filled. */
  filledMs: number | null;
  isBusy: boolean;
  /** When the last command failed, or when there were no funds for quotes. */
  failedMs: number | null;
}

/**
 * The house's market maker. It reads only public data (the index, the trades) and its own balances, and sends its
 * quotes on the same path as every order. When its process ends, the matcher revokes the quotes.
 */
export class MarketMaker {
  readonly #dependencies: MarketMakerDependencies;
  readonly #desks = new Map<CoinCode, Desk>();

  constructor(dependencies: MarketMakerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Repeats `turn` until the signal aborts; resolves when no command is in flight. */
  async run(signal: AbortSignal): Promise<void> {
    const { bus } = this.#dependencies;
    const turns = new Set<Promise<void>>();
    const look = (): void => {
      const turn = this.turn();
      turns.add(turn);
      void turn.finally(() => turns.delete(turn));
    };
    const onTrades = this.onTrades.bind(this);
    bus.on('trades', onTrades);
    const timer = setInterval(look, LOOK_EVERY_MS);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    clearInterval(timer);
    bus.off('trades', onTrades);
    await Promise.all(turns);
  }

  onTrades({ code, data }: { readonly code: string; readonly data: readonly { readonly house: boolean }[] }): void {
    const desk = this.#desks.get(code as CoinCode);
    if (!desk || !data.some(({ house }) => house)) return;
    desk.isFilled = true;
    desk.filledMs = this.#dependencies.clock.now().getTime();
  }

  /** Quotes each coin that is due, independently. */
  async turn(): Promise<void> {
    const { ledger, onFault } = this.#dependencies;
    let holdings: Promise<ReadonlyMap<AssetCode, bigint>> | undefined;
    const readHoldings = () => (holdings ??= readMarketMakerHoldings(ledger).then(({ all }) => all));
    await Promise.all(COIN_CODES.map((coin) => this.#look(coin, readHoldings).catch(onFault)));
  }

  async #look(coin: CoinCode, readHoldings: () => Promise<ReadonlyMap<AssetCode, bigint>>): Promise<void> {
    const desk = this.#deskOf(coin);
    const { market, clock, fees, coverOf, bestOf } = this.#dependencies;
    const now = clock.now();
    const atMs = now.getTime();
    if (desk === undefined || desk.isBusy || isTooSoon(desk, atMs)) return;
    const terms = QUOTE_TERMS[coin];
    const index = market.isStale(coin, now) ? null : market.lastPrice(coin);
    const isQuiet = desk.filledMs === null || Math.abs(atMs - desk.filledMs) >= QUIET_AFTER_MS;
    const { isFilled } = desk;
    const takerBps = BigInt(Math.min(...fees().map((level) => level.takerBps)));
    const seen = index && { index, terms, takerBps, isFilled, isQuiet, atMs };
    const isDue = seen === null ? desk.isOut : isRequoteDue(desk.quoted, seen);
    const isTaking = index !== null && isTakeDue(desk, bestOf(coin), index, atMs);
    if (!isDue && !isTaking) return;

    desk.isBusy = true;
    desk.failedMs = atMs;
    try {
      // All coins may use the same part of the USDT; no part is reserved for one coin.
      const has = index === null ? new Map<AssetCode, bigint>() : await readHoldings();
      // Customers must never own more coins than the counted reserve, so the house sells at most the difference.
      const sellMax = index === null ? null : coverLeft(await coverOf(coin, now));
      const usdt = money('USDT', (has.get('USDT') ?? 0n) / BigInt(COIN_CODES.length));
      const fastMs = seen && lastFastMs(desk.quoted, seen);
      const isFast = isFastMarketAt(fastMs, atMs);
      const quotes = decideQuotes({
        coin,
        index,
        isFast,
        terms,
        coins: money(coin, has.get(coin) ?? 0n),
        usdt,
        sellMax,
      });
      if (isDue && !(await this.#quote(coin, desk, quotes, index && { index, atMs, fastMs }))) return;
      if (isTaking) await this.#take(coin, desk, quotes, atMs);
      desk.failedMs = null;
    } finally {
      desk.isBusy = false;
    }
  }

  /** False if no quote rests afterwards: the command failed, they came too late, or the funds were used up. */
  async #quote(
    coin: CoinCode,
    desk: Desk,
    quotes: readonly LimitTicket[],
    placed: PlacedQuotes | null,
  ): Promise<boolean> {
    if (quotes.length === 0 && !desk.isOut) return false;
    desk.quoted = null;
    desk.isOut = true;
    desk.isFilled = false;
    const untilMs = this.#dependencies.clock.now().getTime() + GOOD_FOR_MS;
    const quoted = await this.#send({ do: 'quote', coin, lease: desk.lease, quotes, untilMs });
    if (quoted === null) return false;
    desk.isOut = quoted > 0;
    if (quotes.length > 0 && quoted === 0) return false;
    desk.quoted = placed;
    return true;
  }

  /** Takes what customers offer at the price of a quote or better, after the quotes that it keeps from resting. */
  async #take(coin: CoinCode, desk: Desk, quotes: readonly LimitTicket[], atMs: number): Promise<void> {
    desk.tookMs = atMs;
    const best = this.#dependencies.bestOf(coin);
    const ticket = best && decideTake(quotes, best);
    if (ticket) await this.#send({ do: 'take', ticket, lease: desk.lease, untilMs: atMs + GOOD_FOR_MS });
  }

  /** Returns the number of resting quotes; null if the command failed or got no answer, so that it is sent again. */
  async #send(command: QuoteCommand | TakeCommand): Promise<number | null> {
    const id = randomUUID();
    try {
      const answer = await this.#dependencies.send(command, { id, digest: id });
      if (answer.ok) return (answer.effect as { quoted: number }).quoted;
      // The new matcher has already cancelled these quotes.
      return answer.refusal === 'maker_replaced' ? 0 : null;
    } catch (error) {
      if (!(error instanceof CommandFault)) throw error;
      return null;
    }
  }

  #deskOf(coin: CoinCode): Desk | undefined {
    const lease = this.#dependencies.leaseOf(coin);
    if (lease === undefined) {
      this.#desks.delete(coin);
      return undefined;
    }
    let desk = this.#desks.get(coin);
    if (desk?.lease !== lease) {
      // Cancels earlier quotes once more, although they should be cancelled already. That costs only a row.
      desk = {
        lease,
        quoted: null,
        tookMs: null,
        isOut: true,
        isFilled: false,
        filledMs: null,
        isBusy: false,
        failedMs: null,
      };
      this.#desks.set(coin, desk);
    }
    return desk;
  }
}

/** True if a customer's order rests beyond the index; at most once a second. */
const isTakeDue = ({ tookMs }: Desk, best: BestPrices | null, index: Price, atMs: number): boolean =>
  best !== null &&
  ((best.buy !== null && best.buy > index) || (best.sell !== null && best.sell < index)) &&
  (tookMs === null || Math.abs(atMs - tookMs) >= TAKE_AFTER_MS);

/** Uses the absolute difference, so that a clock that steps back does not stop quoting. */
const isTooSoon = ({ failedMs }: Desk, atMs: number): boolean =>
  failedMs !== null && Math.abs(atMs - failedMs) < RETRY_AFTER_MS;
