import type { CoinCode, Price } from '@sathorn/money';
import type { SignedText, TickEnvironment } from '@sathorn/proof';

/** A tick as it was published and is kept. */
export interface PublishedTick {
  readonly coin: CoinCode;
  readonly sequence: bigint;
  /** A whole second. */
  readonly at: Date;
  readonly price: Price;
  readonly environment: TickEnvironment;
  /** Moved more than 20% from the one before. */
  readonly jump: boolean;
  /** The body of it (packages/proof/src/tick.ts), its hash, signature and key id. */
  readonly text: SignedText;
}
