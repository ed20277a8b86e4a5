import { describe, expect, it } from 'vitest';
import { costlyDistance, distanceFrom } from './price-distance.ts';

describe('how much worse than the index a limit is', () => {
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
    expect(costlyDistance(side, limit, index)).toBe(share);
  });
});

it('a price is as far above or below the index as it is', () => {
  expect(distanceFrom('90900', '90000')).toBe('0.01');
  expect(distanceFrom('89100', '90000')).toBe('-0.01');
  expect(distanceFrom('90000', '90000')).toBe('0');
  expect(distanceFrom('', '90000')).toBeUndefined();
  expect(distanceFrom('90000', null)).toBeUndefined();
});
