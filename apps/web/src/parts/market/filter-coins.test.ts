import type { CoinQuote } from '@sathorn/api';
import { expect, test } from 'vitest';
import { filterCoins } from './filter-coins.ts';

const coins = [
  { code: 'BTC', name: 'Bitcoin' },
  { code: 'ETH', name: 'Ethereum' },
  { code: 'ADA', name: 'Cardano' },
] as CoinQuote[];

test.each([
  ['bit', 'BTC'],
  [' eth ', 'ETH'],
  ['card', 'ADA'],
  ['', 'BTC ETH ADA'],
  ['zzz', ''],
])('%s finds %s', (search, expected) => {
  expect(
    filterCoins(coins, search)
      .map(({ code }) => code)
      .join(' '),
  ).toBe(expected);
});
