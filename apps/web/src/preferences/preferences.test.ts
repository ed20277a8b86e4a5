import { expect, test } from 'vitest';
import { riseColourOf, themeOf } from './preferences.ts';

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

test('the theme follows the system unless it is set', () => {
  expect(themeOf('system', true)).toBe('dark');
  expect(themeOf('system', false)).toBe('light');
  expect(themeOf('light', true)).toBe('light');
});
