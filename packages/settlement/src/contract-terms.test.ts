import {
  COIN_CODES,
  type CoinCode,
  lotUnits,
  type Money,
  money,
  price,
  priceStepUnits,
  type Rounding,
} from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractAmount } from './contract-terms.ts';

/** Computes amounts as the book does: price steps × lots. */
const amountOf = (code: CoinCode, steps: number, lots: number, rounding: Rounding): Money<'USDT'> =>
  contractAmount(price(BigInt(steps) * priceStepUnits(code)), money(code, BigInt(lots) * lotUnits(code)), rounding);

const coin = fc.constantFrom(...COIN_CODES);

describe('the amount of a contract', () => {
  it('is price × quantity, exact except for the stated rounding', () => {
    expect(amountOf('BTC', 6_421_025, 100_000, 'up')).toEqual(money('USDT', 64_210_250_000n));
    expect(amountOf('BTC', 1, 1, 'down')).toEqual(money('USDT', 0n));
    expect(amountOf('BTC', 1, 1, 'up')).toEqual(money('USDT', 1n));
    expect(amountOf('DOGE', 12_345, 7, 'down')).toEqual(amountOf('DOGE', 12_345, 7, 'up'));
  });

  it('held for a whole order covers its fills at its price or better, however they split it', () => {
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
