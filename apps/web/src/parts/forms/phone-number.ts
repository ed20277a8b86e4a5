/** Zeros of the scripts whose digits people type here: Thai, Devanagari, Arabic-Indic, Persian, full width. */
const ZEROS = [0x0e50, 0x0966, 0x0660, 0x06f0, 0xff10] as const;

/** Digits of any script in daily use here as Latin ones; everything else stays. */
export function latinDigits(text: string): string {
  return [...text]
    .map((character) => {
      const point = character.codePointAt(0) ?? 0;
      const zero = ZEROS.find((start) => point >= start && point < start + 10);
      return zero === undefined ? character : String(point - zero);
    })
    .join('');
}

/**
 * A phone number in the server's format, `+66812345678`. Separators between digits are dropped, a national number (with
 * or without its leading 0) gets the brand's area code, an international one (`+` or `00`) stays. Other text stays too,
 * so that the schema names the fault.
 */
export function phoneNumber(typed: string, areaCode: string): string {
  const plain = latinDigits(typed).replace(/[\s().\u00a0\u2010-\u2015-]/g, '');
  if (plain === '') return '';
  if (plain.startsWith('+')) return plain;
  if (plain.startsWith('00')) return `+${plain.slice(2)}`;
  return `+${areaCode}${plain.replace(/^0/, '')}`;
}
