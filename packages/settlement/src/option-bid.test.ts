import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formatMoney, money, price, type Rate } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfOf, optionBidOf, optionWorthOf, rootOf, saleSpreadOf } from './option-bid.ts';
import { optionWinOf } from './option-terms.ts';
import { normalOf, SALE_TEST_TERMS, saleTick, TEST_SALE } from './testing-sales.ts';

const START = saleTick(1, 64_000_000_000n);

describe('the normal distribution in integers', () => {
  it('takes roots down', () => {
    for (const n of [0n, 1n, 2n, 3n, 4n, 8n, 9n, 10n ** 40n - 1n, 10n ** 40n]) {
      const root = rootOf(n);
      expect(root * root <= n && (root + 1n) * (root + 1n) > n).toBe(true);
    }
  });

  // Values of tables to fifteen decimals.
  it.each([
    [0n, '0'],
    [500_000_000_000_000_000n, '0.191462461274013'],
    [1_000_000_000_000_000_000n, '0.341344746068543'],
    [1_959_963_984_540_054_000n, '0.475'],
    [3_000_000_000_000_000_000n, '0.498650101968370'],
    [6_000_000_000_000_000_000n, '0.499999999013412'],
    [8_000_000_000_000_000_000n, '0.5'],
  ])('Φ(%i·10^-18) − ½ is %s', (z, known) => {
    expect(Number(halfOf(z)) / 1e18).toBeCloseTo(Number(known), 14);
  });

  it('never falls, and never leaves the range', () => {
    let last = -1n;
    for (let z = 0n; z <= 8_100_000_000_000_000_000n; z += 30_000_000_000_000_000n) {
      const half = halfOf(z);
      expect(half >= last && half <= 10n ** 18n / 2n).toBe(true);
      last = half;
    }
  });
});

/** The worth in floating point, with one volatility. */
function worthAt(up: boolean, from: bigint, to: bigint, left: number, volatility: number): number {
  const { profit, fee } = optionWinOf(SALE_TEST_TERMS.stake, SALE_TEST_TERMS.payout, SALE_TEST_TERMS.feeRate);
  const deviation = Number(to) * volatility * Math.sqrt(left / (365 * 86_400));
  const ahead = Number(up ? to - from : from - to);
  const won = normalOf((ahead - 5_000) / deviation);
  const notLost = normalOf((ahead + 5_000) / deviation);
  return won * Number(profit.units - fee.units) + notLost * Number(SALE_TEST_TERMS.stake.units);
}

describe('the price of an open option', () => {
  it('is what the formula of the documents says', () => {
    const shown = [64_000_000_000n, 64_010_000_000n, 63_990_000_000n, 64_060_000_000n, 63_900_000_000n].map((to) => {
      const bid = optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, saleTick(30, to));
      return bid && formatMoney(bid);
    });
    expect(shown).toMatchInlineSnapshot(`
      [
        "89.648673",
        "108.904569",
        "61.179698",
        "171.199078",
        null,
      ]
    `);
  });

  it('rounds down by less than one unit, with the worse volatility of the band', () => {
    const move = fc.integer({ min: -12_000, max: 12_000 });
    fc.assert(
      fc.property(fc.boolean(), move, fc.integer({ min: 2, max: 54 }), (up, steps, second) => {
        const to = 64_000_000_000n + BigInt(steps) * 10_000n;
        const tick = saleTick(second, to);
        const terms = { ...SALE_TEST_TERMS, direction: up ? ('up' as const) : ('down' as const) };
        const worth = Number(optionWorthOf(terms, TEST_SALE, START, tick).units);
        const left = 60.123 - second;
        const known = Math.min(...[0.4, 0.6].map((volatility) => worthAt(up, START.price, to, left, volatility)));
        // Floating point is good to some 10^-5 units here. Near the start each boundary has a volatility of its own.
        if (Math.abs(steps) > 1) {
          expect(worth).toBeLessThanOrEqual(known + 1e-4);
          expect(worth).toBeGreaterThan(known - 1 - 1e-4);
        } else expect(worth).toBeLessThanOrEqual(known + 1e-4);
      }),
      { numRuns: 1_500 },
    );
  });

  it('never exceeds what a win credits, less the spread', () => {
    const credit = optionWinOf(SALE_TEST_TERMS.stake, SALE_TEST_TERMS.payout, SALE_TEST_TERMS.feeRate).credited;
    const far = optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, saleTick(55, 90_000_000_000n));
    const most = credit.units - saleSpreadOf(SALE_TEST_TERMS.stake, TEST_SALE).units;
    expect(far?.units).toBeLessThan(most);
    expect(far?.units).toBeGreaterThan(most - 2n);
  });

  it('is nothing where the worth does not exceed the spread', () => {
    expect(optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, saleTick(55, 63_000_000_000n))).toBeNull();
  });

  it('keeps one unit at least, and rounds the spread up', () => {
    const spread = (units: bigint, spreadBasisPoints: bigint) =>
      saleSpreadOf(money('USDT', units), { ...TEST_SALE, spreadBasisPoints }).units;
    expect([spread(100n, 0n), spread(1n, 200n), spread(51n, 200n), spread(50n, 200n)]).toEqual([1n, 1n, 2n, 1n]);
  });

  it('is the same for up and down at mirrored distances', () => {
    const other = { ...SALE_TEST_TERMS, direction: 'down' as const };
    const tick = saleTick(20, 64_000_000_000n);
    expect(optionBidOf(other, TEST_SALE, START, tick)).toEqual(optionBidOf(SALE_TEST_TERMS, TEST_SALE, START, tick));
  });

  it('throws after the end, and for a tick before the start', () => {
    expect(() => optionWorthOf(SALE_TEST_TERMS, TEST_SALE, START, saleTick(61, 1n))).toThrow(RangeError);
    expect(() => optionWorthOf(SALE_TEST_TERMS, TEST_SALE, START, saleTick(0, 1n))).toThrow(RangeError);
  });
});

interface BidVector {
  readonly bid: string | null;
  readonly dir: 'up' | 'down';
  readonly [name: string]: string | null;
}

// The verifiers of the browser and of Python compute the same file by code of their own.
it('agrees with the published vectors', () => {
  const file = path.join(import.meta.dirname, '../../proof/vectors/bids.json');
  const vectors: BidVector[] = JSON.parse(readFileSync(file, 'utf8'));
  expect(vectors.length).toBeGreaterThan(100);
  for (const vector of vectors) {
    const of = (name: string) => BigInt(vector[name] ?? '');
    // A payout whose profit is the gain exactly, without a fee.
    const payout = ((of('gain') * 10n ** 8n + of('stake') - 1n) / of('stake')) as Rate;
    const terms = {
      ...SALE_TEST_TERMS,
      direction: vector.dir,
      stake: money('USDT', of('stake')),
      payout,
      feeRate: 0n as Rate,
      acceptedMs: 0,
      durationMs: 1_000 + Number(of('left')),
    };
    const sale = {
      volatilityBasisPoints: of('vol_bps'),
      bandBasisPoints: of('band_bps'),
      spreadBasisPoints: of('spread_bps'),
      closedMs: 5_000,
    };
    const from = { sequence: 1n, atMs: 500, price: price(of('start')) };
    const at = { sequence: 2n, atMs: 1_000, price: price(of('price')), step: of('step') };
    expect(optionBidOf(terms, sale, from, at)?.units.toString() ?? null, JSON.stringify(vector)).toBe(vector.bid);
  }
});
