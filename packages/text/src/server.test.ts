import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './language.ts';
import { fieldFaultText, httpStatusText, refusalText, serverTexts, translate } from './server.ts';

describe('translate', () => {
  test('fills a refusal’s text with its values', () => {
    expect(translate('en', 'refusal.below_minimum', { min: '1.000000' })).toBe('The minimum is 1 USDT.');
    expect(translate('th', 'refusal.below_minimum', { min: '1.000000' })).toBe('จำนวนขั้นต่ำคือ 1 USDT');
  });

  test('a refusal shows its figures in the reader’s digits', () => {
    const limits = { min: '1000.000000' };
    expect(refusalText({ language: 'ar', digits: 'native' }, 'below_minimum', limits)).toBe(
      'الحد الأدنى هو \u2066١٬٠٠٠ USDT\u2069.',
    );
    expect(refusalText({ language: 'ar' }, 'below_minimum', limits)).toBe('الحد الأدنى هو \u20661,000 USDT\u2069.');
    expect(refusalText({ language: 'th', digits: 'native' }, 'login_delayed', { wait: 90 })).toMatch(/[๐-๙]/);
  });

  test('marks the assets of play money once, for those who read of it only', () => {
    const limits = { max: '5', asset: 'vUSDT' };
    const practice = { language: 'en', assetMark: 'v' } as const;
    expect(refusalText(practice, 'below_minimum', { min: '1' })).toBe('The minimum is 1 vUSDT.');
    expect(refusalText(practice, 'exceeds_demo_limit', limits)).toContain(' vUSDT ');
    expect(refusalText({ language: 'en' }, 'below_minimum', { min: '1' })).toBe('The minimum is 1 USDT.');
    expect(refusalText({ ...practice, language: 'ar' }, 'below_minimum', { min: '1' })).toBe(
      'الحد الأدنى هو \u20661 vUSDT\u2069.',
    );
  });

  test('formats every message when its values are given', () => {
    for (const language of LANGUAGES) expect(serverTexts({ language }).presentation.language).toBe(language);
  });

  test('throws for a refusal without a text', () => {
    expect(() => refusalText({ language: 'en' }, 'never_heard_of')).toThrow('no text for the refusal never_heard_of');
  });

  test('a field’s own sentence takes precedence over the general one', () => {
    expect(fieldFaultText('en', 'required', 'phone')).toBe('Please enter your phone number and try again!');
    expect(fieldFaultText('en', 'required', 'direction')).toBe('Please fill in the information and try again!');
    expect(fieldFaultText('en', 'something_new', 'phone')).toBe('This isn’t valid.');
  });

  test('statuses', () => {
    expect(httpStatusText('en', 504)).toBe('Gateway Timeout');
    expect(httpStatusText('th', 299)).toBe('เกิดข้อผิดพลาดที่ไม่ทราบสาเหตุ');
  });
});
