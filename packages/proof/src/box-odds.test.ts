import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOX_CHANCE_LOG10_MIN, boxChanceLog10 } from './box-odds.ts';

const WEIGHTS = [100, 900, 9_000];

describe('the chance of a box’s results', () => {
  it('is 1 without draws and near the odds', () => {
    expect(boxChanceLog10([0, 0, 0], WEIGHTS)).toBe(0);
    expect(boxChanceLog10([1, 9, 90], WEIGHTS)).toBe(0);
    expect(boxChanceLog10([10, 93, 897], WEIGHTS)).toBe(0);
  });

  it('is that of the exact tail', () => {
    // Twelve draws of a row with one percent: 10^-24, times six.
    expect(boxChanceLog10([12, 0, 0], WEIGHTS)).toBeCloseTo(-24 + Math.log10(6), 9);
    // No draw of a row of 90 percent in twenty: 10^-20, times six.
    expect(boxChanceLog10([2, 18, 0], WEIGHTS)).toBeCloseTo(-20 + Math.log10(6), 9);
    // At least two of two at one half: a quarter, times four.
    expect(boxChanceLog10([2, 0], [1, 1])).toBe(0);
  });

  it('believes one lucky draw of a rare prize, and not twelve', () => {
    const rare = [1, 9_999];
    expect(boxChanceLog10([1, 9], rare)).toBeGreaterThan(-3);
    expect(boxChanceLog10([3, 9], rare)).toBeLessThan(BOX_CHANCE_LOG10_MIN);
  });

  it('finds the smallest tail of a sum computed term by term', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.integer({ min: 1, max: 99 }), (n, hits, weight) => {
        const k = Math.min(n, hits);
        const p = weight / 100;
        let choose = 1;
        const terms = Array.from({ length: n + 1 }, (_, j) => {
          if (j > 0) choose = (choose * (n - j + 1)) / j;
          return choose * p ** j * (1 - p) ** (n - j);
        });
        const add = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
        const tail = k > n * p ? add(terms.slice(k)) : k < n * p ? add(terms.slice(0, k + 1)) : 1;
        const wanted = Math.min(0, Math.log10(Math.min(1, tail)) + Math.log10(4));
        // Both rows have the same tail, as each draw is one of the two.
        expect(boxChanceLog10([k, n - k], [weight, 100 - weight])).toBeCloseTo(wanted, 6);
      }),
    );
  });

  it('refuses next to nothing that is drawn by the odds', () => {
    let state = 1;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    let least = 0;
    for (let box = 0; box < 200; box += 1) {
      const given = [0, 0, 0];
      for (let draw = 0; draw < 300; draw += 1) {
        const at = random() * 10_000;
        const row = at < 100 ? 0 : at < 1_000 ? 1 : 2;
        given[row] = (given[row] ?? 0) + 1;
      }
      least = Math.min(least, boxChanceLog10(given, WEIGHTS));
    }
    expect(least).toBeGreaterThan(-5);
  });
});
