import type { CoinQuote } from '@sathorn/api';

export const COIN_VIEWS = ['all', 'favourites', 'gainers', 'losers'] as const;
export type CoinView = (typeof COIN_VIEWS)[number];

/** Returns the coins of a view. Gainers and losers of the last 24 hours are sorted by the largest change. */
export function viewCoins(
  coins: readonly CoinQuote[],
  view: CoinView,
  favourites: readonly string[],
): readonly CoinQuote[] {
  if (view === 'all') return coins;
  if (view === 'favourites') return coins.filter(({ code }) => favourites.includes(code));
  // Numbers are precise enough for sorting.
  const changeOf = ({ change_24h: change }: CoinQuote) => Number(change ?? '0') * (view === 'gainers' ? 1 : -1);
  return coins.filter((coin) => changeOf(coin) > 0).toSorted((a, b) => changeOf(b) - changeOf(a));
}
