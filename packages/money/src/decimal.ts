/**
 * Decimal strings are the only form in which amounts, prices and rates cross a process boundary.
 *
 * The format excludes everything ambiguous: signs, exponents, thousands separators, leading zeros, spaces, other
 * scripts' digits. The app normalises what people type before it sends.
 */
const WHOLE = '(?:0|[1-9][0-9]{0,17})';

function decimalPattern(scale: number): RegExp {
  return scale === 0 ? new RegExp(`^${WHOLE}$`) : new RegExp(`^${WHOLE}(?:\\.[0-9]{1,${scale}})?$`);
}

const patterns = Array.from({ length: 19 }, (_, scale) => decimalPattern(scale));

/** Returns the number in units of 10^-scale, or undefined if the text has another format. Never rounds. */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  // The length check keeps huge hostile texts away from the regular expression.
  if (text.length > 40 || !patterns[scale]?.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** Fixed notation with exactly `scale` decimals: 12500000n at scale 6 is `12.500000`. */
export function formatDecimal(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
