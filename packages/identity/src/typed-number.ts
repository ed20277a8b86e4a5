import { typedWord } from './typed-text.ts';

/**
 * A number that counts nothing: of a phone, an account, a document or a branch. People group its digits with spaces,
 * points, dashes and brackets.
 */
export function typedNumber(typed: string): string {
  return typedWord(typed)
    .replace(/^tel:/i, '')
    .replace(/[\s().·•_\u2212\p{Pd}]/gu, '');
}

/** A wallet's address or a transaction's hash; both are copied in groups, too. */
export function typedAddress(typed: string): string {
  return typedWord(typed).replaceAll(' ', '');
}

/** A day as 1990-12-31, with any dash. */
export const typedDay = (typed: string): string => typedWord(typed).replace(/[\u2212\p{Pd}]/gu, '-');
