import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { KeyedRandom } from './keyed-random.ts';
import { simulatedMarket } from './simulated-price.ts';
import { simulatedVenues } from './simulated-venues.ts';

const SECOND = 1_795_176_896;

/** The previous generator: a finaliser over 32 bits of the seed. An attacker who finds these bits knows every lag. */
const mix = (value: number): number => {
  let h = (value + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};
const seed32 = (seed: string, name: string): number =>
  createHash('sha256').update(`${seed}\n${name}`).digest().readUInt32BE(0);
const lag32 = (state: number, second: number): number => 20 + (mix(mix(mix(state) ^ 4) ^ second) % 900);

/** Published lags of one venue's BTC, one per second. */
function publishedLags(seed: string, count: number): number[] {
  const [venue] = simulatedVenues(simulatedMarket(seed));
  return Array.from({ length: count }, (_, n) => {
    const at = (SECOND + n) * 1_000;
    return at - (venue?.latest('BTC', at)?.at ?? 0);
  });
}

describe('L9 what published ticks reveal of the simulator', () => {
  test('the search that found 32 bits of state finds them in the old generator, and none in this one', () => {
    const seed = 'a seed';
    const secret = seed32(seed, 'sim-1 BTC');
    // Searches a part of the 2^32 candidates that contains the right one; the full attack takes half a minute.
    const survivors = (lags: readonly number[]): number[] => {
      const found: number[] = [];
      for (let offset = -50_000; offset < 50_000; offset += 1) {
        const candidate = (secret + offset) >>> 0;
        const hits = lags.filter((lag, n) => lag === lag32(candidate, SECOND + n)).length;
        if (hits > lags.length / 2) found.push(candidate);
      }
      return found;
    };
    const old = Array.from({ length: 24 }, (_, n) => lag32(secret, SECOND + n));
    expect(survivors(old)).toEqual([secret]);
    expect(survivors(publishedLags(seed, 24))).toEqual([]);
  });

  test('every bit of a 256-bit seed counts, the last as much as the first', () => {
    const known = new KeyedRandom('0'.repeat(64), 'market');
    for (const place of [0, 7, 8, 31, 32, 63]) {
      const near = new KeyedRandom(`${'0'.repeat(place)}1${'0'.repeat(63 - place)}`, 'market');
      const equal = Array.from({ length: 2_000 }, (_, n) => known.below(2, 1, n) === near.below(2, 1, n));
      // Expects 1,000 of 2,000, within five standard deviations of 22.
      expect(Math.abs(equal.filter(Boolean).length - 1_000)).toBeLessThan(112);
    }
  });

  test('lags are drawn under another key than prices', () => {
    const names: string[] = [];
    const market = simulatedMarket('a seed');
    simulatedVenues({
      ...market,
      drawsOf: (name) => {
        names.push(name);
        return market.drawsOf(name);
      },
    });
    expect(names).toContain('sim-1 BTC');
    expect(names).toContain('sim-1 BTC lag');
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('keyed draws', () => {
  const draws = new KeyedRandom('a seed', 'a name');

  test('are a function of seed, name, kind and index', () => {
    const again = new KeyedRandom('a seed', 'a name');
    expect(again.share(1, 2)).toBe(draws.share(1, 2));
    const others = [
      new KeyedRandom('another seed', 'a name').share(1, 2),
      new KeyedRandom('a seed', 'another name').share(1, 2),
      draws.share(2, 1),
      draws.share(1, 3),
    ];
    expect(new Set([...others, draws.share(1, 2)]).size).toBe(5);
    expect(draws.normals([3, 4], [5, 6])).toEqual([...draws.normals([3], [5]), ...draws.normals([4], [6])]);
  });

  test('are uniform, and normal numbers follow the bell curve', () => {
    const shares = Array.from({ length: 20_000 }, (_, n) => draws.share(9, n));
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const count = shares.filter((share) => Math.floor(share * 10) === tenth).length;
      expect(Math.abs(count - 2_000)).toBeLessThan(5 * Math.sqrt(1_800));
    }
    const normals = Array.from({ length: 20_000 }, (_, n) => draws.normals([10], [n])[0] ?? 0);
    const mean = normals.reduce((sum, value) => sum + value, 0) / normals.length;
    const square = normals.reduce((sum, value) => sum + value * value, 0) / normals.length;
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(20_000));
    expect(Math.abs(square - 1)).toBeLessThan(0.05);
    const beyondTwo = normals.filter((value) => Math.abs(value) > 2).length / normals.length;
    expect(beyondTwo).toBeGreaterThan(0.035);
    expect(beyondTwo).toBeLessThan(0.055);
    // Checks that neighbouring draws are uncorrelated.
    const together = normals.slice(1).reduce((sum, value, n) => sum + value * (normals[n] ?? 0), 0) / normals.length;
    expect(Math.abs(together)).toBeLessThan(5 / Math.sqrt(20_000));
  });
});
