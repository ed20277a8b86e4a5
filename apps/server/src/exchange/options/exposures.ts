import { type CoinCode, type Money, money } from '@sathorn/money';
import type { BoughtOption, ExposureRow } from './option-store.ts';

/** Orders that end in the same minute form one window, because they are likely to be won or lost together. */
const EXPOSURE_WINDOW_MS = 60_000n;

type Exposed = Pick<BoughtOption, 'coin' | 'direction' | 'ends_ms' | 'promised'>;

interface ExposureOfCoin {
  promised: bigint;
  /** Units of possible payouts, keyed by the first ms of the window. */
  readonly up: Map<bigint, bigint>;
  readonly down: Map<bigint, bigint>;
}

const nothingExposed = (): ExposureOfCoin => ({ promised: 0n, up: new Map(), down: new Map() });
const windowOf = (endsMs: bigint): bigint => endsMs - (endsMs % EXPOSURE_WINDOW_MS);

/** Sums of the possible payouts, by window and by coin; updated with each accepted order. */
export class Exposures {
  readonly #coins = new Map<CoinCode, ExposureOfCoin>();

  /** Replaces the exposures of these coins with those of the rows. */
  set(coins: readonly CoinCode[], rows: readonly ExposureRow[]): void {
    for (const coin of coins) this.#coins.set(coin, nothingExposed());
    for (const { coin, direction, window_ms, promised } of rows) this.#add(coin, direction, window_ms, promised.units);
  }

  knows(coin: CoinCode): boolean {
    return this.#coins.has(coin);
  }

  add({ coin, direction, ends_ms, promised }: Exposed): void {
    this.#add(coin, direction, windowOf(ends_ms), promised.units);
  }

  /** Takes off a sold order, if the exposures of its coin are known. */
  remove({ coin, direction, ends_ms, promised }: Exposed): void {
    if (this.knows(coin)) this.#add(coin, direction, windowOf(ends_ms), -promised.units);
  }

  ofWindow({ coin, direction, ends_ms }: Omit<Exposed, 'promised'>): Money<'USDT'> {
    return money('USDT', this.#coins.get(coin)?.[direction].get(windowOf(ends_ms)) ?? 0n);
  }

  ofCoin(coin: CoinCode): Money<'USDT'> {
    return money('USDT', this.#coins.get(coin)?.promised ?? 0n);
  }

  /** One row per window. */
  rows(): ExposureRow[] {
    return [...this.#coins].flatMap(([coin, ofCoin]) =>
      (['up', 'down'] as const).flatMap((direction) =>
        [...ofCoin[direction]].map(([window_ms, units]) => ({
          coin,
          direction,
          window_ms,
          promised: money('USDT', units),
        })),
      ),
    );
  }

  #add(coin: CoinCode, direction: 'up' | 'down', window: bigint, promised: bigint): void {
    let ofCoin = this.#coins.get(coin);
    if (ofCoin === undefined) {
      ofCoin = nothingExposed();
      this.#coins.set(coin, ofCoin);
    }
    const windows = ofCoin[direction];
    windows.set(window, (windows.get(window) ?? 0n) + promised);
    ofCoin.promised += promised;
  }
}
