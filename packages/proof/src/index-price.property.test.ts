import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeIndexPrice, indexRulesOf, type SourceReading } from './index-price.ts';
import { faultOfPrice, NO_TICK_HASH, readTick, tickOf, writeTick } from './tick.ts';

const RULES = indexRulesOf('families/1', 10_000n);
const NOW = 1_677_628_800_000;
const price = (low: number, high: number) => fc.bigInt(BigInt(low), BigInt(high));
const reading = (name: string, family: string, value: bigint): SourceReading => ({
  name,
  family,
  latest: { price: value, at: NOW, trade: '1' },
});

test('one vote of three may report anything: the price stays between the other two', () => {
  fc.assert(
    fc.property(
      price(1_000_000, 2_000_000),
      price(0, 20_000),
      fc.array(price(1, 10_000_000), { minLength: 1, maxLength: 5 }),
      (base, apart, wrong) => {
        const readings = [
          reading('usdt', 'USDT', base),
          reading('usd', 'USD', base + apart),
          ...wrong.map((value, index) => reading(`usdc-${index}`, 'USDC', value)),
        ];
        const result = computeIndexPrice(NOW, readings, new Map(), { ...RULES, step: 1n });
        if (result.stale) return;
        expect(result.price).toBeGreaterThanOrEqual(base);
        expect(result.price).toBeLessThanOrEqual(base + apart);
      },
    ),
    { numRuns: 1_000 },
  );
});

const anyReading = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  family: fc.constantFrom('USDT', 'USDT', 'USD', 'USDC'),
  latest: fc.option(
    fc.record({
      price: fc.oneof(
        { weight: 5, arbitrary: price(99_000_000, 103_000_000) },
        { weight: 5, arbitrary: price(0, 1_000_000_000) },
        { weight: 1, arbitrary: fc.bigInt() },
      ),
      at: fc.oneof(
        { weight: 10, arbitrary: fc.integer({ min: NOW - 8_000, max: NOW + 3_000 }) },
        { weight: 1, arbitrary: fc.constantFrom(NOW * 1_000_000, NOW - 0.5, 1e21, -1, Number.NaN) },
      ),
      trade: fc.constantFrom('1', '2'),
    }),
  ),
});
const anySeconds = fc.array(fc.uniqueArray(anyReading, { selector: ({ name }) => name, maxLength: 7 }), {
  minLength: 1,
  maxLength: 5,
});

test('lists every source and can be recomputed from its text, whatever the sources report', () => {
  fc.assert(
    fc.property(anySeconds, (seconds) => {
      let state: Parameters<typeof computeIndexPrice>[2] = new Map();
      for (const [second, readings] of seconds.entries()) {
        const now = NOW + 1_000 * second;
        const result = computeIndexPrice(now, readings, state, RULES);
        state = result.state;
        const names = [...result.used, ...result.excluded].map(({ name }) => name).sort();
        expect(names).toEqual(readings.map(({ name }) => name).sort());
        if (result.stale) continue;
        expect(result.price % RULES.step).toBe(0n);
        expect(result.price).toBeGreaterThan(0n);
        const tick = tickOf(result, {
          coin: 'BTC',
          sequence: 1n,
          at: now,
          rule: 'families/1',
          environment: 'sim',
          previous: NO_TICK_HASH,
          previousPrice: null,
        });
        expect(faultOfPrice(tick)).toBeNull();
        const again = readTick(writeTick(tick));
        expect(again && writeTick(again)).toBe(writeTick(tick));
        expect(again && faultOfPrice(again)).toBeNull();
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the order in which sources are read does not matter', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyReading, { selector: ({ name }) => name, maxLength: 7 }), (readings) => {
      const one = computeIndexPrice(NOW, readings, new Map(), RULES);
      const other = computeIndexPrice(NOW, [...readings].reverse(), new Map(), RULES);
      expect(other.stale).toBe(one.stale);
      if (!one.stale && !other.stale) expect(other.price).toBe(one.price);
    }),
  );
});
