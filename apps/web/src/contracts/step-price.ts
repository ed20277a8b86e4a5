import { formatPrice, type Price, parsePrice, price } from '@sathorn/money';
import { decimalsOf } from './contract-math.ts';

/** One press changes the price by about 1/10,000. */
const PARTS = 10_000n;

/**
 * The stepper's next price up or down: a round number of price steps, so that 95,209.81 goes to 95,210 and not to
 * 95,209.82. Undefined while the text is not a price.
 */
export function stepPrice(text: string, tick: string, direction: 1 | -1): string | undefined {
  const from = parsePrice(text);
  const least = parsePrice(tick);
  if (from === undefined || least === undefined || least <= 0n) return undefined;
  let step: bigint = least;
  while (step * 10n <= from / PARTS) step *= 10n;
  const next = direction === 1 ? (from / step + 1n) * step : ((from + step - 1n) / step - 1n) * step;
  return formatPrice(price(next < least ? least : next) as Price, decimalsOf(tick));
}
