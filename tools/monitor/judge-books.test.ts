import type { BookView, TradeView } from '@sathorn/api';
import { describe, expect, it } from 'vitest';
import { judgeBooks, judgeTrades } from './judge-books.ts';
import { bookOf, BEGAN_MS as T, tradeOf } from './testing-platform.ts';

const BIDS: BookView['bids'] = [
  ['99', '2'],
  ['98', '4'],
];
const ASKS: BookView['asks'] = [
  ['101', '1.5'],
  ['102', '3'],
  ['103', '5'],
];
const before = bookOf(7, T, BIDS, ASKS);
/** A last state, because the one before it waits for trades that are still on their way. */
const last = (sequence: number) => bookOf(sequence, T + 200, BIDS, ASKS);
const at = new Date(T + 50).toISOString();
const bought = (n: number, price: string, quantity: string) => tradeOf(n, price, { quantity, at });
const sold = (n: number, price: string, quantity: string) => tradeOf(n, price, { quantity, at, side: 'sell' });

const judge = (after: BookView, trades: readonly TradeView[]) => {
  const { findings, ...counts } = judgeBooks({ books: [before, after, last(Number(after.sequence) + 1)], trades });
  return [findings.map(({ says }) => says), counts.fills, counts.judged];
};

describe('fills', () => {
  it.each<[string, BookView, readonly TradeView[], readonly [readonly string[], number, number]]>([
    [
      'at the best price',
      bookOf(8, T + 100, BIDS, [['101', '0.5'], ...ASKS.slice(1)]),
      [bought(1, '101', '1')],
      [[], 1, 1],
    ],
    [
      'through two prices',
      bookOf(8, T + 100, BIDS, [
        ['102', '2'],
        ['103', '5'],
      ]),
      [bought(1, '101', '1.5'), bought(2, '102', '1.00')],
      [[], 2, 2],
    ],
    [
      'at the second-best price',
      bookOf(8, T + 100, BIDS, [ASKS[0] ?? ['', ''], ['102', '2'], ['103', '5']]),
      [bought(1, '102', '1')],
      [['Trade BTC-1 was filled at 102, while 1.5 at 101 rested before and after it.'], 1, 1],
    ],
    [
      'of a sale at the second-best price',
      bookOf(
        8,
        T + 100,
        [
          ['99', '2'],
          ['98', '3'],
        ],
        ASKS,
      ),
      [sold(1, '98', '1')],
      [['Trade BTC-1 was filled at 98, while 2 at 99 rested before and after it.'], 1, 1],
    ],
    [
      'at the second-best price, with another command beside it: it may have come afterwards',
      bookOf(9, T + 100, BIDS, [ASKS[0] ?? ['', ''], ['102', '2'], ['103', '5']]),
      [bought(1, '102', '1')],
      [[], 1, 0],
    ],
    [
      'that do not explain the change: they may be of another moment',
      bookOf(8, T + 100, BIDS, ASKS),
      [bought(1, '102', '1')],
      [[], 1, 0],
    ],
    [
      'of the same moment as the state before them',
      bookOf(8, T + 100, BIDS, ASKS),
      [tradeOf(1, '101', { at: before.at })],
      [[], 0, 0],
    ],
  ])('%s', (_name, after, trades, expected) => {
    expect(judge(after, trades)).toEqual(expected);
  });

  it('at the best price after an order that its own customer’s trade cancelled', () => {
    const after = bookOf(8, T + 100, BIDS, [
      ['102', '2'],
      ['103', '5'],
    ]);
    expect(judge(after, [bought(1, '102', '1')])).toEqual([[], 1, 1]);
  });
});

describe('books', () => {
  it.each<[string, BookView, readonly string[]]>([
    ['of one side', bookOf(1, T, [], ASKS), []],
    [
      'crossed',
      bookOf(1, T, [['101', '1']], ASKS),
      ['The book of BTC at 1 is crossed: somebody buys at 101, and somebody sells at 101.'],
    ],
    [
      'with a better bid behind a worse one',
      bookOf(1, T, BIDS.toReversed(), ASKS),
      ['The book of BTC at 1 is not in the order of its prices.'],
    ],
    [
      'with a price twice',
      bookOf(1, T, BIDS, [
        ['101', '1'],
        ['101.0', '2'],
      ]),
      ['The book of BTC at 1 is not in the order of its prices.'],
    ],
  ])('%s', (_name, book, says) => {
    expect(judgeBooks({ books: [book], trades: [] }).findings.map((finding) => finding.says)).toEqual(says);
  });
});

describe('trades', () => {
  const three = [tradeOf(3, '103'), tradeOf(2, '102'), tradeOf(1, '101')];
  it.each<[string, readonly TradeView[], TradeView | undefined, readonly string[], boolean?]>([
    ['one after another', three, undefined, []],
    ['after the one that was seen', three, tradeOf(2, '102'), []],
    ['of which one is missing', three.toSpliced(1, 1), undefined, ['Trade BTC-3 follows BTC-1: there is a gap.']],
    ['of which one is another now', three, tradeOf(2, '101.5'), ['Trade BTC-2 was changed.']],
    ['that end before the one that was seen', three, tradeOf(4, '104'), ['Trade BTC-4 is no longer shown.']],
    ['that are gone', [], tradeOf(4, '104'), ['Trade BTC-4 is no longer shown.']],
    ['of which the seen one was not reached', three, tradeOf(0, '100'), [], false],
    ['of which the older ones are gone', three, tradeOf(0, '100'), ['Trade BTC-0 is no longer shown.']],
  ])('%s', (_name, trades, seen, says, isAll = true) => {
    expect(judgeTrades(trades, seen, isAll).map((finding) => finding.says)).toEqual(says);
  });
  it('that the stream told twice, differently', () => {
    const { findings } = judgeBooks({ books: [], trades: [tradeOf(1, '101'), tradeOf(1, '101'), tradeOf(1, '102')] });
    expect(findings.map(({ says }) => says)).toEqual(['Trade BTC-1 was changed.']);
  });
});
