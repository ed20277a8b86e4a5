/**
 * One function for each kind of text that people type or paste: it removes what clipboards and keyboards bring along,
 * and never what could be meant. What is typed, stored and compared goes through the same one.
 */

/** Characters that show nothing: bidi controls, zero-width characters, controls, unpaired surrogates. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}]/gu;
/** The full-width forms of ! to ~, as East Asian keyboards type them. */
const WIDE = /[\uff01-\uff5e]/gu;
const WIDE_AHEAD = 0xfee0;

/** Text of one line as it is seen: in plain width, without invisible characters, with plain spaces. */
export function seenText(typed: string): string {
  return typed
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(WIDE, (wide) => String.fromCodePoint((wide.codePointAt(0) ?? 0) - WIDE_AHEAD))
    .trim();
}

const isDigit = (point: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(point));

/** Converts the digits of every script to Latin ones and leaves everything else. */
export function latinDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Unicode has the digits of a script in a row, from zero to nine, and some rows side by side.
    const point = digit.codePointAt(0) ?? 0;
    let start = point;
    while (isDigit(start - 1)) start -= 1;
    return String((point - start) % 10);
  });
}

/** A name to sign in with, or any other text that is compared letter by letter. */
export const typedWord = (typed: string): string => latinDigits(seenText(typed));

/** A code: of a message, an authenticator or a friend. Dashes between digits only group them. */
export function typedCode(typed: string): string {
  const code = typedWord(typed).replaceAll(' ', '');
  return /^[0-9\u2212\p{Pd}]+$/u.test(code) ? code.replace(/[^0-9]/g, '') : code;
}

/** Digits and signs of an amount. What a comma or a point means is for its reader to decide. */
export const typedAmount = typedWord;
