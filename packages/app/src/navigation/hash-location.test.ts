import { expect, test } from 'vitest';
import { addressInHash } from './hash-location.ts';

test.each([
  ['', '/'],
  ['#', '/'],
  ['#/', '/'],
  ['#/pages/Option/Option?code=BTC', '/pages/Option/Option?code=BTC'],
  ['#pages/mine/mine', '/pages/mine/mine'],
])('%s is the address %s', (hash, address) => {
  expect(addressInHash(hash)).toBe(address);
});
