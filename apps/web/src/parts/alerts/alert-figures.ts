import { parsePrice } from '@sathorn/money';

/** Returns a price plus the percentage, computed exactly and rounded to the coin's steps. */
export function priceByPercent(price: string, percent: number, decimals: number): string {
  const units = parsePrice(price);
  if (units === undefined) return '';
  const step = 10n ** BigInt(6 - decimals);
  const moved = (units * BigInt(100 + percent)) / 100n;
  const text = String((moved / step) * step).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6, text.length - 6 + decimals)}`.replace(/\.$/, '');
}

/** Returns the distance of a price from the current one, as a share. */
export function priceDistance(price: string, now: string): string | null {
  const [there, here] = [parsePrice(price), parsePrice(now)];
  if (there === undefined || here === undefined || here === 0n) return null;
  const parts = ((there - here) * 10_000n) / here;
  const text = String(parts < 0n ? -parts : parts).padStart(5, '0');
  return `${parts < 0n ? '-' : ''}${text.slice(0, -4)}.${text.slice(-4)}`;
}
