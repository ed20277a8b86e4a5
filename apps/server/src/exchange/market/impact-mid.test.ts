import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImpactTerms, impactMid, type VenueBook } from './impact-mid.ts';

const terms: ImpactTerms = { notional: 1_000_000_000n, spreadMaxBps: 50n };
const book = (bids: VenueBook['bids'], asks: VenueBook['asks']): VenueBook => ({ bids, asks });

describe('the impact mid', () => {
  test('is the mean of the average prices at which 1,000 USDT buys and sells, level by level', () => {
    // 500 USDT at 100 and 500 at 101 buy 9.950495 coins, at 100.497512 on average. All 1,000 sell at 99.9.
    const mid = impactMid(
      book(
        [['99.9', '20']],
        [
          ['100', '5'],
          ['101', '100'],
        ],
      ),
      { ...terms, spreadMaxBps: 100n },
    );
    expect(mid?.price).toBe(100_198_756n);
  });

  test('is finer than the venue’s price step', () => {
    expect(impactMid(book([[0.4617, 9_000]], [[0.4618, 9_000]]), terms)?.price).toBe(461_750n);
  });

  test('does not move when the smallest lots are bought at the ask', () => {
    const asks = [
      [0.4618, 9_000],
      [0.4619, 9_000],
    ];
    const before = impactMid(book([[0.4617, 9_000]], asks), terms);
    const after = impactMid(book([[0.4617, 9_000]], [[0.4618, 8_980], ...asks.slice(1)]), terms);
    expect(after?.price).toBe(before?.price);
    expect(after?.mark).not.toBe(before?.mark);
  });

  const none: [string, VenueBook][] = [
    ['an empty side', book([], [[100, 100]])],
    ['too little for the amount', book([[99.9, 100]], [[100, 9.99]])],
    ['a crossed book', book([[100.1, 100]], [[100, 100]])],
    ['a locked book', book([[100, 100]], [[100, 100]])],
    ['a spread that is too wide', book([[99, 100]], [[100, 100]])],
    [
      'levels out of order',
      book(
        [[99.9, 100]],
        [
          [100.1, 1],
          [100, 100],
        ],
      ),
    ],
    ['a price that is no number', book([[99.9, 100]], [['NaN', 100]])],
    ['a negative amount', book([[99.9, 100]], [[100, -5]])],
    ['a price of nothing', book([[0, 100]], [[100, 100]])],
  ];
  test.each(none)('does not exist for %s', (_, broken) => {
    expect(impactMid(broken, terms)).toBeNull();
  });

  test('ignores an emptied level', () => {
    const whole = book([[99.9, 100]], [[100, 100]]);
    const withEmpty = book(
      [[99.9, 100]],
      [
        [99.95, 0],
        [100, 100],
      ],
    );
    expect(impactMid(withEmpty, terms)).toEqual(impactMid(whole, terms));
  });

  test('lies between the averages of any book, and stays there when a level beyond the amount changes', () => {
    const side = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 10 ** 9 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(side, side, (below, above) => {
        const levels = (gaps: readonly [number, number][], from: number, sign: number) =>
          gaps.map(([, amount], n) => {
            const distance = gaps.slice(0, n + 1).reduce((sum, [gap]) => sum + gap, 0);
            return [(from + sign * distance) / 10_000, amount / 1e6];
          });
        const bids = levels(below, 1_000_000, -1);
        const asks = levels(above, 1_000_010, 1);
        const mid = impactMid(book(bids, asks), { ...terms, spreadMaxBps: 10_000n });
        const [lowest, highest] = [bids.at(-1)?.[0] ?? 0, asks.at(-1)?.[0] ?? 0];
        const isFilled = (levels: number[][]) =>
          levels.reduce((sum, [price = 0, amount = 0]) => sum + price * amount, 0) >= 1_000;
        // If the book exactly fills the amount, rounding decides.
        if (mid === null) return !(isFilled(bids) && isFilled(asks));
        const deeper = impactMid(book([...bids, [lowest / 2, 5]], [...asks, [highest * 2, 5]]), {
          ...terms,
          spreadMaxBps: 10_000n,
        });
        return Number(mid.price) / 1e6 >= lowest && Number(mid.price) / 1e6 <= highest && deeper?.price === mid.price;
      }),
      { numRuns: 300 },
    );
  });
});
