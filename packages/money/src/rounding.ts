/** Decides who keeps the remainder: `down` gives the receiver less, `up` takes more from the payer. */
export type Rounding = 'down' | 'up';

/** a × b ÷ c for integers ≥ 0, rounded as given; the error is less than one unit. */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  if (a < 0n || b < 0n || c <= 0n) throw new RangeError('mulDiv takes a, b ≥ 0 and c > 0');
  const product = a * b;
  const quotient = product / c;
  return rounding === 'up' && quotient * c !== product ? quotient + 1n : quotient;
}
