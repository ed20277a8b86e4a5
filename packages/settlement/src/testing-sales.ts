import { money, price, RATE_ONE, type Rate } from '@sathorn/money';
import type { OptionSaleTerms, StepTick } from './option-bid.ts';
import type { OptionTerms } from './option-terms.ts';

export const SALE_ACCEPTED_MS = 1_767_225_600_123;
export const SALE_TEST_TERMS: OptionTerms = {
  direction: 'up',
  stake: money('USDT', 100_000_000n),
  payout: ((RATE_ONE * 85n) / 100n) as Rate,
  feeRate: ((RATE_ONE * 2n) / 100n) as Rate,
  acceptedMs: SALE_ACCEPTED_MS,
  durationMs: 60_000,
};
export const TEST_SALE: OptionSaleTerms = {
  volatilityBasisPoints: 5_000n,
  bandBasisPoints: 2_000n,
  spreadBasisPoints: 200n,
  closedMs: 5_000,
};

/** The tick of a second after the acceptance, from 1: the start tick has the number 1. */
export const saleTick = (second: number, units: bigint): StepTick => ({
  sequence: BigInt(second),
  atMs: SALE_ACCEPTED_MS - 123 + second * 1_000,
  price: price(units),
  step: 10_000n,
});

/** Uniform on (0, 1) and seeded (mulberry32). */
export function seededUniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

/** Normal numbers of deviation 1 (Box and Muller). */
export function seededNormal(seed: number): () => number {
  const next = seededUniform(seed);
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

/** Φ by the continued fraction and series of Marsaglia, to about 10^-15. */
export function normalOf(z: number): number {
  if (z > 8) return 1;
  if (z < -8) return 0;
  let [sum, term] = [z, z];
  for (let n = 3; Math.abs(term) > 1e-18; n += 2) {
    term = (term * z * z) / n;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-z * z * 0.5 - 0.9189385332046728);
}
