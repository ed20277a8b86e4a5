import type { CoinCode } from '@sathorn/money';
import type { Observation } from '@sathorn/proof';

/** A venue's feed of coins' prices. */
export interface Source {
  readonly name: string;
  /** The currency that it quotes in: those of one other than USDT share a vote. */
  readonly family: string;
  readonly coins: readonly CoinCode[];
  /** Its last price up to `at` (ms since 1970), or null before the first. Always above zero. */
  latest(coin: CoinCode, at: number): Observation | null;
  /** The volume since the last call, or in the second before `at`; units of 10^-8 coins. */
  takeVolume(coin: CoinCode, at: number): bigint;
  /** Connects, and reconnects by itself until `stop`. */
  start(): void;
  stop(): Promise<void>;
}
