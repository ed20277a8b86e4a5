import { COIN_CODES, lotUnits, money, price, priceStepUnits } from '@sathorn/money';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bandPrice, CONTRACT_LIMITS, contractAmount } from './contract-terms.ts';
import { decideQuotes, type QuoteSituation } from './decide-quotes.ts';

const situation = fc
  .record({
    coin: fc.constantFrom(...COIN_CODES),
    // From a few price steps to a million USDT, also between two price steps.
    index: fc.oneof(fc.bigInt(1n, 1_000_000n), fc.bigInt(1_000_000n, 1_000_000_000_000n)),
    halfSpreadBps: fc.bigInt(1n, 50n),
    isFast: fc.boolean(),
    sellMax: fc.oneof(fc.constant(null), fc.bigInt(0n, 10n ** 10n)),
    first: fc.bigInt(1_000_000n, 20_000_000_000n),
    coins: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 10n), fc.bigInt(0n, 10n ** 17n)),
    usdt: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 8n), fc.bigInt(0n, 10n ** 14n)),
  })
  .map(({ coin, index, halfSpreadBps, isFast, sellMax, first, coins, usdt }): QuoteSituation & { index: bigint } => ({
    coin,
    index: price(index),
    isFast,
    sellMax,
    terms: { halfSpreadBps, followBps: halfSpreadBps, first: money('USDT', first) },
    coins: money(coin, coins),
    usdt: money('USDT', usdt),
  }));

it('quotes stay within the band, never cross, have one level per price step, and need at most the balance', () => {
  fc.assert(
    fc.property(situation, (given) => {
      const { coin, index } = given;
      const quotes = decideQuotes(given);
      const of = (side: 'buy' | 'sell') => quotes.filter((quote) => quote.side === side);
      const [bids, asks] = [of('buy'), of('sell')];
      for (const { price: limit, quantity } of quotes) {
        expect(limit % priceStepUnits(coin)).toBe(0n);
        expect(quantity.units % lotUnits(coin)).toBe(0n);
        const worth = contractAmount(limit, quantity, 'down').units;
        expect(worth >= CONTRACT_LIMITS.amountMin.units && worth <= CONTRACT_LIMITS.amountMax.units).toBe(true);
      }
      bids.reduce((before, { price: limit }) => {
        expect(limit < before && limit >= bandPrice(coin, 'sell', price(index))).toBe(true);
        return limit;
      }, price(index));
      asks.reduce((before, { price: limit }) => {
        expect(limit > before && limit <= bandPrice(coin, 'buy', price(index))).toBe(true);
        return limit;
      }, price(index));
      const cost = bids.reduce((sum, quote) => sum + contractAmount(quote.price, quote.quantity, 'up').units, 0n);
      expect(cost <= given.usdt.units).toBe(true);
      const sold = asks.reduce((sum, { quantity }) => sum + quantity.units, 0n);
      expect(sold <= given.coins.units && sold <= (given.sellMax ?? sold)).toBe(true);
      expect(decideQuotes(given)).toEqual(quotes);
    }),
    { numRuns: 5_000 },
  );
});

it('more coins make bids and asks cheaper, never dearer', () => {
  fc.assert(
    fc.property(situation, fc.bigInt(0n, 10n ** 17n), (given, more) => {
      const best = (quotes: ReturnType<typeof decideQuotes>, side: 'buy' | 'sell') =>
        quotes.find((quote) => quote.side === side)?.price;
      const before = decideQuotes(given);
      const after = decideQuotes({ ...given, coins: money(given.coin, given.coins.units + more) });
      for (const side of ['buy', 'sell'] as const) {
        const [was, is] = [best(before, side), best(after, side)];
        // With more coins, bids and asks move down. When a level becomes too small for an order, the next level becomes
        // the best.
        if (was !== undefined && is !== undefined && before.length === after.length && before.length >= 16)
          expect(is <= was).toBe(true);
      }
    }),
    { numRuns: 3_000 },
  );
});
