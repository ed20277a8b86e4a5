import { formatPrice, type Price, parsePrice, price } from '@sathorn/money';
import { decimalsOf } from './contract-math.ts';

/** A stepper that is held down changes the price by about 1/10,000 at a time. */
const PARTS = 10_000n;

/**
 * The stepper's next price up or down, one price step away. While the stepper is held down, the next round number of
 * price steps: 95,209.81 goes to 95,210 and on to 95,211. Undefined while the text is not a price.
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
