import type { CoinCode } from '@sathorn/money';
import type { PriceObservation } from '@sathorn/proof';

/** A venue's feed of coins' prices. */
export interface PriceSource {
  readonly name: string;
  /** The quote currency. Sources with the same one share a vote, except those in USDT. */
  readonly family: string;
  readonly coins: readonly CoinCode[];
  /** The last price up to `at` (ms since 1970); null before the first. Always positive. */
  latest(coin: CoinCode, at: number): PriceObservation | null;
  /** The volume since the last call, or in the second before `at`, in units of 10^-8 coins. */
  takeVolume(coin: CoinCode, at: number): bigint;
  /** Connects, and reconnects automatically until `stop`. */
  start(): void;
  stop(): Promise<void>;
}
