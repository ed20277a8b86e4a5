/** Crockford's base 32, which omits letters that look like digits. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The number by which people refer to a case: a letter, the date in the brand's time zone, and eight characters derived
 * from its id.
 */
export function orderNumberOf(letter: 'D' | 'W', id: string, at: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: '2-digit', month: '2-digit', day: '2-digit' }).format(
    at,
  );
  let rest = BigInt(`0x${id.replaceAll('-', '').slice(-10)}`);
  let signs = '';
  for (let n = 0; n < 8; n += 1, rest /= 32n) signs = (DIGITS[Number(rest % 32n)] ?? '') + signs;
  return `${letter}-${day.replaceAll('-', '')}-${signs}`;
}
