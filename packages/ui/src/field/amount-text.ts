import { normaliseAmount } from '@sathorn/identity';

/**
 * Converts a typed amount to the wire format without rounding or guessing.
 *
 * Accepts digits of every script. A point is the decimal sign, as in all our languages. A comma is a thousands
 * separator between well-formed groups, as in the figures that we show; a single comma elsewhere can only be a decimal
 * sign. Anything else is a fault, because the two readings of an amount could differ by a factor of a thousand.
 */

export type AmountFault = 'malformed' | 'too_fine' | 'too_long';

type AmountText =
  /**
   * `text` is what the field shows while it is typed, including separators, because the next digit may change their
   * meaning. `value` is the canonical amount; undefined while the text is not one yet.
   */
  { text: string; value: string | undefined; fault?: never } | { text: string; value?: never; fault: AmountFault };

const POINTS = new Set(['.', '．', '。', '·', '٫']);
const COMMAS = new Set([',', '，', '、', '،']);
/** Separates only thousands, unlike a comma. */
const ARABIC_GROUP = '٬';
/** Characters that separate thousands in pasted amounts. */
const SPACES = /[\s\u00a0\u202f\u2009'’_]/u;

/** A digit or separator in its plain form; undefined for a character that cannot be in an amount. */
function plainOf(character: string): string | undefined {
  if (POINTS.has(character)) return '.';
  if (COMMAS.has(character)) return ',';
  if (character === ARABIC_GROUP) return character;
  if (SPACES.test(character)) return ' ';
  return /^[0-9]$/.test(character) ? character : undefined;
}

/**
 * Converts to Latin digits, `.`, `,`, `٬` and spaces, without leading zeros; undefined if the text contains anything
 * else.
 */
function normalise(typed: string): string | undefined {
  let plain = '';
  for (const character of normaliseAmount(typed)) {
    const part = plainOf(character);
    if (part === undefined) return undefined;
    plain += part;
  }
  return plain
    .trim()
    .replace(/^0+(?=[0-9])/, '')
    .replace(/^(?=[.,])/, '0');
}

/** 1,234,567 or, in India, 12,34,567: the same separator throughout, and three digits after the last one. */
const GROUPED = /^[1-9][0-9]{0,2}([,٬ ])[0-9]{3}(?:\1[0-9]{3})*$/;
const GROUPED_BY_LAKHS = /^[1-9][0-9]?([,٬ ])(?:[0-9]{2}\1)+[0-9]{3}$/;

function withoutGroups(whole: string): string | undefined {
  if (/^[0-9]+$/.test(whole)) return whole;
  return GROUPED.test(whole) || GROUPED_BY_LAKHS.test(whole) ? whole.replace(/[,٬ ]/g, '') : undefined;
}

/** Returns the digits before and after the decimal sign if the text has only one reading; otherwise undefined. */
function settleSeparators(plain: string): { whole: string; fraction: string } | undefined {
  const isPointed = plain.includes('.');
  const alone = isPointed ? undefined : withoutGroups(plain);
  if (alone !== undefined) return { whole: alone, fraction: '' };
  const [before = '', fraction = '', ...more] = plain.split(isPointed ? '.' : ',');
  const whole = withoutGroups(before);
  return whole === undefined || more.length > 0 || !/^[0-9]*$/.test(fraction) ? undefined : { whole, fraction };
}

/** Reads a typed amount. `scale` is the asset's number of decimals; zeros beyond it are accepted. */
export function parseTypedAmount(typed: string, scale: number): AmountText {
  const text = normalise(typed);
  if (text === '') return { text, value: undefined };
  const settled = text === undefined ? undefined : settleSeparators(text);
  if (text === undefined || settled === undefined) return { text: typed, fault: 'malformed' };

  const { whole, fraction } = settled;
  if (whole.length > 18) return { text, fault: 'too_long' };
  if (/[1-9]/.test(fraction.slice(scale))) return { text, fault: 'too_fine' };
  const decimals = fraction.slice(0, scale);
  return { text, value: decimals === '' ? whole : `${whole}.${decimals}` };
}

/** True if `after` is `before` with one run of characters removed. */
function isCutFrom(before: string, after: string): boolean {
  let kept = 0;
  while (kept < after.length && before[kept] === after[kept]) kept += 1;
  return after.length < before.length && before.endsWith(after.slice(kept));
}

/**
 * The text after a deletion, in which separators keep their meaning: `6,000` without its last digit is 600 and not
 * 6.00, and `1,2345` without its last digit is 1.234 and not a thousand. Newly typed or pasted text is read on its own.
 */
export function amountAfterDeleting(before: string, after: string): string {
  if (!isCutFrom(before, after)) return after;
  const [was, is] = [normalise(before), normalise(after)];
  if (was === undefined || is === undefined) return after;
  const settled = settleSeparators(was);
  if (settled === undefined || !/[,٬ ]/.test(was)) return after;
  const isDecimalComma = settled.fraction !== '' && !was.includes('.');
  return isDecimalComma ? is.replace(',', '.') : is.replace(/[,٬ ]/g, '');
}

/** A whole percentage of the available amount, rounded down to the asset's unit, without trailing zeros. */
export function shareOfAmount(available: string, percent: number, scale: number): string {
  const [whole = '0', fraction = ''] = available.split('.');
  const units = (BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0')) * BigInt(percent)) / 100n;
  const digits = units.toString().padStart(scale + 1, '0');
  if (scale === 0) return digits;
  const decimals = digits.slice(-scale).replace(/0+$/, '');
  return decimals === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${decimals}`;
}
