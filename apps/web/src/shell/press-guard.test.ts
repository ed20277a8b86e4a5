import { expect, test } from 'vitest';
import { createPressGuard } from './press-guard.ts';

test('lets the same press through once in 500 ms', () => {
  let time = 0;
  const mayPress = createPressGuard(() => time);
  expect(mayPress('navigate /a')).toBe(true);
  time = 499;
  expect(mayPress('navigate /a')).toBe(false);
  expect(mayPress('navigate /b')).toBe(true);
  time = 500;
  expect(mayPress('navigate /a')).toBe(true);
});
