import { COINS, type CoinCode, PRICE_SCALE } from '@sathorn/money';
import type { RandomDraws } from './random-draws.ts';

/** The largest move of a price in a second, in ten-millionths. */
const STEP_MAX = 300;
const WHOLE = 10_000_000n;

/** A random walk of one coin's index, second by second, with occasional gaps and jumps. */
export class PriceWalk {
  readonly coin: CoinCode;
  readonly #draws: RandomDraws;
  #price: bigint;
  #silentSeconds = 0;

  constructor(coin: CoinCode, price: bigint, draws: RandomDraws) {
    this.coin = coin;
    this.#price = price;
    this.#draws = draws;
  }

  get price(): bigint {
    return this.#price;
  }

  /** Returns the next second's index in units; null if none is published. */
  next(): bigint | null {
    if (this.#silentSeconds === 0 && this.#draws.below(900) === 0) this.#silentSeconds = 1 + this.#draws.below(12);
    const isJump = this.#draws.below(2_000) === 0;
    const change = BigInt(this.#draws.below(2 * STEP_MAX + 1) - STEP_MAX) * (isJump ? 200n : 1n);
    // The price sometimes stays unchanged, so that there are ties.
    if (this.#draws.below(4) !== 0) this.#price += this.#rounded((this.#price * change) / WHOLE);
    if (this.#silentSeconds === 0) return this.#price;
    this.#silentSeconds -= 1;
    return null;
  }

  /** Rounds to the decimals of the index. */
  #rounded(units: bigint): bigint {
    const step = 10n ** BigInt(PRICE_SCALE - COINS[this.coin].indexDecimals);
    return units - (units % step);
  }
}
