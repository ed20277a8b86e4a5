import { expect, test } from 'vitest';
import { keepWordsWhole } from './whole-words.ts';

test('a Thai compound can no longer be parted, and nothing else changes', () => {
  expect(keepWordsWhole('ในแต่ละคำสั่ง')).toBe('ในแต่ละคำ\u2060สั่ง');
  expect(keepWordsWhole('each order, 100 USDT')).toBe('each order, 100 USDT');
});
