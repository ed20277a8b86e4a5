import { describe, expect, test } from 'vitest';
import { compileCatalogue } from './catalogue-files.ts';
import { fieldFaultKey, httpStatusKey } from './fault-key.ts';
import { type CompiledCatalogue, openTexts } from './texts.ts';

const arabic = compileCatalogue({
  days: '{days, plural, zero {لا أيام} one {يوم واحد} two {يومان} few {# أيام} many {# يومًا} other {# يوم}}',
});

describe('textsOf', () => {
  test.each([
    [0, 'لا أيام'],
    [1, 'يوم واحد'],
    [2, 'يومان'],
    [5, '5 أيام'],
    [11, '11 يومًا'],
    [100, '100 يوم'],
  ])('counts %i in Arabic', (days, text) => {
    expect(openTexts(arabic, { language: 'ar' }).text('days', { days })).toBe(text);
  });

  test('counts in the chosen digits', () => {
    expect(openTexts(arabic, { language: 'ar', digits: 'native' }).text('days', { days: 11 })).toBe('١١ يومًا');
  });

  test('an exact count takes precedence over a plural form, an offset is subtracted, and plurals nest', () => {
    const { text } = openTexts(
      compileCatalogue({
        left: '{n, plural, =0 {none} one {# try} other {# tries}}',
        others: '{n, plural, offset:1 =1 {you} one {you and # other} other {you and # others}}',
        nested: '{a, plural, one {# coin, {b, plural, one {# order} other {# orders}}} other {# coins}}',
        written: "a # and a {n, plural, other {#}} '{n}'",
      }),
      { language: 'en' },
    );
    expect([0, 1, 2].map((n) => text('left', { n }))).toEqual(['none', '1 try', '2 tries']);
    expect([1, 2, 3].map((n) => text('others', { n }))).toEqual(['you', 'you and 1 other', 'you and 2 others']);
    expect(text('nested', { a: 1, b: 1234 })).toBe('1 coin, 1,234 orders');
    expect(text('written', { n: 3 })).toBe('a # and a 3 {n}');
  });

  test('a message that uses more of ICU than values and plurals does not compile', () => {
    for (const message of ['{sex, select, female {her} other {them}}', '{n, number}', '{n, plural, other {{d, date}}}'])
      expect(() => compileCatalogue({ message })).toThrow('message is not an ICU message of values and plurals');
  });

  test('a wait in seconds is shown as a duration', () => {
    const texts = openTexts(compileCatalogue({ wait: 'อีก {wait}' }), { language: 'th' });
    expect(texts.text('wait', { wait: '60' })).toBe('อีก 60 วินาที');
    expect(texts.text('wait', { wait: 121 })).toBe('อีก 3 นาที');
    expect(texts.text('wait', { wait: 7200 })).toBe('อีก 2 ชั่วโมง');
    expect(texts.text('wait', { wait: 172_800 })).toBe('อีก 2 วัน');
  });

  test('limits from the wire get separators and lose trailing zeros', () => {
    const { text } = openTexts(compileCatalogue({ limit: 'ไม่เกิน {max} USDT' }), { language: 'th' });
    expect(text('limit', { max: '10000.000000' })).toBe('ไม่เกิน 10,000 USDT');
    expect(text('limit', { max: '0.500000' })).toBe('ไม่เกิน 0.5 USDT');
  });

  test('a value in a right-to-left sentence is isolated on screens', () => {
    const limits = compileCatalogue({ limits: 'من {min} إلى {max}' });
    const values = { min: '1 USDT', max: '10 USDT' };
    const onScreens = openTexts(limits, { language: 'ar' }, { isolates: true });
    expect(onScreens.text('limits', values)).toBe('من \u20681 USDT\u2069 إلى \u206810 USDT\u2069');
    expect(openTexts(limits, { language: 'ar' }).text('limits', values)).toBe('من 1 USDT إلى 10 USDT');
    expect(openTexts(limits, { language: 'th' }, { isolates: true }).text('limits', values)).toBe(
      'من 1 USDT إلى 10 USDT',
    );
  });

  test('a number stays before its unit in a right-to-left sentence', () => {
    const texts = compileCatalogue({ max: 'الحد {amount} USDT', level: 'حتى VIP {level}' });
    const { text } = openTexts(texts, { language: 'ar' }, { isolates: true });
    expect(text('max', { amount: '1,000.50' })).toBe('الحد \u2066\u20681,000.50\u2069 USDT\u2069');
    expect(text('level', { level: '2' })).toBe('حتى \u2066VIP \u20682\u2069\u2069');
  });

  test('an unknown key throws', () => {
    expect(() => openTexts({}, { language: 'th' }).text('nowhere')).toThrow('no text for nowhere in th');
    expect(() => openTexts({}, { language: 'th' }).text('toString')).toThrow('no text');
  });

  test('a placeholder without its value throws, also in a nested choice', () => {
    const catalogue: CompiledCatalogue = compileCatalogue({
      plain: 'ขั้นต่ำ {min}',
      nested: '{count, plural, other {{name} #}}',
    });
    const { text } = openTexts(catalogue, { language: 'th' });
    expect(() => text('plain')).toThrow('needs a value for min');
    expect(() => text('nested', { count: 2 })).toThrow('needs a value for name');
    expect(text('nested', { count: 2, name: 'ก' })).toBe('ก 2');
  });

  test('a value is never parsed as a message', () => {
    const { text } = openTexts(compileCatalogue({ hello: 'สวัสดี {name}' }), { language: 'th' });
    expect(text('hello', { name: '{count} <b>#' })).toBe('สวัสดี {count} <b>#');
  });
});

describe('keys of faults', () => {
  const catalogue: Record<string, true> = {
    'field.required': true,
    'field.required.phone': true,
    'field.malformed': true,
    'http.404': true,
    UNKNOWN_ERROR: true,
  };
  const has = (key: string): key is string => Object.hasOwn(catalogue, key);

  test.each([
    ['required', 'phone', 'field.required.phone'],
    ['required', 'email', 'field.required'],
    ['unheard_of', 'email', 'field.malformed'],
  ])('%s of %s', (fault, field, key) => {
    expect(fieldFaultKey(has, fault, field)).toBe(key);
  });

  test('returns the key of a known status, and the general one for any other', () => {
    expect(httpStatusKey(has, 404)).toBe('http.404');
    expect(httpStatusKey(has, 418)).toBe('UNKNOWN_ERROR');
  });
});
