import type { PriceOrigin } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import type { SignedText } from '@sathorn/proof';
import type { OptionTick } from '@sathorn/settlement';
import type { Queries } from '../database/index.ts';

/** What options need of the market: whether it is open, and the ticks that were kept. */
export interface OptionMarket {
  /** Where this deployment's prices come from. */
  readonly origin: PriceOrigin;
  /** True while no price is current enough to sell an option on, or buying pauses after a jump. */
  isStale(coin: CoinCode, now: Date): boolean;
  /** Time of the coin's newest kept tick, ms; null before the first. */
  newestTickMs(coin: CoinCode): number | null;
  /** The same within a transaction, also of ticks that another process has just published; a coin without one is absent. */
  readNewestTickMs(coins: readonly CoinCode[], queries: Queries): Promise<ReadonlyMap<CoinCode, number>>;
  /** Kept ticks with `fromMs` ≤ time ≤ `toMs`, in the order of their sequence. */
  ticksBetween(coin: CoinCode, fromMs: number, toMs: number): Promise<readonly OptionTick[]>;
  /** As they were signed; null when there is none. */
  lastTickAtOrBefore(coin: CoinCode, timeMs: number): Promise<SignedText | null>;
  firstTickAfter(coin: CoinCode, timeMs: number): Promise<SignedText | null>;
}
