import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

/**
 * Normalises phone numbers to E.164, so that one phone cannot sign up twice. A number without a country code belongs to
 * the brand's own area.
 */
type PhoneNumber =
  | { readonly kind: 'valid'; readonly e164: string }
  /**
   * The number has the length of a mobile number but is in no mobile range. It cannot register a new account; a stored
   * one can still sign in.
   */
  | { readonly kind: 'not_mobile'; readonly e164: string }
  | { readonly kind: 'malformed' }
  /** The number is in an area to which the brand sends no messages, because SMS pumping uses such numbers. */
  | { readonly kind: 'other_area' };

const MALFORMED: PhoneNumber = { kind: 'malformed' };

/** Older versions accepted any nine digits as a Thai number, and stored only Thai numbers. */
const STORABLE = /^0?([1-9][0-9]{8})$/;

function inArea(code: string, digits: string): PhoneNumber {
  // `+66 (0)81…` is a common mistake. The metadata drops a leading 0 where it is not part of the number.
  const number = parsePhoneNumberFromString(`+${code}${digits}`, { extract: false });
  if (number?.countryCallingCode === code && number.isValid()) return { kind: 'valid', e164: number.number };
  const national = STORABLE.exec(digits)?.[1];
  return national === undefined ? MALFORMED : { kind: 'not_mobile', e164: `+${code}${national}` };
}

/** `areas` are the country codes that are served; the first is the brand's own. No code is a prefix of another. */
export function parsePhoneNumber(text: string, areas: readonly [string, ...string[]]): PhoneNumber {
  if (!/^\+?[0-9]{8,17}$/.test(text)) return MALFORMED;
  const international = text.startsWith('+') ? text.slice(1) : text.startsWith('00') ? text.slice(2) : null;
  if (international !== null) {
    const area = areas.find((code) => international.startsWith(code));
    return area === undefined ? { kind: 'other_area' } : inArea(area, international.slice(area.length));
  }
  const national = inArea(areas[0], text);
  if (text.startsWith('0') || national.kind === 'valid') return national;
  const area = areas.find((code) => text.startsWith(code));
  const withArea = area === undefined ? MALFORMED : inArea(area, text.slice(area.length));
  return withArea.kind === 'valid' || national.kind === 'malformed' ? withArea : national;
}
