import type { TradeView } from '@sathorn/api';
import { expect, test } from 'vitest';
import { mergeTrades } from './merge-trades.ts';

const trade = (id: string, second = 0) =>
  ({ id, at: new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString() }) as TradeView;
const ids = (trades: readonly TradeView[]) => trades.map(({ id }) => id);

test('new trades come first, each once, and the tape keeps its length', () => {
  const known = [trade('c', 3), trade('b', 2), trade('a', 1)];
  expect(ids(mergeTrades(known, [trade('e', 5), trade('d', 4), trade('c', 3)], 4))).toEqual(['e', 'd', 'c', 'b']);
});

test('returns the same tape if no trade is new', () => {
  const known = [trade('a')];
  expect(mergeTrades(known, [trade('a')], 4)).toBe(known);
});

test('trades of the same moment keep their order, and missed older ones are inserted in place', () => {
  expect(ids(mergeTrades([trade('b', 2)], [trade('d', 2), trade('c', 2), trade('a', 1)], 9))).toEqual([
    'd',
    'c',
    'b',
    'a',
  ]);
});
