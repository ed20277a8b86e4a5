/**
 * Titles that end at the end of a word, with or without a point: "Mr" does not match Mridula. Honorifics that are also
 * common given names, such as Sri, Kumari and السيد, are left out.
 */
const ENDED =
  /^(?:mr|mrs|ms|miss|mx|mstr|master|dr|prof|mdm|madam|smt|श्रीमती|श्री|सुश्री|डॉ|السيدة|الآنسة|น\.?ส|ด\.?ช|ด\.?ญ|ม\.?ล|ม\.ร\.ว|ดร|ผศ|รศ|นพ|พญ)(?:\.\s*|\s+)(?=\p{L})/u;
/** Titles in scripts without spaces: the letters after one may belong to a longer title or to the name. */
const UNSPACED = [
  'นางสาว',
  'นาง',
  'นาย',
  'เด็กชาย',
  'เด็กหญิง',
  'ນາງສາວ',
  'ນາງ',
  'ທ້າວ',
  'លោកស្រី',
  'អ្នកស្រី',
  'លោក',
  'កញ្ញា',
].map((title) => title.normalize('NFKC'));
/** No word begins with a mark or one of the vowels that follow a consonant: นางาม is not นาง and าม. */
const BEGINS_WORD = /^(?![ะาำๅๆະາຳ])\p{L}/u;

/** Characters that join two parts of one name. Banks leave them out or print a space. */
const JOINTS = /[\u200c-\u200d\u2010-\u2013/-]/gu;
const MARKS = /[.,'’‘ʼʻ`´·・･•@་׳״\u0640]/gu;
/** Letters that keyboards type in several ways, each mapped to one form. */
const KEYBOARDS: readonly (readonly [RegExp, string])[] = [
  [/เเ/gu, 'แ'],
  [/ํ([่-๋])/gu, '$1ํ'],
  [/ی/gu, 'ي'],
  [/ک/gu, 'ك'],
  [/i\u0307/gu, 'i'],
  // The stroke is part of these Latin letters, so normalisation does not remove it.
  [/ø/gu, 'o'],
  [/ł/gu, 'l'],
  [/[đð]/gu, 'd'],
  [/ħ/gu, 'h'],
  [/ŧ/gu, 't'],
  [/ı/gu, 'i'],
];

const spaced = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/**
 * Latin letters without their diacritics, which banks leave out: José is printed as JOSE. In other scripts a mark makes
 * another letter, vowel or tone.
 */
const withoutDiacritics = (text: string): string =>
  text.replace(/\p{Script=Latin}\p{M}*/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));

/** Returns the name with one case and spelling per letter. Upper case is first, because banks print ß as SS. */
const folded = (name: string): string =>
  KEYBOARDS.reduce(
    (text, [from, to]) => text.replace(from, to),
    withoutDiacritics(spaced(name.normalize('NFKC').toUpperCase().toLowerCase())),
  );

const isTwoWords = (text: string): boolean => /\p{L}.* .*\p{L}/u.test(text);

/** Returns the name without its title. Several results mean that it is unclear where the title ends. */
function withoutTitle(name: string): string[] {
  const ended = name.replace(ENDED, '');
  if (ended !== name) return [ended];
  return UNSPACED.filter((title) => name.startsWith(title))
    .map((title) => name.slice(title.length).trim())
    .filter((rest) => BEGINS_WORD.test(rest));
}

const hasEndedTitle = (name: string): boolean =>
  ENDED.test(name) || UNSPACED.some((title) => name.startsWith(`${title} `));

interface Readings {
  /** The whole name, without a title that is certain. */
  readonly full: string;
  /** The name if its beginning is an uncertain title, and the name with spaces where its parts are joined. */
  readonly others: readonly string[];
}

function readingsOf(name: string): Readings {
  let text = folded(name);
  // A title is certain if its word ends there and at least two words remain.
  for (;;) {
    const rest = withoutTitle(text).at(0);
    if (rest === undefined || !hasEndedTitle(text) || !isTwoWords(rest)) break;
    text = rest;
  }
  const untitled = [text, ...withoutTitle(text)];
  const plain = (reading: string, joint: string) => spaced(reading.replace(JOINTS, joint).replace(MARKS, ''));
  const [full = '', ...others] = [...untitled.map((one) => plain(one, '')), ...untitled.map((one) => plain(one, ' '))];
  return { full, others };
}

/**
 * True if two spellings can be the same person's name. The order of the parts matters; title, case, joiners and spaces
 * do not. An uncertain reading is compared only with the other's whole name: two names that become equal only after
 * both have lost their beginnings belong to two people.
 */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [readingsOf(one), readingsOf(other)];
  if (a.full === '' || b.full === '') return false;
  return a.full === b.full || a.others.includes(b.full) || b.others.includes(a.full);
}

/**
 * True for a full name as in a document: at least two letters, and only characters that names contain, such as joiners
 * (श्री‍कांत, علی‌رضا), the stroke of A/L and S/O, the points of 买买提·艾力 and the @ of an alias.
 */
export function isPersonName(name: string): boolean {
  return (
    /^['’‘]?[\p{L}\p{M}][\p{L}\p{M}\p{Nl}\u200c-\u200d .,'’‘`´·・･•@་׳״/\u2010-\u2013-]*$/u.test(name) &&
    (name.match(/\p{L}/gu)?.length ?? 0) >= 2
  );
}
