/** The digit zero of scripts used here: Thai, Devanagari, Arabic-Indic, Persian, full width. */
const ZEROS = [0x0e50, 0x0966, 0x0660, 0x06f0, 0xff10] as const;

/** Converts digits of these scripts to Latin ones and leaves everything else. */
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
 * Converts a phone number to the server's format, `+66812345678`. Removes separators between digits, adds the brand's
 * country code to a national number (with or without its leading 0), and keeps an international one (`+` or `00`).
 * Other text is kept, so that the schema reports the fault.
 */
export function phoneNumber(typed: string, areaCode: string): string {
  const plain = latinDigits(typed).replace(/[\s().\u00a0\u2010-\u2015-]/g, '');
  if (plain === '') return '';
  if (plain.startsWith('+')) return plain;
  if (plain.startsWith('00')) return `+${plain.slice(2)}`;
  return `+${areaCode}${plain.replace(/^0/, '')}`;
}
