import { formatDecimal, parseDecimal } from './decimal.ts';

declare const rateBrand: unique symbol;
/** A share in parts of 10^-8: 0.78 is 78_000_000n. */
export type Rate = bigint & { readonly [rateBrand]: 'rate' };

export const RATE_SCALE = 8;
export const RATE_ONE = (10n ** 8n) as Rate;

export function parseRate(text: string): Rate | undefined {
  return parseDecimal(text, RATE_SCALE) as Rate | undefined;
}

/** `rateOf('0.78')`, for constants in code; throws on a malformed text. */
export function rateOf(text: string): Rate {
  const rate = parseRate(text);
  if (rate === undefined) throw new RangeError(`not a rate: ${text}`);
  return rate;
}

/** Formats without trailing zeros: `0.78`. */
export function formatRate(rate: Rate): string {
  return formatDecimal(rate, RATE_SCALE).replace(/\.?0+$/, '');
}

/** Converts basis points (1/10,000), the unit of published payout rates, to a rate. */
export function rateFromBasisPoints(basisPoints: bigint): Rate {
  return (basisPoints * (RATE_ONE / 10_000n)) as Rate;
}
