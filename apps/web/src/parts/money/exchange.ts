const USDT_DECIMALS = 6;

/** Estimates the USDT that an amount of THB buys at a rate in THB per USDT, rounded down. The server decides. */
export function usdtFor(baht: string, rate: string): string | undefined {
  const paid = unitsOf(baht);
  const price = unitsOf(rate);
  if (price.units === 0n) return undefined;
  const units = (paid.units * 10n ** BigInt(price.scale + USDT_DECIMALS)) / (price.units * 10n ** BigInt(paid.scale));
  const digits = units.toString().padStart(USDT_DECIMALS + 1, '0');
  return `${digits.slice(0, -USDT_DECIMALS)}.${digits.slice(-USDT_DECIMALS)}`;
}

/** Compares two decimal strings that are not negative; returns -1, 0 or 1. */
export function compareDecimals(one: string, other: string): number {
  const a = unitsOf(one);
  const b = unitsOf(other);
  const difference = a.units * 10n ** BigInt(b.scale) - b.units * 10n ** BigInt(a.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function unitsOf(text: string): { units: bigint; scale: number } {
  const [whole = '0', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}
