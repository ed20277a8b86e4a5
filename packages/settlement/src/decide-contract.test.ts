import {
  COIN_CODES,
  type CoinCode,
  type Money,
  money,
  type Price,
  parseMoney,
  parsePrice,
  priceStepUnits,
  rateFromBasisPoints,
} from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrice, bandPrice, contractAmount, contractFee } from './contract-terms.ts';
import type { LimitTicket, MarketTicket } from './contract-ticket.ts';
import { decidePlacement, type Placement } from './decide-contract.ts';

const price = (text: string) => parsePrice(text) as Price;
const btc = (text: string) => parseMoney('BTC', text) as Money<'BTC'>;
const limit: LimitTicket = {
  coin: 'BTC',
  side: 'buy',
  type: 'limit',
  price: price('60000.01'),
  quantity: btc('0.00003'),
  timeInForce: 'GTC',
  postOnly: false,
};
const market: MarketTicket = { coin: 'BTC', side: 'buy', type: 'market', timeInForce: 'IOC', size: btc('0.01') };
// The cost is 60000.01 × 0.00003, rounded up.
const good: Placement = {
  ticket: limit,
  index: price('60000'),
  reference: price('60000'),
  openOrders: 0,
  available: 1_800_001n,
};
const buyCollar = { min: '30000.00', max: '66000.00' };
const sellCollar = { min: '54000.00', max: '90000.00' };

describe('decidePlacement', () => {
  it('accepts an order that takes the last unit of its owner’s balance', () => {
    expect(decidePlacement(good)).toEqual({ ok: true, effect: { limit: price('60000.01'), size: btc('0.00003') } });
    expect(decidePlacement({ ...good, ticket: { ...limit, side: 'sell' }, available: 3_000n })).toMatchObject({
      ok: true,
    });
  });

  it('limits a market order by its band, and leaves the cost of a quantity to the matcher', () => {
    expect(decidePlacement({ ...good, ticket: market, available: 0n })).toMatchObject({
      effect: { limit: price('61200') },
    });
    expect(decidePlacement({ ...good, ticket: { ...market, side: 'sell' }, available: 10n ** 8n })).toMatchObject({
      effect: { limit: price('58800') },
    });
  });

  const sale = (quantity: string): MarketTicket => ({ ...market, side: 'sell', size: btc(quantity) });

  it('accepts a sale of a whole balance, below the smallest order and with a part of a lot for the house', () => {
    const at = price('60000');
    const sells = (quantity: string, change: Partial<Placement> = {}) =>
      decidePlacement({
        ...good,
        ticket: sale(quantity),
        available: btc(quantity).units,
        houseAvailable: 10n ** 9n,
        ...change,
      });
    expect(sells('0.01000998')).toMatchObject({ effect: { rest: { quantity: btc('0.00000998'), price: at } } });
    expect(sells('0.00000998')).toMatchObject({ effect: { rest: { quantity: btc('0.00000998'), price: at } } });
    expect(sells('0.00000998', { houseAvailable: 598_800n }).ok).toBe(true);
    expect(sells('0.00001')).toEqual({ ok: true, effect: { limit: price('58800'), size: btc('0.00001') } });
    // The index has more decimals than the book's price step.
    expect(sells('0.00000998', { index: price('60000.009') })).toMatchObject({ effect: { rest: { price: at } } });
  });

  const table: [Partial<Placement>, string, string | null, Record<string, string>?][] = [
    [{ available: 1_800_000n }, 'exceeds_balance', 'quantity', { available: '1.800000' }],
    [
      { ticket: { ...limit, side: 'sell' }, available: 2_999n },
      'exceeds_balance',
      'quantity',
      { available: '0.00002999' },
    ],
    [
      { ticket: { ...market, size: money('USDT', 9_000_000n) }, available: 8_999_999n },
      'exceeds_balance',
      'amount',
      { available: '8.999999' },
    ],
    [{ openOrders: 200, available: 0n }, 'too_many_orders', null, { max: '200' }],
    [{ ticket: { ...limit, price: price('66000.01') }, openOrders: 200 }, 'beyond_collar', 'price', buyCollar],
    [{ ticket: { ...limit, price: price('29999.99') } }, 'beyond_collar', 'price', buyCollar],
    [{ ticket: { ...limit, price: price('600000') }, index: null }, 'beyond_collar', 'price', buyCollar],
    [{ ticket: { ...limit, side: 'sell', price: price('53999.99') } }, 'beyond_collar', 'price', sellCollar],
    [{ ticket: { ...limit, side: 'sell', price: price('90000.01') } }, 'beyond_collar', 'price', sellCollar],
    [{ ticket: { ...market, size: btc('17') } }, 'above_maximum', 'quantity', { max: '1000000.000000' }],
    [{ ticket: sale('0.00000998'), available: 998n, houseAvailable: 598_799n }, 'no_liquidity', null],
    [
      { ticket: sale('0.00000001'), available: 1n, index: price('100') },
      'below_minimum',
      'quantity',
      { min: '0.000002' },
    ],
    [{ ticket: sale('0.00000998'), available: 997n }, 'below_minimum', 'quantity', { min: '1.000000' }],
    [{ ticket: sale('0.00000998'), available: 999n }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ ticket: sale('0.01000998'), available: 10n ** 8n }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ ticket: { ...market, size: btc('0.00001') } }, 'below_minimum', 'quantity', { min: '1.000000' }],
    [{ ticket: { ...market, size: btc('0.00001') }, index: null }, 'index_stale', null],
  ];
  it.each(table)('%# refuses', (change, refusal, field, params) => {
    expect(decidePlacement({ ...good, ...change })).toEqual({
      ok: false,
      refusal,
      ...(field && { field }),
      ...(params && { params }),
    });
  });

  it('a limit order may be at either end of its collar, and anywhere before there is an index', () => {
    const at = (side: 'buy' | 'sell', text: string, reference: Placement['reference'] = price('60000')) =>
      decidePlacement({ ...good, ticket: { ...limit, side, price: price(text) }, available: 10n ** 15n, reference }).ok;
    for (const text of [buyCollar.min, buyCollar.max]) expect(at('buy', text)).toBe(true);
    for (const text of [sellCollar.min, sellCollar.max]) expect(at('sell', text)).toBe(true);
    for (const text of ['0.01', '900000'])
      expect([at('buy', text, null), at('sell', text, null)]).toEqual([true, true]);
  });

  it('an order that does not rest is not counted as open, and a stale index stops no limit order', () => {
    const ioc: LimitTicket = { ...limit, timeInForce: 'IOC' };
    expect(decidePlacement({ ...good, ticket: ioc, openOrders: 200, index: null })).toMatchObject({ ok: true });
  });
});

const anyCoin = fc.constantFrom<CoinCode>(...COIN_CODES);
const anyIndex = (coin: CoinCode) =>
  fc.bigInt({ min: 1n, max: 10n ** 7n }).map((ticks) => (ticks * priceStepUnits(coin)) as Price);

describe('arithmetic of contracts', () => {
  it('a band ends at the last price step within 2% of the index', () => {
    fc.assert(
      fc.property(
        anyCoin.chain((coin) => fc.tuple(fc.constant(coin), anyIndex(coin))),
        ([coin, index]) => {
          const tick = priceStepUnits(coin);
          const [buy, sell] = [bandPrice(coin, 'buy', index), bandPrice(coin, 'sell', index)];
          expect([buy % tick, sell % tick]).toEqual([0n, 0n]);
          expect(buy * 10_000n <= index * 10_200n && (buy + tick) * 10_000n > index * 10_200n).toBe(true);
          expect(sell * 10_000n >= index * 9_800n && (sell - tick) * 10_000n < index * 9_800n).toBe(true);
        },
      ),
    );
  });

  it('a hold for the whole order covers its parts, and leaves less than a unit per part', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 13n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 10n }), { minLength: 1, maxLength: 20 }),
        (units, parts) => {
          const at = (units * 10_000n) as Price;
          const total = contractAmount(
            at,
            money(
              'BTC',
              parts.reduce((a, b) => a + b, 0n),
            ),
            'up',
          ).units;
          const paid = parts.reduce((sum, part) => sum + contractAmount(at, money('BTC', part), 'down').units, 0n);
          expect(paid <= total && total - paid <= BigInt(parts.length)).toBe(true);
        },
      ),
    );
  });

  it('A11 A12 a fee is its share rounded up to a unit, and never above the received amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 10_000 }), (received, bps) => {
        const fee = contractFee(money('USDT', received), rateFromBasisPoints(BigInt(bps))).units;
        expect(fee * 10_000n >= received * BigInt(bps) && (fee - 1n) * 10_000n < received * BigInt(bps)).toBe(true);
        expect(fee <= received).toBe(true);
      }),
    );
  });

  it('an average lies within half a price step of the exact one', () => {
    expect(averagePrice('BTC', 0n, 0n)).toBeNull();
    // 3 coins for 100 USDT: 33.333… each.
    expect(averagePrice('BTC', 100_000_000n * 10n ** 8n, 300_000_000n)).toBe(price('33.33'));
    expect(averagePrice('BTC', 200_000_000n * 10n ** 8n, 300_000_000n)).toBe(price('66.67'));
    // The average of a single fill is its price, however small the fill.
    expect(averagePrice('BTC', 105_108_560_000n * 1_000n, 1_000n)).toBe(price('105108.56'));
  });
});
