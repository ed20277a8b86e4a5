import { describe, expect, it, test } from 'vitest';
import {
  cleanText,
  normaliseAddress,
  normaliseCode,
  normaliseDay,
  normaliseEmail,
  normaliseName,
  normaliseNumber,
  normaliseText,
  normaliseWord,
  toLatinDigits,
} from './index.ts';

/** Invisible characters that clipboards put around a copied text. */
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

test.each(AROUND)('removes %j around a text', (around) => {
  const [before = '', after = ''] = around.split(',');
  const wrapped = (text: string) => `${before}${text}${after}`;
  expect(normaliseText(wrapped('somchai'))).toBe('somchai');
  expect(normaliseWord(wrapped('somchai'))).toBe('somchai');
  expect(normaliseNumber(wrapped('+66812345678'))).toBe('+66812345678');
  expect(normaliseCode(wrapped('123456'))).toBe('123456');
  expect(normaliseAddress(wrapped('0xab'))).toBe('0xab');
  expect(normaliseDay(wrapped('1990-12-31'))).toBe('1990-12-31');
  expect(normaliseEmail(wrapped('a@example.com'))).toBe('a@example.com');
  expect(normaliseName(wrapped('Nicha Phrom'))).toBe('Nicha Phrom');
});

it('accepts digits of every script', () => {
  expect(toLatinDigits('०१२३ ۴۵۶ ７８９ x')).toBe('0123 456 789 x');
  expect(toLatinDigits('๐๑๙ ໐໙ ០៩ ၀၉ ০৯ ᪀᪉᪐᪙ 𝟎𝟗𝟘𝟡')).toBe('019 09 09 09 09 0909 0909');
  expect(toLatinDigits('² ½ ④ Ⅷ 三')).toBe('² ½ ④ Ⅷ 三');
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
])('the number %s is %s', (typed, number) => expect(normaliseNumber(typed)).toBe(number));

test.each([
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['๑๒๓–๔๕๖', '123456'],
  ['ＡＢ12ｃｄ', 'AB12cd'],
  // In the code of a proof, a dash between letters is part of the code.
  ['a1-b2_c3', 'a1-b2_c3'],
])('the code %s is %s', (typed, code) => expect(normaliseCode(typed)).toBe(code));

test.each([
  ['somchai@ตัวอย่าง.ไทย', 'somchai@xn--72c1a1bt4awk9o.xn--o3cw4h'],
  ['somchai@xn--72c1a1bt4awk9o.xn--o3cw4h', 'somchai@xn--72c1a1bt4awk9o.xn--o3cw4h'],
  ['Mali@EXAMPLE.org', 'mali@example.org'],
  ['mali＠example．org', 'mali@example.org'],
  ['mali@example。org', 'mali@example.org'],
  ['mailto:mali@example.org', 'mali@example.org'],
  ['<mali@example.org>', 'mali@example.org'],
  ["o'neil+x@mail.example.museum", "o'neil+x@mail.example.museum"],
  ['a..b.@docomo.ne.jp', 'a..b.@docomo.ne.jp'],
  ['a!#$%&*/=?^_`{|}~@example.com', 'a!#$%&*/=?^_`{|}~@example.com'],
  ['สมชาย@ตัวอย่าง.ไทย', 'สมชาย@xn--72c1a1bt4awk9o.xn--o3cw4h'],
  ['a@b--c.example', 'a@b--c.example'],
  ['a@1.example', 'a@1.example'],
  ['a@example.org.', 'a@example.org'],
])('the email %s is %s', (typed, email) => {
  expect(normaliseEmail(typed)).toBe(email);
  expect(normaliseEmail(email)).toBe(email);
});

test.each([
  '',
  '@',
  'mali',
  'mali@',
  '@example.org',
  'mali@localhost',
  'mali@127.0.0.1',
  'mali@[127.0.0.1]',
  'mali@1.2',
  'mali@example.org:25',
  'mali@example.org/x',
  'mali@-a.example',
  'mali@a-.example',
  'mali@a..example',
  'mali@a_b.example',
  'mali@%61.example',
  'ma li@example.org',
  'a@b@example.org',
  'a,b@example.org',
  'a;b@example.org',
  'a:b@example.org',
  '"a"@example.org',
  'Mali <mali@example.org>',
  `${'a'.repeat(65)}@example.org`,
  `a@${'b.'.repeat(130)}example`,
])('no mail goes to %j', (typed) => expect(normaliseEmail(typed)).toBeNull());

describe('a name', () => {
  it.each([
    ['  Nicha \u00a0 Phrom\n', 'Nicha Phrom'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['\u200cعلی\u200c رضا\u200d', 'علی رضا'],
    ['श्री\u200dकांत', 'श्री\u200dकांत'],
  ])('%j is kept as %j', (typed, name) => expect(normaliseName(typed)).toBe(name));
});

it('keeps a text’s lines and joiners, and removes invisible characters', () => {
  expect(cleanText('a\r\nb\tc\u202e\u200b\u0000d 👨\u200d👩')).toBe('a\nb cd 👨\u200d👩');
});
