import type { Candle } from '@sathorn/api';

/** The number of one-minute candles that are checked. */
export const DENSITY_WINDOW_MINUTES = 60;
/** With fewer candles that have trades, the chart would show single tall bars in an empty frame. */
const DENSE_MIN = 20;
const MINUTE_MS = 60_000;

/**
 * True if the one-minute candles, oldest first, have enough trades to be worth showing. Minutes without trades may be
 * missing.
 */
export function areTradesDense(candles: readonly Candle[]): boolean {
  const newest = candles.at(-1)?.[0];
  if (newest === undefined) return false;
  const since = newest - (DENSITY_WINDOW_MINUTES - 1) * MINUTE_MS;
  return candles.filter(([at, , , , , volume]) => at >= since && /[1-9]/.test(volume)).length >= DENSE_MIN;
}
