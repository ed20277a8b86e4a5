import type { PriceOrigin } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { indexStepOf, isIndexRule, readTick, type SignedText } from '@sathorn/proof';
import type { OptionTick, StepTick } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import type { NamedPromise } from '../../platform/proofs/index.ts';
import type { Market } from './market.ts';

/**
 * The part of the market that options need, in their own terms: times in ms, ticks as decisions use them, texts as
 * receipts show them.
 */
export interface OptionMarket {
  /** The origin of this deployment's prices. */
  readonly origin: PriceOrigin;
  /** True if no price is recent enough to sell an option on, or if buying is paused after a jump. */
  isStale(coin: CoinCode, now: Date): boolean;
  /** Time of the coin's newest stored tick in ms; null before the first. */
  newestTickMs(coin: CoinCode): number | null;
  /**
   * Reads the same within a transaction, including ticks that another process has just published. Coins without ticks
   * are absent.
   */
  readNewestTickMs(coins: readonly CoinCode[], queries: Queries): Promise<ReadonlyMap<CoinCode, number>>;
  /** Stored ticks with `fromMs` ≤ time ≤ `toMs`, in order of sequence. */
  ticksBetween(coin: CoinCode, fromMs: number, toMs: number): Promise<readonly OptionTick[]>;
  /** The same with the step of the index, which prices of sales depend on. */
  stepTicksBetween(coin: CoinCode, fromMs: number, toMs: number): Promise<readonly StepTick[]>;
  /** The tick's signed text; null if there is none. */
  textOf(coin: CoinCode, sequence: bigint): Promise<SignedText | null>;
  lastTickAtOrBefore(coin: CoinCode, timeMs: number): Promise<SignedText | null>;
  firstTickAfter(coin: CoinCode, timeMs: number): Promise<SignedText | null>;
  /** How a tree of terms is in the chain of promises, up to a tick that names it; null while none does. */
  promiseOf(coin: CoinCode, tree: string, acceptedMs: number): Promise<NamedPromise | null>;
}

export function ticksForOptions(market: Market): OptionMarket {
  return {
    origin: market.environment,
    isStale: (coin, now) => market.isStale(coin, now) || market.isPaused(coin, now),
    newestTickMs: (coin) => market.lastTick(coin)?.at.getTime() ?? null,
    readNewestTickMs: async (coins, queries) =>
      new Map([...(await market.newestTimes(coins, queries))].map(([coin, at]) => [coin, at.getTime()])),
    async ticksBetween(coin, fromMs, toMs) {
      const ticks = await market.ticksBetween(coin, new Date(fromMs), new Date(toMs));
      return ticks.map(({ sequence, at, price, text: { body } }) => ({
        sequence,
        atMs: at.getTime(),
        price,
        // Few ticks are late, so few texts are parsed.
        lateMs: body.includes('"late":') ? readTick(body)?.lateMs : undefined,
      }));
    },
    async stepTicksBetween(coin, fromMs, toMs) {
      const ticks = await market.ticksBetween(coin, new Date(fromMs), new Date(toMs));
      return ticks.map(({ sequence, at, price, text: { body } }) => {
        const said = readTick(body);
        if (said === undefined || !isIndexRule(said.rule)) throw new Error(`tick ${coin} ${sequence} has no step`);
        return { sequence, atMs: at.getTime(), price, step: indexStepOf(coin, said.rule), lateMs: said.lateMs };
      });
    },
    textOf: async (coin, sequence) => (await market.tick(coin, sequence))?.text ?? null,
    lastTickAtOrBefore: async (coin, timeMs) => (await market.lastTickAtOrBefore(coin, new Date(timeMs)))?.text ?? null,
    firstTickAfter: async (coin, timeMs) => (await market.firstTickAfter(coin, new Date(timeMs)))?.text ?? null,
    promiseOf: (coin, tree, acceptedMs) => market.promiseOf(coin, tree, new Date(acceptedMs)),
  };
}
