import { expect, test } from 'vitest';
import { latinDigits, phoneNumber } from './phone-number.ts';

test.each([
  ['0812345678', '+66812345678'],
  ['812345678', '+66812345678'],
  ['081-234 5678', '+66812345678'],
  ['(081) 234.5678', '+66812345678'],
  ['๐๘๑๒๓๔๕๖๗๘', '+66812345678'],
  ['٠٨١٢٣٤٥٦٧٨', '+66812345678'],
  ['+66 81 234 5678', '+66812345678'],
  ['0066812345678', '+66812345678'],
  ['+81 90 1234 5678', '+819012345678'],
  ['', ''],
  ['   ', ''],
  ['abc', '+66abc'],
])('%j is sent as %j', (typed, sent) => {
  expect(phoneNumber(typed, '66')).toBe(sent);
});

test('accepts digits of every script', () => {
  expect(latinDigits('०१२३ ۴۵۶ ７８９ x')).toBe('0123 456 789 x');
});
