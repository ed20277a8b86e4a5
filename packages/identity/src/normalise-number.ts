import { normaliseWord } from './normalise-text.ts';

/**
 * Cleans a number that is a name, not a count: of a phone, an account, a document or a branch. People group its digits
 * with spaces, points, dashes and brackets.
 */
export function normaliseNumber(typed: string): string {
  return normaliseWord(typed)
    .replace(/^tel:/i, '')
    .replace(/[\s().·•_\u2212\p{Pd}]/gu, '');
}

/** Cleans a wallet's address or a transaction's hash. People copy these in groups too. */
export function normaliseAddress(typed: string): string {
  return normaliseWord(typed).replaceAll(' ', '');
}

/** Cleans a day such as 1990-12-31, typed with any kind of dash. */
export const normaliseDay = (typed: string): string => normaliseWord(typed).replace(/[\u2212\p{Pd}]/gu, '-');
