/**
 * Phone numbers as people write them become one E.164 text, so that one phone can't sign up twice. A number without an area
 * is of the brand's own.
 */
export type PhoneNumber =
  | { readonly kind: 'valid'; readonly e164: string }
  | { readonly kind: 'malformed' }
  /** Of an area where the brand sends no messages: what SMS pumping lives on. */
  | { readonly kind: 'other_area' };

interface Area {
  /** What follows the area code; a leading 0 is already gone. */
  readonly national: RegExp;
  readonly nationalLength: number;
}

// Thai mobile numbers have nine digits, landlines (which get no SMS) eight.
const AREAS: Readonly<Record<string, Area>> = { '66': { national: /^[1-9][0-9]{8}$/, nationalLength: 9 } };
const ANY_AREA: Area = { national: /^[1-9][0-9]{5,11}$/, nationalLength: 0 };

const areaOf = (code: string): Area => AREAS[code] ?? ANY_AREA;

function inArea(code: string, digits: string): PhoneNumber {
  // `+66 (0)81…` is a common slip.
  const national = digits.replace(/^0/, '');
  return areaOf(code).national.test(national) ? { kind: 'valid', e164: `+${code}${national}` } : { kind: 'malformed' };
}

/** @param areas Area codes that are served; the first is the brand's own. Codes that begin with one another don't occur. */
export function parsePhoneNumber(text: string, areas: readonly [string, ...string[]]): PhoneNumber {
  if (!/^\+?[0-9]{8,17}$/.test(text)) return { kind: 'malformed' };
  const international = text.startsWith('+') ? text.slice(1) : text.startsWith('00') ? text.slice(2) : null;
  if (international !== null) {
    const area = areas.find((code) => international.startsWith(code));
    return area === undefined ? { kind: 'other_area' } : inArea(area, international.slice(area.length));
  }
  const [own] = areas;
  if (text.startsWith('0') || text.length === areaOf(own).nationalLength) return inArea(own, text);
  const area = areas.find((code) => text.startsWith(code));
  return area === undefined ? inArea(own, text) : inArea(area, text.slice(area.length));
}
