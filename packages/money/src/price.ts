import { formatDecimal, parseDecimal } from './decimal.ts';

declare const priceBrand: unique symbol;
/** USDT for one whole coin, in units of 10^-6 USDT: 64,210.25 is 64_210_250_000n. */
export type Price = bigint & { readonly [priceBrand]: 'price' };

export const PRICE_SCALE = 6;

export function price(units: bigint): Price {
  return units as Price;
}

export function parsePrice(text: string): Price | undefined {
  return parseDecimal(text, PRICE_SCALE) as Price | undefined;
}

/** Formats with the coin's published decimals. Prices are multiples of the coin's step, so nothing is cut off. */
export function formatPrice(value: Price, decimals: number): string {
  const step = 10n ** BigInt(PRICE_SCALE - decimals);
  if (value % step !== 0n) throw new RangeError(`price ${value} is finer than ${decimals} decimals`);
  return formatDecimal(value / step, decimals);
}
