import type { CoinQuote } from '@sathorn/api';

export interface CoinOrder {
  readonly by: 'listed' | 'name' | 'price' | 'change';
  readonly isDown: boolean;
}

/** A coin without the figure is sorted last in both directions. */
export function sortCoins(coins: readonly CoinQuote[], { by, isDown }: CoinOrder): CoinQuote[] {
  if (by === 'listed') return [...coins];
  if (by === 'name')
    return [...coins].sort((a, b) => (isDown ? -1 : 1) * (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  const figure = (coin: CoinQuote) => (by === 'price' ? coin.price : coin.change_24h);
  // Numbers are precise enough for sorting.
  return [...coins].sort((a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return (isDown ? -1 : 1) * (Number(x) - Number(y));
  });
}
