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

/**
 * A number that counts nothing: of a phone, an account, a document or a branch. People group its digits with spaces,
 * points, dashes and brackets.
 */
export function typedNumber(typed: string): string {
  return typedWord(typed)
    .replace(/^tel:/i, '')
    .replace(/[\s().·•_\u2212\p{Pd}]/gu, '');
}

/** A code: of a message, an authenticator or a friend. Dashes between digits only group them. */
export function typedCode(typed: string): string {
  const code = typedWord(typed).replaceAll(' ', '');
  return /^[0-9\u2212\p{Pd}]+$/u.test(code) ? code.replace(/[^0-9]/g, '') : code;
}

/** Digits and signs of an amount. What a comma or a point means is for its reader to decide. */
export const typedAmount = typedWord;

/** A wallet's address or a transaction's hash; both are copied in groups, too. */
export function typedAddress(typed: string): string {
  return typedWord(typed).replaceAll(' ', '');
}

/** A day as 1990-12-31, with any dash. */
export const typedDay = (typed: string): string => typedWord(typed).replace(/[\u2212\p{Pd}]/gu, '-');

/** Bidi controls, zero-width characters but the joiners, unpaired surrogates, and controls except line breaks. */
const DISGUISES = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}|(?!\n)\p{Cc}/gu;

/**
 * Text that one person writes for others to read, without characters that could rearrange or hide what is around
 * them. Joiners are kept, because Arabic and Hindi need them.
 */
export const cleanText = (written: string): string =>
  written.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(DISGUISES, '');

/** A person's name: in one line, with joiners only inside its words. */
export function typedName(typed: string): string {
  return cleanText(typed)
    .replace(/\s+/gu, ' ')
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?!\p{L})/gu, '')
    .trim();
}

const EMAIL_MAX = 254;
// What may stand before the @ without quotes (RFC 5322 and 6531). Some providers have points side by side.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** A domain as the network knows it: ตัวอย่าง.ไทย is `xn--…`. Null if no mail can go there. */
function hostOf(domain: string): string | null {
  if (domain.length > EMAIL_MAX || !DOMAIN.test(domain)) return null;
  const url = `http://${domain}`;
  if (!URL.canParse(url)) return null;
  const labels = new URL(url).hostname.replace(/\.$/, '').split('.');
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '');
  return isName ? labels.join('.') : null;
}

/**
 * An email address in its one spelling: lower case, and the domain in ASCII. Null for a text to which no mail can go.
 * Whether somebody reads it is proved by the code that is sent there, so nothing narrower is asked for here.
 */
export function typedEmail(typed: string): string | null {
  const text = seenText(typed)
    .replace(/^mailto:/i, '')
    .replace(/^<(.*)>$/, '$1')
    .trim();
  if (text.length > EMAIL_MAX) return null;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  const host = LOCAL.test(local) ? hostOf(text.slice(at + 1)) : null;
  const email = `${local.normalize('NFC').toLowerCase()}@${host}`;
  return host === null || email.length > EMAIL_MAX ? null : email;
}
