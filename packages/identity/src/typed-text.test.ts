import { describe, expect, it, test } from 'vitest';
import {
  cleanText,
  latinDigits,
  seenText,
  typedAddress,
  typedCode,
  typedDay,
  typedName,
  typedNumber,
  typedWord,
} from './index.ts';

/** What clipboards put around a copied text. */
const AROUND = [
  '\u202a,\u202c',
  '\u202d,\u202c',
  '\u200e,',
  '\u2066,\u2069',
  '\ufeff,',
  '\u00a0,\u3000',
  '\u200b,\u200d',
  '\n,\r\n',
  '\t,\u00ad',
];

test.each(AROUND)('nothing of %j around a text is part of it', (around) => {
  const [before = '', after = ''] = around.split(',');
  const wrapped = (text: string) => `${before}${text}${after}`;
  expect(seenText(wrapped('somchai'))).toBe('somchai');
  expect(typedWord(wrapped('somchai'))).toBe('somchai');
  expect(typedNumber(wrapped('+66812345678'))).toBe('+66812345678');
  expect(typedCode(wrapped('123456'))).toBe('123456');
  expect(typedAddress(wrapped('0xab'))).toBe('0xab');
  expect(typedDay(wrapped('1990-12-31'))).toBe('1990-12-31');
  expect(typedName(wrapped('Nicha Phrom'))).toBe('Nicha Phrom');
});

it('accepts digits of every script', () => {
  expect(latinDigits('०१२३ ۴۵۶ ７８９ x')).toBe('0123 456 789 x');
  expect(latinDigits('๐๑๙ ໐໙ ០៩ ၀၉ ০৯ ᪀᪉᪐᪙ 𝟎𝟗𝟘𝟡')).toBe('019 09 09 09 09 0909 0909');
  expect(latinDigits('² ½ ④ Ⅷ 三')).toBe('² ½ ④ Ⅷ 三');
});

test.each([
  ['081-234 5678', '0812345678'],
  ['(081) 234.5678', '0812345678'],
  ['081‑234–5678', '0812345678'],
  ['๐๘๑๒๓๔๕๖๗๘', '0812345678'],
  ['＋６６ ８１ ２３４ ５６７８', '+66812345678'],
  ['tel:+66-81-234-5678', '+66812345678'],
  ['0812345678/9', '0812345678/9'],
  ['0812345678 ต่อ 9', '0812345678ต่อ9'],
])('the number %s is %s', (typed, number) => expect(typedNumber(typed)).toBe(number));

test.each([
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['๑๒๓–๔๕๖', '123456'],
  ['ＡＢ12ｃｄ', 'AB12cd'],
  // Of a proof, a dash is a letter like any other.
  ['a1-b2_c3', 'a1-b2_c3'],
])('the code %s is %s', (typed, code) => expect(typedCode(typed)).toBe(code));

describe('a name', () => {
  it.each([
    ['  Nicha \u00a0 Phrom\n', 'Nicha Phrom'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['\u200cعلی\u200c رضا\u200d', 'علی رضا'],
    ['श्री\u200dकांत', 'श्री\u200dकांत'],
  ])('%j is kept as %j', (typed, name) => expect(typedName(typed)).toBe(name));
});

it('keeps the lines and joiners of a text, and nothing that hides', () => {
  expect(cleanText('a\r\nb\tc\u202e\u200b\u0000d 👨\u200d👩')).toBe('a\nb cd 👨\u200d👩');
});
