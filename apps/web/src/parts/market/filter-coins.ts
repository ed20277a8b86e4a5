import type { CoinQuote } from '@sathorn/api';

/** Filters by code or name, ignoring case. */
export function filterCoins(coins: readonly CoinQuote[], search: string): CoinQuote[] {
  const wanted = search.trim().toLowerCase();
  return coins.filter((coin) => coin.code.toLowerCase().includes(wanted) || coin.name.toLowerCase().includes(wanted));
}
