import { formatDecimal, parseDecimal } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountAfterDeleting, parseTypedAmount, shareOfAmount } from './amount-text.ts';

describe('an amount as typed', () => {
  test.each([
    ['100', '100'],
    ['0.5', '0.5'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['12,5', '12.5'],
    ['007', '7'],
    ['1,000.50', '1000.50'],
    ['6,000', '6000'],
    ['1,234,567', '1234567'],
    ['1,234,567.5', '1234567.5'],
    ['12,34,567', '1234567'],
    ['1,00,000.25', '100000.25'],
    ['６，０００', '6000'],
    ['٦،٠٠٠', '6000'],
    // A thousands separator cannot be at the comma's place.
    ['1,5', '1.5'],
    ['0,25', '0.25'],
    ['0,250', '0.250'],
    ['12,3456', '12.3456'],
    ['1234,567', '1234.567'],
    ['1 234,567', '1234.567'],
    ['1’234’567.5', '1234567.5'],
    // Trailing zeros beyond the scale are dropped.
    ['1.50000000', '1.500000'],
    ['1,234.0000000', '1234.000000'],
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
    expect(parseTypedAmount(typed, 6)).toMatchObject({ value });
  });

  test.each([
    ['-1', 'malformed'],
    ['+5', 'malformed'],
    ['1e9', 'malformed'],
    ['0x10', 'malformed'],
    ['NaN', 'malformed'],
    ['1.2.3,4,5', 'malformed'],
    ['1..2', 'malformed'],
    ['1,,2', 'malformed'],
    ['1,2,3', 'malformed'],
    ['1,234,5', 'malformed'],
    ['1,2345,678', 'malformed'],
    ['0,123,456', 'malformed'],
    ['1.000,50', 'malformed'],
    ['1.234.567', 'malformed'],
    ['1,23.4', 'malformed'],
    ['1٬5', 'malformed'],
    ['1 5', 'malformed'],
    ['1,234٬567', 'malformed'],
    ['0.1234567', 'too_fine'],
    ['1234567890123456789', 'too_long'],
  ])('%s is refused: %s', (typed, fault) => {
    expect(parseTypedAmount(typed, 6)).toMatchObject({ fault });
  });

  test('an empty field is neither an amount nor a fault', () => {
    expect(parseTypedAmount('', 6)).toEqual({ text: '', value: undefined });
  });

  test.each([
    ['100.0', 0, '100'],
    ['0.160000', 5, '0.16000'],
    ['0,160000', 5, '0.16000'],
  ])('zeros beyond the scale are dropped: %s at %i is %s', (typed, scale, value) => {
    expect(parseTypedAmount(typed, scale)).toMatchObject({ value });
  });

  test('a faulty amount stays as typed', () => {
    expect(parseTypedAmount('1..2', 6)).toEqual({ text: '1..2', fault: 'malformed' });
    expect(parseTypedAmount('1,2,3', 6)).toEqual({ text: '1,2,3', fault: 'malformed' });
  });

  test('decides after each digit again what a comma means', () => {
    const typed = ['1', '1,', '1,2', '1,23', '1,234', '1,2345'].map((text) => parseTypedAmount(text, 6));
    expect(typed.map(({ value }) => value)).toEqual(['1', '1', '1.2', '1.23', '1234', '1.2345']);
    expect(typed.map(({ text }) => text)).toEqual(['1', '1,', '1,2', '1,23', '1,234', '1,2345']);
  });

  test('the formatted text has the same value as the typed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,٫٬٣ ') }), (typed) => {
        const read = parseTypedAmount(typed, 6);
        expect(parseTypedAmount(read.text, 6)).toEqual(read);
      }),
    );
  });

  test('figures in our own format parse to the same value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom('en-US', 'en-IN', 'ar-u-nu-arab', 'hi-u-nu-deva', 'th-u-nu-thai'),
        (units, tag) => {
          const text = formatDecimal(units, 3);
          const written = new Intl.NumberFormat(tag, { minimumFractionDigits: 3 }).format(text as `${number}`);
          expect(parseTypedAmount(written, 3)).toMatchObject({ value: text });
        },
      ),
    );
  });

  test('every accepted amount has the wire’s format', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789.,٫٬٣๓۳३３ ') }),
        fc.integer({ min: 0, max: 8 }),
        (typed, scale) => {
          const { value } = parseTypedAmount(typed, scale);
          if (value !== undefined) expect(parseDecimal(value, scale)).toBeDefined();
        },
      ),
    );
  });
});

test.each([
  // The comma separates thousands, and the remaining groups are complete.
  ['6,000', '6,00', '600'],
  ['1,234,567', '1,234,56', '123456'],
  ['1,234.50', '1,234.5', '1234.5'],
  ['1,234.5', '1,34.5', '134.5'],
  ['٦٬٠٠٠', '٦٬٠٠', '600'],
  // The comma is a decimal sign and stays one.
  ['1,2345', '1,234', '1.234'],
  ['12,5', '12,', '12.'],
  // There is no separator to keep.
  ['600', '60', '60'],
  ['6.000', '6.00', '6.00'],
  ['6,000', '', ''],
  ['1,23', '1,234', '1,234'],
  ['1,,2', '1,2', '1,2'],
  // The text is pasted over the old one, so it is read on its own.
  ['6,000', '1,5', '1,5'],
  ['6,000', '6,5', '6,5'],
])('deleting turns %s with %s left into %s', (before, after, expected) => {
  expect(amountAfterDeleting(before, after)).toBe(expected);
});

describe('a share of the available balance', () => {
  test.each([
    ['2318.400000', 25, '579.6'],
    ['2318.400000', 100, '2318.4'],
    ['0.000001', 50, '0'],
    ['10.000003', 75, '7.500002'],
  ])('%s × %i%% is %s', (available, percent, expected) => {
    expect(shareOfAmount(available, percent, 6)).toBe(expected);
  });
});
