import { expect, test } from 'vitest';
import { stepPrice } from './step-price.ts';

test.each([
  ['95209.81', '0.01', 1, '95209.82'],
  ['95209.81', '0.01', -1, '95209.80'],
  ['95209.815', '0.01', 1, '95209.82'],
  ['95209.815', '0.01', -1, '95209.81'],
  ['0.12345', '0.00001', -1, '0.12344'],
  // The price never becomes zero.
  ['0.00001', '0.00001', -1, '0.00001'],
  ['0', '0.01', 1, '0.01'],
] as const)('a press changes %s by a step of %s, %s', (from, tick, direction, to) => {
  expect(stepPrice(from, tick, direction)).toBe(to);
});

test.each([
  ['95209.81', '0.01', 1, '95210.00'],
  ['95209.81', '0.01', -1, '95209.00'],
  ['95210', '0.01', 1, '95211.00'],
  ['95210', '0.01', -1, '95209.00'],
  ['3120.47', '0.01', 1, '3120.50'],
  ['148.06', '0.01', 1, '148.07'],
  ['0.00001', '0.00001', -1, '0.00001'],
] as const)('held down, %s in steps of %s goes on in round numbers, %s', (from, tick, direction, to) => {
  expect(stepPrice(from, tick, direction, true)).toBe(to);
});

test('an incomplete price has no next price', () => {
  expect(stepPrice('', '0.01', 1)).toBeUndefined();
});
