import { randomUUID } from 'node:crypto';
import { type AssetCode, COIN_CODES, type CoinCode, money } from '@sathorn/money';
import {
  type ContractFees,
  coverLeft,
  type Decision,
  decideQuotes,
  isFastMarketAt,
  isRequoteDue,
  lastFastMs,
  type PlacedQuotes,
  QUOTE_TERMS,
} from '@sathorn/settlement';
import type { Intent, Ledger } from '../../ledger/index.ts';
import { type Bus, CommandFault } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadCoinCover } from './coin-covers.ts';
import type { QuoteCommand } from './contract-command.ts';
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
/** Quotes that wait longer than this for their batch are not placed. */
const GOOD_FOR_MS = 2_000;

interface MarketMakerDependencies {
  readonly ledger: Pick<Ledger, 'balances'>;
  readonly market: ContractIndex;
  readonly fees: () => readonly ContractFees[];
  readonly coverOf: ReadCoinCover;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly send: (command: QuoteCommand, intent: Intent) => Promise<Decision<unknown, string>>;
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
    const { market, clock, fees, coverOf } = this.#dependencies;
    const now = clock.now();
    const atMs = now.getTime();
    if (desk === undefined || desk.isBusy || isTooSoon(desk, atMs)) return;
    const terms = QUOTE_TERMS[coin];
    const index = market.isStale(coin, now) ? null : market.lastPrice(coin);
    const isQuiet = desk.filledMs === null || Math.abs(atMs - desk.filledMs) >= QUIET_AFTER_MS;
    const { isFilled } = desk;
    const takerBps = BigInt(Math.min(...fees().map((level) => level.takerBps)));
    const seen = index && { index, terms, takerBps, isFilled, isQuiet, atMs };
    if (seen === null ? !desk.isOut : !isRequoteDue(desk.quoted, seen)) return;

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
      if (quotes.length === 0 && !desk.isOut) return;

      desk.quoted = null;
      desk.isOut = true;
      desk.isFilled = false;
      const quoted = await this.#send({ do: 'quote', coin, lease: desk.lease, quotes, untilMs: atMs + GOOD_FOR_MS });
      if (quoted === null) return;
      desk.isOut = quoted > 0;
      // No quote rests: they came too late, or the funds were used up.
      if (quotes.length > 0 && quoted === 0) return;
      desk.quoted = index && { index, atMs, fastMs };
      desk.failedMs = null;
    } finally {
      desk.isBusy = false;
    }
  }

  /** Returns the number of resting quotes; null if the command failed or got no answer, so that it is sent again. */
  async #send(command: QuoteCommand): Promise<number | null> {
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
      desk = { lease, quoted: null, isOut: true, isFilled: false, filledMs: null, isBusy: false, failedMs: null };
      this.#desks.set(coin, desk);
    }
    return desk;
  }
}

/** Uses the absolute difference, so that a clock that steps back does not stop quoting. */
const isTooSoon = ({ failedMs }: Desk, atMs: number): boolean =>
  failedMs !== null && Math.abs(atMs - failedMs) < RETRY_AFTER_MS;
