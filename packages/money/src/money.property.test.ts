import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, formatMoney, isMore, type Money, money, parseMoney, share, subtract } from './money.ts';
import { RATE_ONE, type Rate } from './rate.ts';
import { mulDiv } from './rounding.ts';

/** Amounts up to the largest value of a ledger's counter. */
const counts = fc.bigInt(0n, 10n ** 38n);

describe('a share', () => {
  it('is exact up to the last unit, which goes to the named side', () => {
    fc.assert(
      fc.property(counts, counts, fc.bigInt(1n, 10n ** 38n), (a, b, c) => {
        const [down, up] = [mulDiv(a, b, c, 'down'), mulDiv(a, b, c, 'up')];
        expect(down * c <= a * b && a * b < (down + 1n) * c).toBe(true);
        expect(up - down).toBe((a * b) % c === 0n ? 0n : 1n);
      }),
    );
  });

  it('and its rest add up to the whole, and a share of 100% is the whole', () => {
    fc.assert(
      fc.property(counts, fc.bigInt(0n, RATE_ONE), (units, rate) => {
        const whole = money('USDT', units);
        const part = share(whole, rate as Rate, 'down');
        const rest = share(whole, (RATE_ONE - rate) as Rate, 'up');
        expect(add(part, rest)).toEqual(whole);
        expect(subtract(whole, rest)).toEqual(part);
        expect(share(whole, RATE_ONE, 'down')).toEqual(whole);
      }),
    );
  });

  it.each([
    [-1n, 1n, 1n],
    [1n, -1n, 1n],
    [1n, 1n, 0n],
    [1n, 1n, -1n],
  ])('of %i × %i ÷ %i does not exist', (a, b, c) => expect(() => mulDiv(a, b, c, 'down')).toThrow(RangeError));
});

describe('two assets', () => {
  const usdt = money('USDT', 1n);
  it.each<[string, Money]>([
    ['another', money('BTC', 1n)],
    ['none that there is', JSON.parse('{"asset":"toString","units":1}') as Money],
  ])('do not mix, whatever JSON says: %s', (_what, other) => {
    for (const mix of [add, subtract, isMore]) {
      expect(() => mix(usdt, other as Money<'USDT'>)).toThrow('do not mix');
    }
  });

  it('of different scales parse the same text in their own units, or refuse it', () => {
    expect(parseMoney('USDT', '1.5')?.units).toBe(1_500_000n);
    expect(parseMoney('BTC', '1.5')?.units).toBe(150_000_000n);
    expect([parseMoney('POINTS', '1.5'), parseMoney('THB', '1.505'), parseMoney('USDT', '0.0000001')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(formatMoney(money('POINTS', 7n))).toBe('7');
  });
});
