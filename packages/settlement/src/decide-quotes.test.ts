import { type CoinCode, formatMoney, formatPrice, money, type Price, parseMoney, parsePrice } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decideQuotes, isRequoteDue, type QuoteSituation } from './decide-quotes.ts';
import { QUOTE_TERMS } from './quote-terms.ts';

const at = (text: string): Price => parsePrice(text) as Price;
const coins = (coin: CoinCode, text: string) => parseMoney(coin, text) ?? money(coin, 0n);
const usdt = (text: string) => parseMoney('USDT', text) ?? money('USDT', 0n);

/** 10 BTC are worth 600,000. */
const even: QuoteSituation = {
  coin: 'BTC',
  index: at('60000'),
  terms: QUOTE_TERMS.BTC,
  coins: coins('BTC', '10'),
  usdt: usdt('600000'),
};
const shown = (change: Partial<QuoteSituation>, side: 'buy' | 'sell'): string[] =>
  decideQuotes({ ...even, ...change })
    .filter((quote) => quote.side === side)
    .map(({ price, quantity }) => `${formatPrice(price, 2)} ${formatMoney(quantity)}`);
const best = (change: Partial<QuoteSituation>, side: 'buy' | 'sell'): string => shown(change, side)[0] ?? '';

describe('decideQuotes', () => {
  it('is a ladder on both sides, larger further out', () => {
    expect(shown({}, 'buy')).toEqual([
      '59970.00 0.06600000',
      '59952.00 0.10000000',
      '59928.00 0.13000000',
      '59892.00 0.20000000',
      '59844.00 0.26000000',
      '59772.00 0.36000000',
      '59670.00 0.50000000',
      '59520.00 0.67000000',
    ]);
    expect(shown({}, 'sell')).toEqual([
      '60030.00 0.06600000',
      '60048.00 0.09900000',
      '60072.00 0.13000000',
      '60108.00 0.19000000',
      '60156.00 0.26000000',
      '60228.00 0.36000000',
      '60330.00 0.49000000',
      '60480.00 0.66000000',
    ]);
  });

  it('has post-only orders only', () => {
    for (const quote of decideQuotes(even))
      expect(quote).toMatchObject({ coin: 'BTC', type: 'limit', timeInForce: 'GTC', postOnly: true });
  });

  it.each([
    ['no quotes without an index', { index: null }, '', ''],
    ['no quotes without a balance', { coins: coins('BTC', '0'), usdt: usdt('0') }, '', ''],
    // 0.00005 BTC is worth 3 USDT, so even the largest level is below the minimum order.
    ['no quote below the smallest order', { coins: coins('BTC', '0.00005'), usdt: usdt('3') }, '', ''],
    // Three quarters in coins: the bid moves a quarter of its distance away and halves, the ask moves closer.
    [
      'buys less of an asset that it has too much of',
      { coins: coins('BTC', '30') },
      '59962.50 0.03300000',
      '60022.50 0.06600000',
    ],
    ['the other way round', { usdt: usdt('1800000') }, '59977.50 0.06600000', '60037.50 0.03300000'],
    ['bids alone without coins', { coins: coins('BTC', '0') }, '59985.00 0.06600000', ''],
    ['asks alone without USDT', { usdt: usdt('0') }, '', '60015.00 0.06600000'],
    // 12,000 out of the 138,000 of a full ladder.
    [
      'all levels smaller with little',
      { coins: coins('BTC', '0.2'), usdt: usdt('12000') },
      '59970.00 0.00580000',
      '60030.00 0.00570000',
    ],
  ] as const)('quotes %s', (_says, change, bid, ask) => {
    expect([best(change, 'buy'), best(change, 'sell')]).toEqual([bid, ask]);
  });

  it('never gets two levels on one tick', () => {
    // TRX's price step is a tenth of this price, so the second level would lie outside the band.
    const quotes = decideQuotes({
      coin: 'TRX',
      index: at('0.01'),
      terms: QUOTE_TERMS.TRX,
      coins: coins('TRX', '1000000'),
      usdt: usdt('10000'),
    });
    const prices = quotes.map(({ side, price }) => `${side} ${formatPrice(price, 5)}`);
    expect(new Set(prices).size).toBe(prices.length);
    expect(prices[0]).toBe('buy 0.00999');
    expect(prices.find((text) => text.startsWith('sell'))).toBe('sell 0.01001');
  });
});

describe('isRequoteDue', () => {
  const quoted = { index: at('60000'), atMs: 10_000 };
  // Half the spread of BTC is 30 USDT here.
  it.each([
    ['never quoted', null, '60000', false, 10_000, true],
    ['nothing has happened', quoted, '60000', false, 99_000, false],
    ['a small move', quoted, '60014.99', false, 99_000, false],
    ['half of the half spread', quoted, '60015', false, 12_500, true],
    ['likewise down', quoted, '59985', false, 12_500, true],
    ['the same too soon', quoted, '60015', false, 12_499, false],
    ['the index has reached a quote', quoted, '60030', false, 10_001, true],
    ['likewise down', quoted, '59970', false, 10_001, true],
    ['a quote was taken', quoted, '60000', true, 12_500, true],
    ['the same too soon', quoted, '60000', true, 12_499, false],
    ['half of the half spread while nobody trades', quoted, '60029.99', 'quiet', 99_000, false],
    ['a quote reached while nobody trades', quoted, '60030', 'quiet', 10_001, true],
  ] as const)('%s', (_says, before, index, trades, atMs, isDue) => {
    const now = {
      index: at(index),
      terms: QUOTE_TERMS.BTC,
      isFilled: trades === true,
      isQuiet: trades === 'quiet',
      atMs,
    };
    expect(isRequoteDue(before, now)).toBe(isDue);
  });
});
