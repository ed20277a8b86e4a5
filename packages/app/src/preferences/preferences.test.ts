import { expect, test } from 'vitest';
import { readPreferences, riseColourOf, themeOf } from './preferences.ts';

test.each([
  ['th', 'red'],
  ['zh', 'red'],
  ['jp', 'red'],
  ['en', 'green'],
  ['ar', 'green'],
  ['hi', 'green'],
] as const)('in %s a rise is %s until the customer chooses', (language, colour) => {
  expect(riseColourOf({ language, riseColour: null })).toBe(colour);
  expect(riseColourOf({ language, riseColour: 'red' })).toBe('red');
});

test('the theme follows the system unless the customer sets it', () => {
  expect(themeOf('system', true)).toBe('dark');
  expect(themeOf('system', false)).toBe('light');
  expect(themeOf('light', true)).toBe('light');
});

test('stored preferences are restored, unknown values are omitted', () => {
  expect(readPreferences('{"state":{"language":"ar","theme":"dark"},"version":0}')).toMatchObject({
    language: 'ar',
    theme: 'dark',
    digits: 'latin',
  });
  const fresh = readPreferences(null);
  expect(fresh).toMatchObject({ theme: 'system', riseColour: null });
  for (const foreign of ['', 'null', '[1]', '{"state":{"language":"xx","theme":"dark"}}', '{"state":'])
    expect(readPreferences(foreign)).toEqual(fresh);
});
