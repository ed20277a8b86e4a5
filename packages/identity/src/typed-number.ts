import { typedWord } from './typed-text.ts';

/**
 * Cleans a number that is a name, not a count: of a phone, an account, a document or a branch. People group its digits
 * with spaces, points, dashes and brackets.
 */
export function typedNumber(typed: string): string {
  return typedWord(typed)
    .replace(/^tel:/i, '')
    .replace(/[\s().·•_\u2212\p{Pd}]/gu, '');
}

/** Cleans a wallet's address or a transaction's hash. People copy these in groups too. */
export function typedAddress(typed: string): string {
  return typedWord(typed).replaceAll(' ', '');
}

/** Cleans a day such as 1990-12-31, typed with any kind of dash. */
export const typedDay = (typed: string): string => typedWord(typed).replace(/[\u2212\p{Pd}]/gu, '-');
