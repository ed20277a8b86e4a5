import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Canonical, canonicalText, parseCanonical, parseUniqueJson } from './canonical.ts';

const values = fc.letrec<{ value: Canonical }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('canonical', () => {
  test.each<[Canonical, string]>([
    ['a"\\\n\u0001é€', '"a\\"\\\\\\n\\u0001é€"'],
    [{ b: '1', a: [true, null], A: {} }, '{"A":{},"a":[true,null],"b":"1"}'],
    // Sorted by UTF-16 code units, as in the RFC's example: the emoji (a surrogate pair) sorts before U+FB33.
    [{ '\ufb33': 'x', '\u{1f600}': 'y', '1': 'z', '\r': 'w' }, '{"\\r":"w","1":"z","😀":"y","\ufb33":"x"}'],
  ])('%j is written %s', (value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  test('each character is quoted as JSON does', () => {
    const characters = Array.from({ length: 0x300 }, (_, code) => `a${String.fromCharCode(code)}`);
    for (const text of characters) expect(canonicalText(text)).toBe(JSON.stringify(text));
  });

  test.each([
    [1],
    [1n],
    [undefined],
    [Number.NaN],
    [new Date(0)],
    [() => 1],
    [{ a: 1 }],
    [['\ud800']],
    [{ '\udc00': 'x' }],
  ])('refuses %s', (value) => {
    expect(() => canonicalText(value as unknown as Canonical)).toThrow(TypeError);
  });

  test('a written value parses to the same value, and the order of keys does not matter', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalText(value);
        expect(canonicalText(parseCanonical(text) as Canonical)).toBe(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
          expect(canonicalText(Object.fromEntries(Object.entries(value).reverse()))).toBe(text);
        }
      }),
    );
  });

  test.each([
    ['{"b":"1","a":"2"}'],
    ['{ "a":"1"}'],
    ['{"a":"1","a":"1"}'],
    ['{"a":1}'],
    ['"\\u0041"'],
    ['"\\ud800"'],
    ['{"a":"1"'],
    [''],
  ])('a second spelling is not canonical: %s', (text) => {
    expect(parseCanonical(text)).toBeUndefined();
  });
});

describe('a file', () => {
  test('parses as with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseUniqueJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['{"a":"1","a":"1"}'],
    ['{"a":{"b":"1","c":[{}],"b":"2"}}'],
    ['{"a":"1","\\u0061":"2"}'],
    ['{"a\\"":"1" , "a\\"" : "2"}'],
    ['{"a":"1"'],
  ])('is refused with a duplicate member: %s', (text) => {
    expect(() => parseUniqueJson(text)).toThrow(SyntaxError);
  });

  test.each([['{"a":"a\\":","b":{"a":"}"},"c":["a","a"]}'], ['[{"a":"1"},{"a":"1"}]'], ['"a"']])(
    'may repeat a name in another object: %s',
    (text) => {
      expect(parseUniqueJson(text)).toEqual(JSON.parse(text));
    },
  );
});
