import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseForm } from './parse-form.ts';

const known = new Set(['amount', 'code', 'ids', '__proto__', 'a b']);

describe('F3 parseForm', () => {
  it.each<[string, Record<string, string>, Record<string, string> | null]>([
    ['', {}, null],
    ['amount=1&code=BTC', { amount: '1', code: 'BTC' }, null],
    ['amount=&code', { amount: '', code: '' }, null],
    ['amount=a+b%20c%2B', { amount: 'a b c+' }, null],
    ['a+b=1', { 'a b': '1' }, null],
    ['amount=1=2', { amount: '1=2' }, null],
    ['&&amount=1&&', { amount: '1' }, null],
    ['other=1&amount[]=2&amount[0]=3&Amount=4', {}, null],
    ['amount=1&amount=9', { amount: '9' }, { amount: 'duplicate' }],
    ['amount=1&am%6Funt=9', { amount: '9' }, { amount: 'duplicate' }],
    ['other=1&other=2', {}, null],
    ['amount=%zz', { amount: '' }, { amount: 'malformed' }],
    ['amount=%C3', { amount: '' }, { amount: 'malformed' }],
    ['amount=%ED%A0%80', { amount: '' }, { amount: 'malformed' }],
    ['amount=1%00', { amount: '1\0' }, { amount: 'malformed' }],
    ['%zz=1&amount=1', { amount: '1' }, null],
    ['=1&amount=2', { amount: '2' }, null],
  ])('reads %j', (text, fields, faults) => {
    const form = parseForm(text, known);
    expect({ ...form.fields }).toEqual(fields);
    expect(form.faults === null ? null : { ...form.faults }).toEqual(faults);
  });

  it('treats __proto__ like any other field', () => {
    const { fields } = parseForm('__proto__=x', known);
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('parses whatever URLSearchParams writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        fc.pre(value.isWellFormed() && !value.includes('\0'));
        const form = parseForm(new URLSearchParams({ amount: value, x: value }).toString(), known);
        expect(form.fields.amount).toBe(value);
        expect(form.faults).toBeNull();
      }),
    );
  });

  it('never throws, for any input', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (text) => void parseForm(text, known)));
  });
});
