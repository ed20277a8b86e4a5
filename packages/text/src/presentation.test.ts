import { describe, expect, test } from 'vitest';
import { formatDate } from './dates.ts';
import { LANGUAGES, languageOf, localeTagOf, textDirectionOf } from './language.ts';
import { formatAsset, formatMoney, inDisplayCurrency } from './money.ts';
import { formatCompact, formatCount, formatDecimalText, formatPercent } from './numbers.ts';
import { intlTagOf } from './presentation.ts';

const th = { language: 'th' } as const;
const en = { language: 'en' } as const;
const ar = { language: 'ar' } as const;
const hi = { language: 'hi' } as const;

describe('languages', () => {
  test.each([
    ['th', 'th'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh_Hant_TW', 'zh'],
    ['jp', 'jp'],
    ['ja-JP', 'jp'],
    ['EN-gb', 'en'],
    ['ar-EG', 'ar'],
    ['hi', 'hi'],
    ['de', 'th'],
    ['', 'th'],
    [undefined, 'th'],
    ['__proto__', 'th'],
  ])('the header %s is %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  test('only Arabic is written from right to left', () => {
    expect(LANGUAGES.filter((language) => textDirectionOf(language) === 'rtl')).toEqual(['ar']);
  });

  test('tags', () => {
    expect(LANGUAGES.map(localeTagOf)).toEqual(['th-TH', 'en', 'zh-CN', 'ja', 'ar', 'hi']);
    expect(intlTagOf({ language: 'hi', digits: 'native' })).toBe('hi-u-ca-gregory-nu-deva');
    // Chinese texts always use Latin digits.
    expect(intlTagOf({ language: 'zh', digits: 'native' })).toBe('zh-CN-u-ca-gregory-nu-latn');
  });
});

describe('numbers', () => {
  test('every digit of a long amount is kept', () => {
    expect(formatDecimalText('12345678901234567890.12345678901234567890', en)).toBe(
      '12,345,678,901,234,567,890.1234567890123456789',
    );
    expect(formatDecimalText('999999999999999999.999999', th, { minDecimals: 6 })).toBe(
      '999,999,999,999,999,999.999999',
    );
    expect(formatDecimalText('9007199254740993', en)).toBe('9,007,199,254,740,993');
  });

  test('finer digits are cut off, never rounded up', () => {
    expect(formatDecimalText('0.999999', en, { minDecimals: 2, maxDecimals: 2 })).toBe('0.99');
    expect(formatDecimalText('-0.999999', en, { minDecimals: 2, maxDecimals: 2 })).toBe('−0.99');
  });

  test('signs are true minus and plus signs, and zero has none', () => {
    expect(formatDecimalText('1.5', en, { signed: true })).toBe('+1.5');
    expect(formatDecimalText('-1.5', en, { signed: true })).toBe('−1.5');
    expect(formatDecimalText('0', en, { signed: true })).toBe('0');
    expect(formatDecimalText('-0.00', en, { minDecimals: 2 })).toBe('0.00');
  });

  test('digits are Latin unless the customer chooses otherwise, without invisible marks', () => {
    expect(formatDecimalText('-1234.5', ar)).toBe('−1,234.5');
    expect(formatDecimalText('1234.5', { ...ar, digits: 'native' })).toBe('١٬٢٣٤٫٥');
    expect(formatDecimalText('1234567', hi)).toBe('12,34,567');
    expect(formatDecimalText('1234', { ...th, digits: 'native' })).toBe('๑,๒๓๔');
    for (const language of LANGUAGES) {
      for (const digits of ['latin', 'native'] as const) {
        expect(formatPercent('-0.0214', { language, digits }, { signed: true })).not.toMatch(/[\u061c\u200e\u200f]/);
      }
    }
  });

  test('shares become percentages', () => {
    expect(formatPercent('0.0214', en, { minDecimals: 2, maxDecimals: 2, signed: true })).toBe('+2.14%');
    expect(formatPercent('0.78', th)).toBe('78%');
  });

  test('counts and volumes', () => {
    expect(formatCount(1234, en)).toBe('1,234');
    expect(formatCompact('1234567.89', en)).toBe('1.2M');
    expect(formatCompact('1234567.89', th)).toBe('1.2M');
    // A small amount must not be shown as zero.
    expect(formatCompact('0.07666', en)).toBe('0.076');
    expect(formatCompact('0.00000012', th)).toBe('0.00000012');
    expect(formatCompact('0', en)).toBe('0');
  });

  test.each(['', '1e9', 'NaN', '1,000', '٣', '0x10', ' 1', '.5', 'Infinity'])('%j is not a decimal', (text) => {
    expect(() => formatDecimalText(text, en)).toThrow('not a decimal');
  });
});

describe('money', () => {
  const style = { minDecimals: 2, maxDecimals: 2 };
  test('S9.8 the unit stands before the number, but after it for the dong', () => {
    expect(formatMoney('428190.555', '฿', th, style)).toBe('฿428,190.55');
    expect(formatMoney('-5', 'THB', en, style)).toBe('−THB\u00a05.00');
    expect(formatMoney('1204.1', '฿', en, { ...style, signed: true })).toBe('+฿1,204.10');
    expect(formatMoney('250000', '₫', en)).toBe('250,000\u00a0₫');
  });

  test('an asset’s code stands after the number', () => {
    expect(formatAsset('12.5', 'USDT', { ...en, assetMark: 'v' }, style)).toBe('12.50\u00a0vUSDT');
    expect(formatAsset('12.5', 'USDT', en, style)).toBe('12.50\u00a0USDT');
  });

  test.each([
    ['12140.720000', '35.27', '428203.19440000'],
    ['0', '35.27', '0.00'],
    ['-1.5', '2', '-3.0'],
    ['0.000001', '0.1', '0.0000001'],
    ['99999999999999999999', '99999999999999999999', '9999999999999999999800000000000000000001'],
  ])('%s USDT at %s is %s', (usdt, rate, amount) => {
    expect(inDisplayCurrency(usdt, rate)).toBe(amount);
  });
});

describe('dates', () => {
  const moment = '2026-11-21T07:05:09.000Z';
  const zone = 'Asia/Bangkok';
  test('Thai dates have the Buddhist year, unless the customer chooses otherwise', () => {
    expect(formatDate(moment, 'dateTime', th, zone)).toBe('21 พ.ย. 2569 14:05');
    expect(formatDate(moment, 'dateTime', { ...th, calendar: 'gregorian' }, zone)).toBe('21 พ.ย. 2026 14:05');
  });

  test('other languages are Gregorian, in Latin digits, on a 24-hour clock', () => {
    expect(formatDate(moment, 'seconds', en, zone)).toBe('14:05:09');
    expect(formatDate(moment, 'date', ar, zone)).toBe('21 نوفمبر 2026');
    expect(formatDate(moment, 'date', { language: 'jp' }, zone)).toBe('2026年11月21日');
    expect(formatDate('2026-11-20T17:00:00Z', 'time', en, zone)).toBe('00:00');
  });
});
