import { expect, test } from 'vitest';
import { compareDecimals, usdtFor } from './exchange.ts';

test.each([
  ['6650.00', '33.25', '200.000000'],
  ['100', '33.25', '3.007518'],
  ['0.01', '33.25', '0.000300'],
  ['999999999.99', '0.0001', '9999999999900.000000'],
])('%s THB at %s are %s USDT, rounded down', (baht, rate, usdt) => {
  expect(usdtFor(baht, rate)).toBe(usdt);
});

test('there is no estimate without a rate', () => {
  expect(usdtFor('100', '0.00')).toBeUndefined();
});

test.each([
  ['1', '1.000', 0],
  ['0.999999', '1', -1],
  ['10', '9.99', 1],
  ['123456789012345678901.1', '123456789012345678901.2', -1],
])('%s against %s is %s', (one, other, result) => {
  expect(compareDecimals(one, other)).toBe(result);
});
