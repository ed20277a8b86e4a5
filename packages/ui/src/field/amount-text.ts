/**
 * What a person types as an amount, brought into the wire's one grammar without ever rounding or guessing.
 *
 * Digits of the scripts our customers write are accepted (Thai, Arabic-Indic, Persian, Devanagari, full-width), and
 * either sign for decimals. When both `.` and `,` occur, or one of them more than once, the others are grouping.
 */

/** The first digit of each script that we accept; the other nine follow it. */
const ZEROS = [0x0030, 0x0e50, 0x0660, 0x06f0, 0x0966, 0xff10] as const;

export type AmountFault = 'malformed' | 'too_fine' | 'too_long';

export type AmountText =
  /** `text` is what the field shows while it is typed, `value` the canonical amount (undefined while it is not one yet). */
  { text: string; value: string | undefined; fault?: never } | { text: string; value?: never; fault: AmountFault };

function digitOf(character: string): string | undefined {
  const point = character.codePointAt(0) ?? -1;
  const zero = ZEROS.find((start) => point >= start && point <= start + 9);
  return zero === undefined ? undefined : String(point - zero);
}

const POINTS = new Set(['.', '．', '。', '·']);
const COMMAS = new Set([',', '，', '、', '،']);
const ARABIC_POINT = '٫';
const ARABIC_GROUP = '٬';
/** Spaces, apostrophes and the invisible marks that formatted numbers carry when they are pasted. */
const IGNORED = /[\s\u00a0\u202f\u2009'’_\u200e\u200f\u061c\u2066-\u2069\u202a-\u202e]/u;

/** `.`, `,` or digits; undefined when a character has no place in an amount. */
function normalise(typed: string): string | undefined {
  let plain = '';
  for (const character of typed) {
    const digit = digitOf(character);
    if (digit !== undefined) plain += digit;
    else if (POINTS.has(character) || character === ARABIC_POINT) plain += '.';
    else if (COMMAS.has(character)) plain += ',';
    else if (character === ARABIC_GROUP || IGNORED.test(character)) continue;
    else return undefined;
  }
  return plain;
}

/** At most one point is left, and it is the decimal one. */
function settleSeparators(plain: string): string | undefined {
  const points = plain.split('.').length - 1;
  const commas = plain.split(',').length - 1;
  if (points > 1 && commas > 1) return undefined;
  if (points > 1 && commas === 0) return plain.replaceAll('.', '');
  if (commas > 1 && points === 0) return plain.replaceAll(',', '');
  if (points > 0 && commas > 0) {
    const decimal = plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ',';
    if (plain.indexOf(decimal) !== plain.lastIndexOf(decimal)) return undefined;
    return plain.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.');
  }
  return plain.replace(',', '.');
}

/** `scale` is the number of decimals of the asset. */
export function readAmount(typed: string, scale: number): AmountText {
  const plain = normalise(typed);
  const settled = plain === undefined ? undefined : settleSeparators(plain);
  if (settled === undefined) return { text: typed, fault: 'malformed' };
  if (settled === '') return { text: '', value: undefined };

  const [whole = '', fraction] = settled.split('.');
  const shown = whole.replace(/^0+(?=[0-9])/, '') || '0';
  const text = fraction === undefined ? shown : `${shown}.${fraction}`;
  if (shown.length > 18) return { text, fault: 'too_long' };
  if (fraction !== undefined && fraction.length > scale) return { text, fault: 'too_fine' };
  return { text, value: fraction ? text : shown };
}

/** A share of the available amount in whole percent, rounded down to the asset's unit and without needless zeros. */
export function shareOfAmount(available: string, percent: number, scale: number): string {
  const [whole = '0', fraction = ''] = available.split('.');
  const units = (BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0')) * BigInt(percent)) / 100n;
  const digits = units.toString().padStart(scale + 1, '0');
  if (scale === 0) return digits;
  const decimals = digits.slice(-scale).replace(/0+$/, '');
  return decimals === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${decimals}`;
}
