import { formatPrice, type Price, parsePrice, price } from '@sathorn/money';
import { decimalsOf } from './contract-math.ts';

/** Holding the stepper down changes the price by about 1/10,000 at a time. */
const PARTS = 10_000n;

/**
 * Returns the stepper's next price up or down, one price step away. While the stepper is held down, it goes on to the
 * next round number of price steps: from 95,209.81 to 95,210 and then 95,211. Returns undefined while the text is not a
 * price.
 */
export function stepPrice(text: string, tick: string, direction: 1 | -1, isHeld = false): string | undefined {
  const from = parsePrice(text);
  const least = parsePrice(tick);
  if (from === undefined || least === undefined || least <= 0n) return undefined;
  let step: bigint = least;
  while (isHeld && step * 10n <= from / PARTS) step *= 10n;
  const next = direction === 1 ? (from / step + 1n) * step : ((from + step - 1n) / step - 1n) * step;
  return formatPrice(price(next < least ? least : next) as Price, decimalsOf(tick));
}
