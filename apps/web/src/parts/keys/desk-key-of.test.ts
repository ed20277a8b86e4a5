import { expect, test } from 'vitest';
import { deskKeyOf } from './desk-key-of.ts';

test.each([
  ['u', 'KeyU', false, 'u'],
  ['U', 'KeyU', true, 'u'],
  ['/', 'Slash', false, '/'],
  ['?', 'Slash', true, '?'],
  // On a German keyboard.
  ['/', 'Digit7', true, '/'],
  // On Thai, Arabic and Hindi keyboards.
  ['ี', 'KeyU', false, 'u'],
  ['ฝ', 'Slash', false, '/'],
  ['ฦ', 'Slash', true, '?'],
  ['ي', 'KeyD', false, 'd'],
  ['ह', 'KeyU', false, 'u'],
  // On a Latin keyboard with other letters in these places.
  ['e', 'KeyD', false, undefined],
  ['-', 'Slash', false, undefined],
  ['Enter', 'Enter', false, undefined],
  ['Dead', 'KeyU', false, undefined],
  ['ก', 'KeyK', false, undefined],
] as const)('%s at %s, shift %s: %s', (key, code, shiftKey, meant) => {
  expect(deskKeyOf({ key, code, shiftKey })).toBe(meant);
});
