import type { TradeView } from '@sathorn/api';

/**
 * Merges trades into the tape, newest first. Snapshots, streamed trades and pages overlap, so duplicates are removed.
 */
export function mergeTrades(
  known: readonly TradeView[],
  newestFirst: readonly TradeView[],
  length: number,
): readonly TradeView[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = newestFirst.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  // The sort is stable: trades with the same time keep their order.
  return [...fresh, ...known].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, length);
}
