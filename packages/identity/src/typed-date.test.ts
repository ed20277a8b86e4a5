import { expect, test } from 'vitest';
import { toCommonEra } from './common-era.ts';
import { dayOfTypedDate, typedDateOfDay } from './typed-date.ts';

test.each([
  ['23', '11', '2533', '1990-11-23'],
  ['23', '11', '1990', '1990-11-23'],
  ['3', '1', '2570', '2027-01-03'],
  ['29', '2', '2543', '2000-02-29'],
  ['29', '2', '2533', null],
  ['31', '4', '1990', null],
  ['0', '1', '1990', null],
  ['23', '13', '1990', null],
  ['23', '11', '33', null],
  ['23', '11', '02533', null],
  ['', '11', '2533', null],
  ['23', '', '2533', null],
  ['2x', '11', '2533', null],
])('%s/%s/%s is %s', (day, month, year, expected) => {
  expect(dayOfTypedDate({ day, month, year })).toBe(expected);
});

test.each([
  ['2560-05-05', '2017-05-05'],
  ['2543-02-29', '2000-02-29'],
  ['2026-05-05', '2026-05-05'],
  ['2399-01-01', '2399-01-01'],
  ['2569-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['2560', '2560'],
  ['5 May 2560', '5 May 2560'],
])('%s is written %s in our era', (text, expected) => {
  expect(toCommonEra(text)).toBe(expected);
});

test('returns the parts of a day as typed, in either era', () => {
  expect(typedDateOfDay('1990-11-03', true)).toEqual({ day: '3', month: '11', year: '2533' });
  expect(typedDateOfDay('1990-11-03', false)).toEqual({ day: '3', month: '11', year: '1990' });
  for (const isBuddhist of [true, false])
    expect(dayOfTypedDate(typedDateOfDay('2000-02-29', isBuddhist))).toBe('2000-02-29');
  expect(typedDateOfDay('', true)).toEqual({ day: '', month: '', year: '' });
});
