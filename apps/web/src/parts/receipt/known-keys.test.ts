import { expect, test } from 'vitest';
import { addKnownKeys, keyAppearedAtMs, parseKnownKeys } from './known-keys.ts';

test('trusts the first keys that a device sees', () => {
  const known = addKnownKeys({}, ['index', 'receipt'], 1_000);
  expect(known).toEqual({ index: 1_000, receipt: 1_000 });
  expect(keyAppearedAtMs(known, 'index')).toBeNull();
});

test('a later key keeps the time at which it appeared', () => {
  const later = addKnownKeys(addKnownKeys({}, ['index'], 1_000), ['index', 'other'], 2_000);
  expect(addKnownKeys(later, ['index', 'other'], 3_000)).toBe(later);
  expect(keyAppearedAtMs(later, 'index')).toBeNull();
  expect(keyAppearedAtMs(later, 'other')).toBe(2_000);
  expect(keyAppearedAtMs(later, 'never seen')).toBeNull();
});

test.each([null, '', 'x', '[1]', '7', 'null'])('ignores %s in storage', (text) => {
  expect(parseKnownKeys(text)).toEqual({});
});

test('reads only times from storage', () => {
  expect(parseKnownKeys('{"a":5,"b":"6","c":null}')).toEqual({ a: 5 });
});
