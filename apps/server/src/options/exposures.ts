import type { CoinCode } from '@sathorn/money';
import type { BoughtOption, ExposureRow } from './option-store.ts';

/** Orders that end in the same minute are one window: they are likely to be won or lost together. */
export const EXPOSURE_WINDOW_MS = 60_000n;

type Exposed = Pick<BoughtOption, 'coin' | 'direction' | 'ends_ms' | 'promised'>;

function windowOf({ coin, direction, ends_ms }: Omit<Exposed, 'promised'>): Omit<ExposureRow, 'promised'> {
  return { coin, direction, window_ms: ends_ms - (ends_ms % EXPOSURE_WINDOW_MS) };
}

/** Sums of what wins would cost, by window and by coin; follows what one batch accepts in turn. */
export class Exposures {
  readonly #windows = new Map<string, ExposureRow>();
  readonly #coins = new Map<CoinCode, bigint>();

  constructor(rows: readonly ExposureRow[] = []) {
    for (const row of rows) this.#add(row);
  }

  add(order: Exposed): void {
    this.#add({ ...windowOf(order), promised: order.promised });
  }

  ofWindow(order: Omit<Exposed, 'promised'>): bigint {
    return this.#windows.get(keyOf(windowOf(order)))?.promised ?? 0n;
  }

  ofCoin(coin: CoinCode): bigint {
    return this.#coins.get(coin) ?? 0n;
  }

  /** One row for each window, always in the same order: two that write the same rows can't deadlock. */
  rows(): ExposureRow[] {
    return [...this.#windows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  #add(row: ExposureRow): void {
    const key = keyOf(row);
    const promised = (this.#windows.get(key)?.promised ?? 0n) + row.promised;
    this.#windows.set(key, { ...row, promised });
    this.#coins.set(row.coin, this.ofCoin(row.coin) + row.promised);
  }
}

function keyOf({ coin, direction, window_ms }: Omit<ExposureRow, 'promised'>): string {
  return `${coin}/${direction}/${window_ms}`;
}
