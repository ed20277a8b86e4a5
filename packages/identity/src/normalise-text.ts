/**
 * One function per kind of text that people type or paste. It removes what clipboards and keyboards add, and never
 * anything that may be intended. Typed, stored and compared texts go through the same function.
 */

/** Invisible characters: bidi controls, zero-width characters, controls, unpaired surrogates. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}]/gu;
/** The full-width forms of ! to ~, as East Asian keyboards type them. */
const WIDE = /[\uff01-\uff5e]/gu;
const WIDE_AHEAD = 0xfee0;

/** Returns one line of text as people see it: in normal width, without invisible characters, with plain spaces. */
export function normaliseText(typed: string): string {
  return typed
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(WIDE, (wide) => String.fromCodePoint((wide.codePointAt(0) ?? 0) - WIDE_AHEAD))
    .trim();
}

const isDigit = (point: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(point));

/** Converts the digits of every script to Latin ones and leaves everything else. */
export function toLatinDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Unicode has each script's digits in a row from zero to nine, and some of these rows are adjacent.
    const point = digit.codePointAt(0) ?? 0;
    let start = point;
    while (isDigit(start - 1)) start -= 1;
    return String((point - start) % 10);
  });
}

/** Cleans a sign-in name, or any other text that is compared character by character. */
export const normaliseWord = (typed: string): string => toLatinDigits(normaliseText(typed));

/** Cleans a code from a message, an authenticator or a friend. Dashes between digits only group them. */
export function normaliseCode(typed: string): string {
  const code = normaliseWord(typed).replaceAll(' ', '');
  return /^[0-9\u2212\p{Pd}]+$/u.test(code) ? code.replace(/[^0-9]/g, '') : code;
}

/** Cleans an amount. The caller decides whether a comma or a point is the decimal separator. */
export const normaliseAmount = normaliseWord;
