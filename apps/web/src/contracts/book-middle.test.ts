import { describe, expect, it } from 'vitest';
import { bookMiddle, lastTradeView } from './book-middle.ts';

const book = (bid: string | null, ask: string | null) => ({
  bids: bid === null ? [] : [[bid, '1'] as [string, string]],
  asks: ask === null ? [] : [[ask, '1'] as [string, string]],
});

describe('the middle of the book', () => {
  it.each([
    ['an even middle', '99.90', '100.10', '0.01', '100.00', '20.0'],
    ['half a step is rounded up', '100.00', '100.01', '0.01', '100.01', '1.0'],
    ['the house’s narrowest', '136581.34', '136608.66', '0.01', '136595.00', '2.0'],
    ['a tenth is rounded to the nearest', '136581.00', '136612.42', '0.01', '136596.71', '2.3'],
    ['a coarse step', '0.4619', '0.4621', '0.0001', '0.4620', '4.3'],
    ['best prices that meet', '100.00', '100.00', '0.01', '100.00', '0.0'],
  ])('%s', (_says, bid, ask, tick, mid, spreadBp) => {
    expect(bookMiddle(book(bid, ask), tick)).toEqual({ mid, spreadBp });
  });

  it.each([
    ['nobody buys', null, '100.00'],
    ['nobody sells', '100.00', null],
    ['nobody does either', null, null],
    ['the prices cross', '100.01', '100.00'],
    ['a price is no price', 'x', '100.00'],
  ])('has none when %s', (_says, bid, ask) => {
    expect(bookMiddle(book(bid, ask), '0.01')).toBeUndefined();
  });
});

describe('the last trade', () => {
  const at = '2026-11-25T12:00:00.000Z';
  it.each([
    ['buy', 0, 0, 'rise'],
    ['sell', 0, 0, 'fall'],
    ['buy', 59_999, 59, 'rise'],
    ['buy', 60_000, 60, ''],
    ['sell', 2_400_000, 2_400, ''],
    // This device's clock is behind the server's.
    ['sell', -1_500, 0, 'fall'],
  ] as const)('a %s after %i ms is %i s old and %s', (side, afterMs, ageSeconds, tone) => {
    expect(lastTradeView({ side, at }, Date.parse(at) + afterMs)).toEqual({ ageSeconds, tone });
  });
});
