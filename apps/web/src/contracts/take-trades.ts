import type { TradeView } from '@sathorn/api';

/**
 * The tape with what was added to it, newest first. A snapshot and the trades after it overlap, and so do what was read
 * and what was streamed: each trade is there once.
 */
export function takeTrades(
  known: readonly TradeView[],
  newestFirst: readonly TradeView[],
  length: number,
): readonly TradeView[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = newestFirst.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  // Stable: trades of the same moment keep the order in which they were told.
  return [...fresh, ...known].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, length);
}
