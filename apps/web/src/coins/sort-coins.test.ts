import type { CoinQuote } from '@sathorn/api';
import { expect, test } from 'vitest';
import { sortCoins } from './sort-coins.ts';

const coins = [
  { code: 'BTC', name: 'Bitcoin', price: '64388.20', change_24h: '0.0214' },
  { code: 'ETH', name: 'Ethereum', price: '3120.47', change_24h: '-0.0062' },
  { code: 'NEW', name: 'New', price: null, change_24h: null },
  { code: 'ADA', name: 'Cardano', price: '0.4512', change_24h: '0.0480' },
] as CoinQuote[];
const codes = (list: CoinQuote[]) => list.map((coin) => coin.code).join(' ');

test.each([
  [{ by: 'listed', isDown: false }, 'BTC ETH NEW ADA'],
  [{ by: 'name', isDown: false }, 'ADA BTC ETH NEW'],
  [{ by: 'price', isDown: true }, 'BTC ETH ADA NEW'],
  [{ by: 'price', isDown: false }, 'ADA ETH BTC NEW'],
  [{ by: 'change', isDown: true }, 'ADA BTC ETH NEW'],
  [{ by: 'change', isDown: false }, 'ETH BTC ADA NEW'],
] as const)('%o gives %s', (order, expected) => {
  expect(codes(sortCoins(coins, order))).toBe(expected);
});
