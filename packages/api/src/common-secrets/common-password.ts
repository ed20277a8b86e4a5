import { isCommonPin } from './common-pin.ts';
import { COMMON_WORDS } from './common-words.ts';
import { isKeyboardWalk } from './keyboard-walk.ts';

const WORDS = new Set(COMMON_WORDS.split(/\s+/).filter((word) => word !== ''));

/** A listed word of at least this length may stand alone or with a few digits around it. */
const PLAIN_WORD_MIN = 3;
/** From this length on, a word with four digits beside it is also easy to guess. */
const WORD_MIN = 4;
const LOOSE_DIGITS_MAX = 4;
const DISTINCT_MIN = 4;
/** Shorter words are too common to identify a person. */
const OWN_WORD_MIN = 4;
const OWN_DIGITS_MIN = 6;

const LEET: readonly Readonly<Record<string, string>>[] = [
  { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
  { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '6': 'b', '7': 't', '9': 'g' },
];
const unleet = (text: string): string[] =>
  LEET.map((letters) => text.replace(/[0-9]/g, (digit) => letters[digit] ?? digit));

const isYear = (digits: string): boolean => /^(?:19[3-9][0-9]|20[0-4][0-9]|2(?:4[7-9]|5[0-8])[0-9])$/.test(digits);
const isPlainDigits = (digits: string): boolean =>
  digits.length <= 2 ||
  new Set(digits).size === 1 ||
  isYear(digits) ||
  isKeyboardWalk(digits) ||
  (digits.length === 6 && isCommonPin(digits, { phone: null }));

const isWord = (word: string): boolean =>
  WORDS.has(word) ||
  (word.length % 2 === 0 && word.slice(word.length / 2).repeat(2) === word && WORDS.has(word.slice(word.length / 2)));

/** True for a listed word, possibly with digits in place of letters, and with digits before or after it. */
function isDecoratedWord(password: string): boolean {
  const [, before = '', core = '', after = ''] = /^([0-9]*)(.*?)([0-9]*)$/.exec(password) ?? [];
  const candidates = [
    { word: core, digits: before + after },
    // A digit at the edge may be part of the word: 5unshine, drag0n1.
    ...unleet(password).map((word) => ({ word, digits: '' })),
    ...unleet(before + core).map((word) => ({ word, digits: after })),
    ...unleet(core + after).map((word) => ({ word, digits: before })),
    ...unleet(core).map((word) => ({ word, digits: before + after })),
  ];
  return candidates.some(({ word, digits }) => {
    if (word.length < PLAIN_WORD_MIN || !isWord(word)) return false;
    return isPlainDigits(digits) || (word.length >= WORD_MIN && digits.length <= LOOSE_DIGITS_MAX);
  });
}

/** True if one piece is repeated: abcabc, 12121212, x9x9x9. The last repetition may be cut short. */
function isRepeated(password: string): boolean {
  return [1, 2, 3, 4].some((size) => {
    const piece = password.slice(0, size);
    return (
      password.length >= size * 2 &&
      piece.repeat(Math.ceil(password.length / size)).slice(0, password.length) === password
    );
  });
}

/** True if two keyboard walks alternate: q1w2e3, a1b2c3. */
function isBraided(password: string): boolean {
  const strand = (offset: number): string =>
    Array.from(password)
      .filter((_, i) => i % 2 === offset)
      .join('');
  return isKeyboardWalk(strand(0)) && isKeyboardWalk(strand(1));
}

function isDate(digits: string): boolean {
  if (!/^[0-9]{6}([0-9]{2})?$/.test(digits)) return false;
  if (digits.length === 6) return isCommonPin(digits, { phone: null });
  const [start, end] = [digits.slice(0, 4), digits.slice(4)];
  const isDay = (text: string): boolean =>
    /^(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])$/.test(text) ||
    /^(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$/.test(text);
  return (isYear(start) && isDay(end)) || (isYear(end) && isDay(start));
}

interface PasswordContext {
  readonly username: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly brand: string;
}

function ownWords({ username, email, brand }: PasswordContext): string[] {
  const [local = '', domain = ''] = (email ?? '').split('@');
  return [username, local, ...local.split(/[^a-z0-9]+/i), domain.split('.')[0] ?? '', brand, `${brand}app`]
    .map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .filter((word) => word.length >= OWN_WORD_MIN);
}

/** True if the password contains something that an attacker knows: the customer's name, email or phone, or our name. */
function isAboutOwner(password: string, context: PasswordContext): boolean {
  const forms = [password, ...unleet(password)];
  const mirrored = forms.map((form) => Array.from(form).reverse().join(''));
  if (ownWords(context).some((word) => [...forms, ...mirrored].some((form) => form.includes(word)))) return true;
  // The whole password may also be contained in the name.
  if (ownWords(context).some((word) => word.includes(password))) return true;
  const [digits = ''] = new RegExp(`[0-9]{${OWN_DIGITS_MIN},}`).exec(password) ?? [];
  const phone = context.phone?.replace('+', '') ?? '';
  return digits !== '' && phone !== '' && (phone.includes(digits) || digits.includes(phone.slice(-OWN_DIGITS_MIN)));
}

/**
 * True for passwords among an attacker's first few thousand guesses. The policy allows short passwords (6 to 12 letters
 * or digits), so this list and these rules matter. Letter case is ignored, because attackers guess `Dragon` right after
 * `dragon`.
 */
export function isCommonPassword(password: string, context: PasswordContext | null): boolean {
  const plain = password.toLowerCase();
  return (
    WORDS.has(plain) ||
    WORDS.has(Array.from(plain).reverse().join('')) ||
    new Set(plain).size < DISTINCT_MIN ||
    isRepeated(plain) ||
    isKeyboardWalk(plain) ||
    isBraided(plain) ||
    isDate(plain) ||
    isDecoratedWord(plain) ||
    (context !== null && isAboutOwner(plain, context))
  );
}

/** Exported for the test that fixes the list's size. */
export const COMMON_PASSWORDS: ReadonlySet<string> = WORDS;
