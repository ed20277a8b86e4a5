import { parseDecimal } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAmount, shareOfAmount } from './amount-text.ts';

describe('an amount as typed', () => {
  test.each([
    ['100', '100'],
    ['0.5', '0.5'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['12,5', '12.5'],
    ['007', '7'],
    ['1,000.50', '1000.50'],
    ['1.000,50', '1000.50'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1 000.5', '1000.5'],
    ['๑๒๓.๔๕', '123.45'],
    ['١٢٣٫٤٥', '123.45'],
    ['١٬٢٣٤٫٥', '1234.5'],
    ['۱۲۳', '123'],
    ['१२३.५', '123.5'],
    ['１２３．５', '123.5'],
    ['\u200e42\u200f', '42'],
    ['5.', '5'],
  ])('%s is %s', (typed, value) => {
    expect(readAmount(typed, 6)).toMatchObject({ value });
  });

  test.each([
    ['-1', 'malformed'],
    ['+5', 'malformed'],
    ['1e9', 'malformed'],
    ['0x10', 'malformed'],
    ['NaN', 'malformed'],
    ['1.2.3,4,5', 'malformed'],
    ['0.1234567', 'too_fine'],
    ['1234567890123456789', 'too_long'],
  ])('%s is refused: %s', (typed, fault) => {
    expect(readAmount(typed, 6)).toMatchObject({ fault });
  });

  test('an empty field is neither an amount nor a fault', () => {
    expect(readAmount('', 6)).toEqual({ text: '', value: undefined });
  });

  test('keeps the point while it is typed', () => {
    expect(readAmount('5,', 6)).toEqual({ text: '5.', value: '5' });
  });

  test('whatever is accepted is in the grammar of the wire', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789.,٫٬٣๓۳३３ ') }),
        fc.integer({ min: 0, max: 8 }),
        (typed, scale) => {
          const { value } = readAmount(typed, scale);
          if (value !== undefined) expect(parseDecimal(value, scale)).toBeDefined();
        },
      ),
    );
  });
});

describe('a share of what is available', () => {
  test.each([
    ['2318.400000', 25, '579.6'],
    ['2318.400000', 100, '2318.4'],
    ['0.000001', 50, '0'],
    ['10.000003', 75, '7.500002'],
  ])('%s × %i%% is %s', (available, percent, expected) => {
    expect(shareOfAmount(available, percent, 6)).toBe(expected);
  });
});
