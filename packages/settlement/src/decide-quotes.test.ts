import {
  COIN_CODES,
  type CoinCode,
  formatMoney,
  formatPrice,
  money,
  type Price,
  parseMoney,
  parsePrice,
  priceStepUnits,
} from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import {
  decideQuotes,
  decideTake,
  isFastMarketAt,
  isRequoteDue,
  lastFastMs,
  type QuoteSituation,
} from './decide-quotes.ts';
import { QUOTE_TERMS } from './quote-terms.ts';

const at = (text: string): Price => parsePrice(text) as Price;
const coins = (coin: CoinCode, text: string) => parseMoney(coin, text) ?? money(coin, 0n);
const usdt = (text: string) => parseMoney('USDT', text) ?? money('USDT', 0n);

/** 10 BTC are worth 600,000 USDT. */
const even: QuoteSituation = {
  coin: 'BTC',
  index: at('60000'),
  isFast: false,
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
  it('is a ladder on both sides, with larger levels further out', () => {
    expect(shown({}, 'buy')).toEqual([
      '59994.00 0.01600000',
      '59988.00 0.02500000',
      '59979.00 0.04100000',
      '59970.00 0.06600000',
      '59952.00 0.10000000',
      '59928.00 0.13000000',
      '59895.00 0.20000000',
      '59850.00 0.26000000',
      '59790.00 0.36000000',
      '59712.00 0.50000000',
      '59610.00 0.67000000',
    ]);
    expect(shown({}, 'sell')).toEqual([
      '60006.00 0.01600000',
      '60012.00 0.02400000',
      '60021.00 0.04100000',
      '60030.00 0.06600000',
      '60048.00 0.09900000',
      '60072.00 0.13000000',
      '60105.00 0.19000000',
      '60150.00 0.26000000',
      '60210.00 0.36000000',
      '60288.00 0.49000000',
      '60390.00 0.66000000',
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
      '59992.50 0.00830000',
      '60004.50 0.01600000',
    ],
    ['the other way round', { usdt: usdt('1800000') }, '59995.50 0.01600000', '60007.50 0.00830000'],
    ['bids alone without coins', { coins: coins('BTC', '0') }, '59997.00 0.01600000', ''],
    ['asks alone without USDT', { usdt: usdt('0') }, '', '60003.00 0.01600000'],
    // The worth is 12,000 out of the 143,000 of a full ladder.
    [
      'all levels smaller with little',
      { coins: coins('BTC', '0.2'), usdt: usdt('12000') },
      '59994.00 0.00130000',
      '60006.00 0.00130000',
    ],
  ] as const)('quotes %s', (_says, change, bid, ask) => {
    expect([best(change, 'buy'), best(change, 'sell')]).toEqual([bid, ask]);
  });

  it('never puts two levels on one price step', () => {
    // TRX's price step is a tenth of this price, so the second level would lie outside the band.
    const quotes = decideQuotes({
      coin: 'TRX',
      index: at('0.01'),
      isFast: false,
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

const INDEX = {
  BTC: '92400.37',
  ETH: '3180.21',
  BNB: '894.113',
  SOL: '146.0371',
  XRP: '2.24017',
  DOGE: '0.168213',
  ADA: '0.462037',
  TRX: '0.286414',
} as const;
it.each(COIN_CODES)('quotes %s 2 to 4 bps apart, rounded outwards to price steps, on eleven levels', (coin) => {
  const index = at(INDEX[coin]);
  const quotes = decideQuotes({
    coin,
    index,
    isFast: false,
    terms: QUOTE_TERMS[coin],
    coins: money(coin, (600_000n * 10n ** 14n) / index),
    usdt: usdt('600000'),
  });
  const of = (side: 'buy' | 'sell') => quotes.filter((quote) => quote.side === side);
  expect([of('buy').length, of('sell').length]).toEqual([11, 11]);
  const spread = (of('sell')[0]?.price ?? 0n) - (of('buy')[0]?.price ?? 0n);
  expect(spread * 10_000n).toBeGreaterThanOrEqual(2n * index);
  expect((spread - 2n * priceStepUnits(coin)) * 10_000n).toBeLessThan(4n * index);
});

describe('isRequoteDue', () => {
  const quoted = { index: at('60000'), atMs: 20_000, fastMs: null };
  // Placed while the index was fast.
  const wide = { ...quoted, fastMs: 15_000 };
  // For BTC, half the spread is 6 USDT here, and quotes are left behind when the index has moved 24.
  it.each([
    ['never quoted', null, '60000', '', 20_000, true],
    ['nothing has happened', quoted, '60000', '', 99_000, false],
    ['a small move', quoted, '60005.99', '', 99_000, false],
    ['half of the spread', quoted, '60006', '', 22_500, true],
    ['likewise down', quoted, '59994', '', 22_500, true],
    ['the same too soon', quoted, '60006', '', 22_499, false],
    ['the index has left the quotes behind', quoted, '60024', '', 20_001, true],
    ['likewise down', quoted, '59976', '', 20_001, true],
    ['a quote was taken', quoted, '60000', 'filled', 22_500, true],
    ['the same too soon', quoted, '60000', 'filled', 22_499, false],
    ['less while nobody trades', quoted, '60023.99', 'quiet', 99_000, false],
    ['the quotes left behind while nobody trades', quoted, '60024', 'quiet', 20_001, true],
    // Half the spread plus a fee of 1 bps: beyond it the quote gives away more than the fee earns.
    ['earlier where the fee is low', quoted, '60012', 'cheap', 20_001, true],
    ['not before', quoted, '60011.99', 'cheap', 20_001, false],
    ['a fast index is calm again', wide, '60000', 'quiet', 30_000, true],
    ['not before', wide, '60000', 'quiet', 29_999, false],
  ] as const)('%s', (_says, before, index, how, atMs, isDue) => {
    const now = {
      index: at(index),
      terms: QUOTE_TERMS.BTC,
      takerBps: how === 'cheap' ? 1n : 5n,
      isFilled: how === 'filled',
      isQuiet: how === 'quiet',
      atMs,
    };
    expect(isRequoteDue(before, now)).toBe(isDue);
  });
});

describe('a fast index', () => {
  const quoted = { index: at('60000'), atMs: 20_000, fastMs: null };
  it.each([
    ['leaves quotes behind at once', quoted, '60024', false, 23_999, 23_999],
    ['not when it takes its time', quoted, '60024', false, 24_000, null],
    ['nor when it stays near', quoted, '60023.99', true, 21_000, null],
    ['leaves them behind after somebody took one', quoted, '59976', true, 90_000, 90_000],
    ['is remembered', { ...quoted, fastMs: 19_000 }, '60000', false, 21_000, 19_000],
    ['not before the first quotes', null, '60000', true, 21_000, null],
  ] as const)('%s', (_says, before, index, isFilled, atMs, fastMs) => {
    expect(lastFastMs(before, { index: at(index), terms: QUOTE_TERMS.BTC, takerBps: 5n, isFilled, atMs })).toBe(fastMs);
  });

  it('keeps quotes away for 15 s, whichever way the clock is set', () => {
    expect([null, 1_000, 85_001, 85_000, 115_000].map((fastMs) => isFastMarketAt(fastMs, 100_000))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('has none of the three near levels', () => {
    expect(decideQuotes({ ...even, isFast: true }).map(({ price }) => price)).toEqual(
      decideQuotes(even)
        .filter((_, level) => level % 11 >= 3)
        .map(({ price }) => price),
    );
  });
});

describe('decideTake', () => {
  const quotes = decideQuotes(even);
  const take = (prices: { buy?: string; sell?: string }, of = quotes): string | null => {
    const [buy, sell] = [prices.buy, prices.sell].map((text) => (text === undefined ? null : at(text)));
    const ticket = decideTake(of, { buy: buy ?? null, sell: sell ?? null });
    return ticket && `${ticket.side} ${formatPrice(ticket.price, 2)} ${formatMoney(ticket.quantity)}`;
  };

  it.each([
    ['nothing on an empty book', {}, null],
    ['nothing between its quotes', { buy: '60005.99', sell: '59994.01' }, null],
    ['a bid at its nearest offer, for that offer’s size', { buy: '60006' }, 'sell 60006.00 0.01600000'],
    ['a bid beyond three offers, at the price of the nearest', { buy: '60029.99' }, 'sell 60006.00 0.08100000'],
    ['an offer at its nearest bid', { sell: '59994' }, 'buy 59994.00 0.01600000'],
    ['an offer below two bids', { sell: '59980' }, 'buy 59994.00 0.04100000'],
    ['one side at a time', { buy: '60006', sell: '59994' }, 'buy 59994.00 0.01600000'],
  ] as const)('takes %s', (_, prices, expected) => {
    expect(take(prices)).toBe(expected);
  });

  it('takes nothing while it quotes nothing', () => {
    expect(take({ buy: '70000', sell: '50000' }, [])).toBeNull();
  });

  it('takes at once or not at all what it would have offered, never at a worse price', () => {
    const ticket = decideTake(quotes, { buy: at('61000'), sell: null });
    expect(ticket).toMatchObject({ timeInForce: 'IOC', postOnly: false });
    const offered = quotes
      .filter(({ side }) => side === 'sell')
      .reduce((sum, { quantity }) => sum + quantity.units, 0n);
    expect(ticket?.quantity.units).toBe(offered);
    expect(ticket?.price).toBe(at('60006'));
  });
});
