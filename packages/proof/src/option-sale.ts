/**
 * Recomputes the price of a sold option from its signed terms, its start price and the tick of the sale, as
 * verification.md describes it. It is written independently of the settlement engine on purpose, so that a fault in
 * that engine cannot hide itself.
 */

/** The terms of selling in signed terms: parts of 10^-4, and the closed time before the end in ms. */
export interface SignedSaleTerms {
  readonly volatilityBasisPoints: bigint;
  readonly bandBasisPoints: bigint;
  readonly spreadBasisPoints: bigint;
  readonly closedMs: number;
}

export interface SaleFigures {
  readonly sale: SignedSaleTerms;
  readonly isUp: boolean;
  /** In units of 10^-6 USDT: the stake, and what a win adds to it after its fee. */
  readonly stake: bigint;
  readonly gain: bigint;
  /** Prices and the index's step in units of 10^-6 USDT. */
  readonly startPrice: bigint;
  readonly price: bigint;
  readonly step: bigint;
  /** From the tick to the end, above 0. */
  readonly leftMs: number;
}

const E18 = 1_000_000_000_000_000_000n;
const HALF = E18 / 2n;
const ROOT_OF_TWO_PI = 2_506_628_274_631_000_502n;
const MS_OF_A_YEAR = 31_536_000_000n;
const ERROR_MAX = 1_000n;

/** The largest integer whose square is not above `n`, found bit by bit. */
function integerRoot(n: bigint): bigint {
  let root = 0n;
  let bit = 1n << BigInt(Math.floor(n.toString(2).length / 2) + 1);
  for (; bit > 0n; bit >>= 1n) {
    const tried = root + bit;
    if (tried * tried <= n) root = tried;
  }
  return root;
}

/** The sum of first · z²ⁿ / (10³⁶ · the divisors), each term rounded down, up to the first that is 0. */
function seriesOf(first: bigint, z: bigint, divisor: bigint): bigint {
  const square = z * z;
  let [sum, term, by] = [first, first, divisor];
  while (term > 0n) {
    term = (term * square) / (E18 * E18 * by);
    sum += term;
    by += 2n;
  }
  return sum;
}

function distanceFromHalf(z: bigint): bigint {
  if (z >= 8n * E18) return HALF;
  return (seriesOf(z, z, 3n) * E18 * E18) / (seriesOf(E18, z, 2n) * ROOT_OF_TWO_PI);
}

function leastProbability(doubled: bigint, { sale, price, leftMs }: SaleFigures): bigint {
  const isBeyond = doubled >= 0n;
  const share = isBeyond ? 10_000n + sale.bandBasisPoints : 10_000n - sale.bandBasisPoints;
  const deviation = 2n * price * sale.volatilityBasisPoints * share;
  const z = integerRoot((doubled * doubled * 10n ** 52n * MS_OF_A_YEAR) / (deviation * deviation * BigInt(leftMs)));
  const probability = isBeyond ? HALF + distanceFromHalf(z) : HALF - distanceFromHalf(z + 1n);
  return probability < ERROR_MAX ? 0n : probability - ERROR_MAX;
}

/** Null if nothing is left after the spread. */
export function priceOfSale(figures: SaleFigures): bigint | null {
  const { sale, isUp, stake, gain, startPrice, price, step } = figures;
  const doubled = 2n * (isUp ? price - startPrice : startPrice - price);
  const won = leastProbability(doubled - step, figures);
  const notLost = leastProbability(doubled + step, figures);
  const worth = (won * gain + notLost * stake) / E18;
  const share = (stake * sale.spreadBasisPoints + 9_999n) / 10_000n;
  const left = worth - (share === 0n ? 1n : share);
  return left > 0n ? left : null;
}
