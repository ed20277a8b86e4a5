import { normaliseNumber } from '@sathorn/identity';

/**
 * Converts a phone number to the server's format, `+66812345678`. Adds the brand's country code to a national number
 * (with or without its leading 0), and keeps an international one (`+` or `00`). Returns other text unchanged, so that
 * the schema reports the fault.
 */
export function phoneNumber(typed: string, areaCode: string): string {
  const plain = normaliseNumber(typed);
  if (plain === '') return '';
  if (plain.startsWith('+')) return plain;
  if (plain.startsWith('00')) return `+${plain.slice(2)}`;
  return `+${areaCode}${plain.replace(/^0/, '')}`;
}
