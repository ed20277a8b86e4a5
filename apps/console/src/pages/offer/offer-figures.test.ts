import { expect, it } from 'vitest';
import { percentOf, rateOfPercent } from './offer-figures.ts';

it.each([
  ['0.00014', '0.014'],
  ['0.78', '78'],
  ['0', '0'],
  ['1', '100'],
  ['0.1', '10'],
  ['1.25', '125'],
  ['0.00000001', '0.000001'],
])('a share of %s is %s percent, and back', (share, percent) => {
  expect([percentOf(share), rateOfPercent(percent)]).toEqual([percent, share]);
});

it('leaves text that is not a number for the server to refuse', () => {
  expect(rateOfPercent('1e3')).toBe('1e3');
});
