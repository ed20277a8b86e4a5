import { expect, test } from 'vitest';
import { createPressGuard } from './press-guard.ts';

test('lets one press through per 500 ms', () => {
  let time = 0;
  const mayPress = createPressGuard(() => time);
  expect(mayPress()).toBe(true);
  time = 499;
  expect(mayPress()).toBe(false);
  time = 500;
  expect(mayPress()).toBe(true);
});
