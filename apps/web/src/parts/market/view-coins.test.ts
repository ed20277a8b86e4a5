import type { CoinQuote } from '@sathorn/api';
import { expect, test } from 'vitest';
import { type CoinView, viewCoins } from './view-coins.ts';

const coin = (code: string, change_24h: string | null) => ({ code, change_24h }) as CoinQuote;
const COINS = [
  coin('BTC', '0.01'),
  coin('ETH', '-0.02'),
  coin('ADA', '0.11'),
  coin('XRP', null),
  coin('SOL', '0.00'),
  coin('DOT', '-0.2'),
];

test.each<[CoinView, readonly string[]]>([
  ['all', ['BTC', 'ETH', 'ADA', 'XRP', 'SOL', 'DOT']],
  ['favourites', ['ETH', 'XRP']],
  ['gainers', ['ADA', 'BTC']],
  ['losers', ['DOT', 'ETH']],
])('%s', (view, codes) => {
  // A favourite that is no longer offered is not shown.
  expect(viewCoins(COINS, view, ['XRP', 'ETH', 'GONE']).map(({ code }) => code)).toEqual(codes);
});
