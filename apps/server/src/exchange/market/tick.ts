import type { CoinCode, Price } from '@sathorn/money';
import type { SignedText, TickEnvironment } from '@sathorn/proof';

/** A tick as published and stored. */
export interface PublishedTick {
  readonly coin: CoinCode;
  readonly sequence: bigint;
  /** A whole second. */
  readonly at: Date;
  readonly price: Price;
  readonly environment: TickEnvironment;
  /** True if it differs by more than 20% from the previous tick. */
  readonly jump: boolean;
  /** Its body (packages/proof/src/tick.ts), hash, signature and key id. */
  readonly text: SignedText;
}
