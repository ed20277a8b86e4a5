import * as v from 'valibot';
import { expect, it } from 'vitest';
import { remarkText } from './fields.ts';

const schema = remarkText(20);

it.each([
  ['  ราคาไม่ตรง  ', 'ราคาไม่ตรง'],
  ['two\r\nlines,\tparted', 'two\nlines, parted'],
  ['a\u200bb\u2028c\u2060', 'abc'],
  ['\u202etxt.exe\u202c', 'txt.exe'],
  ['a\u2066b\u2069\u200f\ufeff', 'ab'],
  ['bell\u0007 and \u001b[31m', 'bell and [31m'],
  // The same letters spelled with a joiner, and as a single letter.
  ['क्\u200dष', 'क्\u200dष'],
  ['e\u0301', 'é'],
])('keeps %j as %j', (written, kept) => expect(v.parse(schema, written)).toBe(kept));

it.each([
  [' \n ', 'required'],
  ['\u202e\u200f', 'required'],
  ['x'.repeat(21), 'too_long'],
  [undefined, 'required'],
])('refuses %j: %s', (written, code) => {
  expect(v.safeParse(schema, written).issues?.[0].message).toBe(code);
});
