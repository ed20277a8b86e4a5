import { formatDecimal, formatPrice, mulDiv, parseDecimal, parsePrice, price } from '@sathorn/money';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { decimalsOf } from './contract-math.ts';
import type { BookLevels } from './walk-book.ts';

export const QUANTITY_SCALE = 8;
/** A step above 1/500 of the price would leave hardly any levels. */
const PARTS = 500n;
const STEPS_MAX = 5;

/** Returns the steps for grouping a book: the price step, and its tenfolds that are small beside the price. */
export function groupSteps(tick: string, around: string | null): string[] {
  const least = parsePrice(tick);
  if (least === undefined || least <= 0n) return [tick];
  const most = (parsePrice(around ?? '') ?? 0n) / PARTS;
  const steps: string[] = [];
  for (let step: bigint = least; steps.length < STEPS_MAX; step *= 10n) {
    if (steps.length > 0 && step > most) break;
    steps.push(withoutTrailingZeros(formatPrice(price(step), decimalsOf(tick))));
  }
  return steps;
}

/**
 * Adds up the levels of each step, best first. An ask's price is rounded up and a bid's down, so that an order at the
 * shown price takes everything shown. If the given levels are not the whole book, the last step may be incomplete and
 * is left out.
 */
export function groupLevels(levels: BookLevels, side: 'buy' | 'sell', stepText: string, isWhole: boolean): BookLevels {
  const step = parsePrice(stepText);
  if (step === undefined || step <= 0n) return levels;
  const groups: { units: bigint; quantity: bigint }[] = [];
  for (const [priceText, quantityText] of levels) {
    const at = parsePrice(priceText);
    const quantity = parseDecimal(quantityText, QUANTITY_SCALE);
    if (at === undefined || quantity === undefined) continue;
    const units = mulDiv(at, 1n, step, side === 'sell' ? 'up' : 'down') * step;
    const last = groups.at(-1);
    if (last?.units === units) last.quantity += quantity;
    else groups.push({ units, quantity });
  }
  return groups
    .slice(0, isWhole || groups.length < 2 ? undefined : -1)
    .map(({ units, quantity }) => [
      formatPrice(price(units), decimalsOf(stepText)),
      formatDecimal(quantity, QUANTITY_SCALE),
    ]);
}
