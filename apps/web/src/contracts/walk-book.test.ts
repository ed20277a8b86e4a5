import { formatMoney, type Money, parseMoney, parsePrice } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkBook } from './walk-book.ts';

const LOT = 1_000n;
const ASKS = [
  ['100.00', '0.50000'],
  ['101.00', '1.00000'],
  ['103.00', '2.00000'],
] as const;
const size = (text: string, asset: 'BTC' | 'USDT' = 'BTC') => parseMoney(asset, text) as Money;
const limit = (text: string) => parsePrice(text) ?? null;
const buy = { coin: 'BTC', side: 'buy', limit: null, lot: LOT } as const;

describe('the levels that an order would take', () => {
  test.each([
    // Each row: requested quantity and limit; then the filled quantity, its cost, and whether it was filled completely.
    ['0.25', null, '0.25000000', '25.000000', true],
    ['1.00', null, '1.00000000', '100.500000', true],
    ['3.50', null, '3.50000000', '357.000000', true],
    ['4.00', null, '3.50000000', '357.000000', false],
    ['1.00', '100.99', '0.50000000', '50.000000', false],
    ['1.00', '101.00', '1.00000000', '100.500000', true],
    ['1.00', '99.99', '0.00000000', '0.000000', false],
  ])('of %s coins up to %s', (quantity, upTo, got, paid, isWhole) => {
    const taken = walkBook(ASKS, { ...buy, size: size(quantity), limit: upTo === null ? null : limit(upTo) });
    expect([formatMoney(taken.quantity), formatMoney(taken.amount), taken.isWhole]).toEqual([got, paid, isWhole]);
  });

  test.each([
    ['25', '0.25000000', '25.000000', true],
    ['100.5', '1.00000000', '100.500000', true],
    // The rest of the amount does not pay for a lot at the next price.
    ['50.0005', '0.50000000', '50.000000', true],
    ['0.0001', '0.00000000', '0.000000', false],
    ['1000', '3.50000000', '357.000000', false],
  ])('for %s USDT', (amount, got, paid, isWhole) => {
    const taken = walkBook(ASKS, { ...buy, size: size(amount, 'USDT') });
    expect([formatMoney(taken.quantity), formatMoney(taken.amount), taken.isWhole]).toEqual([got, paid, isWhole]);
  });

  test('a sale takes the bids from the best down to its limit', () => {
    const bids = [
      ['99.00', '0.50000'],
      ['98.00', '1.00000'],
    ] as const;
    const taken = walkBook(bids, { coin: 'BTC', side: 'sell', limit: limit('98.5'), size: size('1'), lot: LOT });
    expect([formatMoney(taken.quantity), formatMoney(taken.amount), taken.isWhole]).toEqual([
      '0.50000000',
      '49.500000',
      false,
    ]);
  });
});

test('an amount is never overspent, and buys whole lots', () => {
  const level = fc.tuple(fc.bigInt(1n, 20_000_000n), fc.bigInt(1n, 500_000n));
  fc.assert(
    fc.property(fc.array(level, { maxLength: 12 }), fc.bigInt(0n, 10_000_000_000n), (drawn, units) => {
      const levels = drawn
        .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(
          ([cents, lots]) =>
            [
              `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`,
              `${lots / 100_000n}.${String(lots % 100_000n).padStart(5, '0')}`,
            ] as const,
        );
      const taken = walkBook(levels, { ...buy, size: { asset: 'USDT', units } as Money });
      expect(taken.amount.units).toBeLessThanOrEqual(units);
      expect(taken.quantity.units % LOT).toBe(0n);
    }),
  );
});
