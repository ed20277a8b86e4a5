import { expect, test } from 'vitest';
import { appearedAt, parseKnownKeys, rememberKeys } from './known-keys.ts';

test('trusts the first keys that a device sees', () => {
  const known = rememberKeys({}, ['index', 'receipt'], 1_000);
  expect(known).toEqual({ index: 1_000, receipt: 1_000 });
  expect(appearedAt(known, 'index')).toBeNull();
});

test('a later key keeps the time at which it appeared', () => {
  const later = rememberKeys(rememberKeys({}, ['index'], 1_000), ['index', 'other'], 2_000);
  expect(rememberKeys(later, ['index', 'other'], 3_000)).toBe(later);
  expect(appearedAt(later, 'index')).toBeNull();
  expect(appearedAt(later, 'other')).toBe(2_000);
  expect(appearedAt(later, 'never seen')).toBeNull();
});

test.each([null, '', 'x', '[1]', '7', 'null'])('ignores %s in storage', (text) => {
  expect(parseKnownKeys(text)).toEqual({});
});

test('reads only times from storage', () => {
  expect(parseKnownKeys('{"a":5,"b":"6","c":null}')).toEqual({ a: 5 });
});
