import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sizeOfTotal, totalOfSize } from './total-size.ts';

test.each([
  ['BTC', '100', '91330.63', '0.00001', '0.00109'],
  ['BTC', '91330.63', '91330.63', '0.00001', '1'],
  ['DOGE', '10', '0.15', '1', '66'],
  ['BTC', '0.5', '91330.63', '0.00001', ''],
  ['BTC', '100', '', '0.00001', ''],
  ['BTC', '100', '0', '0.00001', ''],
  ['BTC', '', '91330.63', '0.00001', ''],
] as const)('%s for %s USDT at %s in lots of %s is %s', (code, total, price, lot, size) => {
  expect(sizeOfTotal(code, total, price, lot)).toBe(size);
});

test.each([
  ['buy', '0.00109', '91330.63', '99.550387'],
  ['sell', '0.00109', '91330.63', '99.550386'],
  ['buy', '1', '91330.63', '91330.63'],
  ['buy', '', '91330.63', ''],
  ['buy', '1', '', ''],
] as const)('to %s %s at %s comes to %s', (side, size, price, total) => {
  expect(totalOfSize('BTC', side, size, price)).toBe(total);
});

test('the lots for a total never cost more than the total', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 13n), fc.bigInt(1n, 10n ** 8n), (micros, cents) => {
      const total = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
      const price = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      const cost = totalOfSize('BTC', 'buy', sizeOfTotal('BTC', total, price, '0.00001'), price);
      if (cost === '') return;
      const [whole = '0', fraction = ''] = cost.split('.');
      expect(BigInt(whole + fraction.padEnd(6, '0')) <= micros).toBe(true);
    }),
  );
});
