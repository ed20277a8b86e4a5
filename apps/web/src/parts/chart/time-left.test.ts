import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

const ENGLISH = { language: 'en' } as const;

test.each([
  [23_000, '0:23'],
  [22_001, '0:23'],
  [60_000, '1:00'],
  [3_599_000, '59:59'],
  [3_600_000, '1:00:00'],
  [14_399_000, '3:59:59'],
  [604_800_000, '168:00:00'],
  [-1, '0:00'],
])('%s ms are %s', (leftMs, text) => {
  expect(timeLeft(leftMs, ENGLISH)).toBe(text);
});
