import { afterEach, expect, test, vi } from 'vitest';
import { openStoredChoice } from './stored-choice.ts';

const parse = (stored: unknown): boolean => {
  if (typeof stored !== 'boolean') throw new TypeError('no choice');
  return stored;
};
const storageWith = (entries: Record<string, string>) => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => {
      entries[key] = value;
    },
  });
  return entries;
};
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a choice is stored by the browser', () => {
  const entries = storageWith({});
  const choice = openStoredChoice('keys', true, parse);
  expect(choice.read()).toBe(true);
  choice.write(false);
  expect(choice.read()).toBe(false);
  expect(entries).toEqual({ 'console.keys': 'false' });
  expect(openStoredChoice('keys', true, parse).read()).toBe(false);
});

test.each(['', '{', '7', 'null'])('ignores the stored value %j', (stored) => {
  storageWith({ 'console.keys': stored });
  expect(openStoredChoice('keys', true, parse).read()).toBe(true);
});

test('reads a choice that was stored as plain text instead of JSON', () => {
  storageWith({ 'console.keys': 'off' });
  expect(openStoredChoice('keys', true, (stored) => stored !== 'off').read()).toBe(false);
});

test('keeps the choice while the page is open if there is no storage', () => {
  vi.stubGlobal('localStorage', undefined);
  const choice = openStoredChoice('keys', true, parse);
  choice.write(false);
  expect(choice.read()).toBe(false);
});
