import { describe, expect, it } from 'vitest';
import { overpaidShare, priceDistanceText } from './price-distance.ts';

describe('returns how much worse than the index a limit is', () => {
  it.each([
    ['buy', '99000', '90000', '0.1'],
    ['buy', '94500', '90000', '0.05'],
    ['buy', '94499.99', '90000', null],
    ['buy', '9000', '90000', null],
    ['sell', '9000', '90000', '0.9'],
    ['sell', '900000', '90000', null],
    ['buy', '900000', '90000', '9'],
    ['buy', '', '90000', null],
    ['buy', '94500', null, null],
  ] as const)('%s at %s of %s: %s', (side, limit, index, share) => {
    expect(overpaidShare(side, limit, index)).toBe(share);
  });
});

it.each([
  ['90900', '90000', 'above', '0.01'],
  ['89100', '90000', 'below', '0.01'],
  ['90000', '90000', 'same', '0'],
  ['90008.99', '90000', 'same', '0.00009988'],
  ['89991', '90000', 'below', '0.0001'],
] as const)('a price of %s at an index of %s is %s by %s', (price, index, direction, share) => {
  expect(priceDistanceText(price, index)).toEqual({ direction, share });
});

it('returns nothing without a price or an index', () => {
  expect(priceDistanceText('', '90000')).toBeUndefined();
  expect(priceDistanceText('90000', null)).toBeUndefined();
});
