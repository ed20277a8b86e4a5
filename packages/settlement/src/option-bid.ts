/**
 * The price at which the house takes an open option back. It follows from the signed terms, the start price, one tick
 * of the index and the time that is left, in integers alone, so everybody computes the same.
 *
 * The index at the end is taken as normally distributed around the tick. The option is worth its credit times the
 * probability of a win plus its stake times that of a tie. The true volatility is only known to lie in a published
 * band, so each probability is the smallest one that the band allows: holding is never worth less. The spread comes
 * off.
 */
import { type Money, money } from '@sathorn/money';
import { type OptionTerms, type OptionTick, optionEndMs, optionWinOf } from './option-terms.ts';

/** The terms of selling before the end, fixed at the purchase. */
export interface OptionSaleTerms {
  /** The published volatility: the standard deviation of a year of 365 days, in parts of 10^-4 of the price. */
  readonly volatilityBasisPoints: bigint;
  /** By which share of itself the true volatility may differ from the published one, in parts of 10^-4. */
  readonly bandBasisPoints: bigint;
  /** What the house keeps, in parts of 10^-4 of the stake. */
  readonly spreadBasisPoints: bigint;
  /** The option can't be sold in this time before its end, in ms. */
  readonly closedMs: number;
}

/** A tick with the smallest step of its index, in price units. */
export interface StepTick extends OptionTick {
  readonly step: bigint;
}

const BASIS_POINTS = 10_000n;
const YEAR_MS = 365n * 86_400_000n;
/** Probabilities, distances in standard deviations and the terms of their series count 10^-18. */
const ONE = 10n ** 18n;
/** The square root of 2π. */
const ROOT_TWO_PI = 2_506_628_274_631_000_502n;
/** Beyond eight deviations nothing is left. */
const DEVIATIONS_MAX = 8n * ONE;
/** More than the error of the series, so that a probability is never too large. */
const SLACK = 1_000n;

/** floor(√n). */
export function rootOf(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * Φ(z) − ½ for z ≥ 0 in 10^-18: z + z³/3 + z⁵/(3·5) + …, divided by √2π·e^(z²/2) as a series. All terms are positive
 * and rounded down; each sum ends at its first term of 0.
 */
export function halfOf(z: bigint): bigint {
  if (z >= DEVIATIONS_MAX) return ONE / 2n;
  const square = z * z;
  let term = z;
  let sum = term;
  for (let n = 3n; term > 0n; n += 2n) {
    term = (term * square) / (ONE * ONE * n);
    sum += term;
  }
  let power = ONE;
  let exponential = ONE;
  for (let n = 2n; power > 0n; n += 2n) {
    power = (power * square) / (ONE * ONE * n);
    exponential += power;
  }
  return (sum * ONE * ONE) / (exponential * ROOT_TWO_PI);
}

/**
 * The smallest probability, in 10^-18, that the index passes a boundary: `ahead` is twice the distance by which it is
 * beyond it already. A higher volatility makes that less likely for an index that is beyond, and more likely for one
 * that is not.
 */
function leastProbability(ahead: bigint, tick: StepTick, leftMs: bigint, sale: OptionSaleTerms): bigint {
  const { volatilityBasisPoints, bandBasisPoints } = sale;
  const band = ahead >= 0n ? BASIS_POINTS + bandBasisPoints : BASIS_POINTS - bandBasisPoints;
  // In 10^-8. The square of twice the deviation at the end is 4 · price² · volatility² · left / (10^16 · year).
  const volatility = volatilityBasisPoints * band;
  const above = ahead * ahead * ONE * ONE * YEAR_MS * BASIS_POINTS ** 4n;
  const z = rootOf(above / (4n * (tick.price * volatility) ** 2n * leftMs));
  const least = ahead >= 0n ? ONE / 2n + halfOf(z) : ONE / 2n - halfOf(z + 1n);
  return least > SLACK ? least - SLACK : 0n;
}

/** What holding is worth at the tick at least, rounded down. Throws after the end, because that is a bug. */
export function optionWorthOf(
  terms: OptionTerms,
  sale: OptionSaleTerms,
  start: OptionTick,
  tick: StepTick,
): Money<'USDT'> {
  const leftMs = optionEndMs(terms) - tick.atMs;
  if (leftMs <= 0 || tick.sequence < start.sequence) throw new RangeError('a tick from outside of the option');
  const { profit, fee } = optionWinOf(terms.stake, terms.payout, terms.feeRate);
  const ahead = 2n * (terms.direction === 'up' ? tick.price - start.price : start.price - tick.price);
  // A win needs a whole step; half of it is the boundary between two published prices.
  const won = leastProbability(ahead - tick.step, tick, BigInt(leftMs), sale);
  const notLost = leastProbability(ahead + tick.step, tick, BigInt(leftMs), sale);
  return money('USDT', (won * (profit.units - fee.units) + notLost * terms.stake.units) / ONE);
}

/** What the house keeps of a sale: a share of the stake, rounded up, at least one unit. */
export function saleSpreadOf(stake: Money<'USDT'>, { spreadBasisPoints }: OptionSaleTerms): Money<'USDT'> {
  const units = (stake.units * spreadBasisPoints + BASIS_POINTS - 1n) / BASIS_POINTS;
  return money('USDT', units > 0n ? units : 1n);
}

/** The price at a tick; null if nothing is left after the spread. */
export function optionBidOf(
  terms: OptionTerms,
  sale: OptionSaleTerms,
  start: OptionTick,
  tick: StepTick,
): Money<'USDT'> | null {
  const units = optionWorthOf(terms, sale, start, tick).units - saleSpreadOf(terms.stake, sale).units;
  return units > 0n ? money('USDT', units) : null;
}

/** The last moment of a tick at which the option can be sold, in ms since 1970. */
export const saleUntilMs = (terms: OptionTerms, { closedMs }: OptionSaleTerms): number => optionEndMs(terms) - closedMs;
