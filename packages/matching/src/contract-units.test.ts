import { COIN_CODES, type CoinCode, money, parseMoney, parsePrice, price } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, lotsOf, priceOfTicks, quantityOfLots, ticksOf } from './contract-units.ts';

const coin = fc.constantFrom(...COIN_CODES);
const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('contract units', () => {
  it.each<[CoinCode, string, number | undefined]>([
    ['BTC', '64210.25', 6_421_025],
    ['BTC', '64210.255', undefined],
    ['DOGE', '0.12345', 12_345],
    ['DOGE', '0', undefined],
    ['XRP', '0.5', 5_000],
  ])('of %s at %s are %s ticks', (code, text, ticks) => {
    const value = parsePrice(text);
    expect(value === undefined ? 'unreadable' : ticksOf(code, value)).toBe(ticks);
  });

  it.each<[CoinCode, string, number | undefined]>([
    ['BTC', '0.00001', 1],
    ['BTC', '0.000001', undefined],
    ['DOGE', '7', 7],
    ['DOGE', '7.5', undefined],
    ['ETH', '0', undefined],
  ])('of %s %s are %s lots', (code, text, lots) => {
    const quantity = parseMoney(code, text);
    expect(quantity === undefined ? 'unreadable' : lotsOf(quantity)).toBe(lots);
  });

  it('refuse what a number does not hold exactly', () => {
    expect(ticksOf('DOGE', price(10n * 2n ** 53n))).toBeUndefined();
    expect(ticksOf('DOGE', price(10n * (2n ** 53n - 1n)))).toBe(Number.MAX_SAFE_INTEGER);
    expect(lotsOf(money('DOGE', 10n ** 8n * 2n ** 53n))).toBeUndefined();
    expect(lotsOf(money('BTC', -1000n))).toBeUndefined();
  });

  it('come back as they went', () => {
    fc.assert(
      fc.property(coin, count, (code, counted) => {
        expect(ticksOf(code, priceOfTicks(code, counted))).toBe(counted);
        expect(lotsOf(quantityOfLots(code, counted))).toBe(counted);
      }),
    );
  });

  it('cost what they should', () => {
    expect(amountOf('BTC', 6_421_025, 100_000, 'up')).toEqual(money('USDT', 64_210_250_000n));
    expect(amountOf('BTC', 1, 1, 'down')).toEqual(money('USDT', 0n));
    expect(amountOf('BTC', 1, 1, 'up')).toEqual(money('USDT', 1n));
    expect(amountOf('DOGE', 12_345, 7, 'down')).toEqual(amountOf('DOGE', 12_345, 7, 'up'));
  });

  it('held for a whole order cover its fills at its price or better, however it is cut', () => {
    const fills = fc.array(
      fc.record({ lots: fc.integer({ min: 1, max: 2 ** 40 }), better: fc.integer({ min: 0, max: 99 }) }),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(coin, fc.integer({ min: 100, max: 2 ** 45 }), fills, (code, ticks, cuts) => {
        const whole = cuts.reduce((total, cut) => total + cut.lots, 0);
        const paid = cuts.reduce(
          (total, cut) => total + amountOf(code, ticks - cut.better, cut.lots, 'down').units,
          0n,
        );
        expect(paid <= amountOf(code, ticks, whole, 'up').units).toBe(true);
      }),
    );
  });
});
