import { cacheLatestAnswer, type KeyedRandom } from './keyed-random.ts';

/**
 * A random walk as a function of time alone: Lévy's construction of Brownian motion. Between two fixed points the
 * middle is displaced at random, then the middle of each half, down to single seconds. The displacements come from
 * keyed draws, so any second can be computed independently and always gives the same result: history, present and the
 * time after a restart are one walk.
 */
export interface WalkShape {
  /** Standard deviation of the change per second, as a share of the price. */
  readonly perSecond: number;
  /** Standard deviation of the fixed points, half a year apart: how far prices wander in the long run. */
  readonly longRun: number;
}

/** Half a year (2^24 s): the distance between fixed points. */
const TOP_LEVEL = 24;
const TOP = 2 ** TOP_LEVEL;
/** Volatility is constant within a stretch of 2^12 s, a little over an hour. */
const VOLATILITY_LEVEL = 12;

/** The kind of draws for volatility. Kinds 0 to 23 are displacements by level, and 24 is for fixed points. */
const VOLATILITY_KIND = 64;

/** The walk at a whole second since 1970: the logarithm of a price, around zero. */
export type PriceWalk = (second: number) => number;

/**
 * Consecutive calls are mostly for nearby seconds, which share the displacements of longer stretches. So each level
 * caches its last displacement, and missing ones are drawn together.
 */
export function priceWalkOf(draws: KeyedRandom, shape: WalkShape): PriceWalk {
  const stretches = new Int32Array(TOP_LEVEL + 1);
  const displacements = new Float64Array(TOP_LEVEL + 1);
  const volatility = volatilityOf(draws);
  let block = Number.NaN;
  let [left, right] = [0, 0];

  const enter = (first: number): void => {
    block = first;
    [left = 0, right = 0] = draws.normals([TOP_LEVEL, TOP_LEVEL], [first, first + 1]);
    stretches.fill(-1);
  };
  const drawNew = (first: number, offset: number): void => {
    const kinds: number[] = [];
    const indexes: number[] = [];
    for (let level = TOP_LEVEL; level >= 1; level -= 1) {
      const stretch = offset >> level;
      // This point was already placed as part of the longer stretch around it.
      if (stretches[level] === stretch || (offset & ((1 << level) - 1)) === 0) continue;
      stretches[level] = stretch;
      kinds.push(level - 1);
      indexes.push(2 * (first * (1 << (TOP_LEVEL - level)) + stretch) + 1);
    }
    const drawn = draws.normals(kinds, indexes);
    kinds.forEach((kind, n) => {
      displacements[kind + 1] = drawn[n] ?? 0;
    });
  };
  return (second) => {
    const first = Math.floor(second / TOP);
    if (first !== block) enter(first);
    const offset = second - first * TOP;
    const share = offset / TOP;
    drawNew(first, offset);
    let sum = shape.longRun * (left * (1 - share) + right * share);
    const factor = volatility(second);
    for (let level = TOP_LEVEL; level >= 1; level -= 1) {
      const length = 1 << level;
      const position = (offset & (length - 1)) / length;
      // A tent function: zero at the ends, which are already placed, and one in the middle.
      const tent = position < 0.5 ? 2 * position : 2 - 2 * position;
      if (tent === 0) continue;
      const scale = level <= VOLATILITY_LEVEL ? factor : 1;
      sum += (displacements[level] as number) * tent * scale * shape.perSecond * Math.sqrt(length) * 0.5;
    }
    return sum;
  };
}

/** The volatility of a stretch: from half to nearly twice the usual. */
export function volatilityOf(draws: KeyedRandom): (second: number) => number {
  const volatilityOfStretch = cacheLatestAnswer((stretch) => {
    const share = draws.share(VOLATILITY_KIND, stretch);
    return 0.55 + 1.3 * share * share;
  });
  return (second) => volatilityOfStretch(Math.floor(second / 2 ** VOLATILITY_LEVEL));
}

/**
 * e^x for |x| ≤ 8 by a series and repeated squaring, because `Math.exp` may differ in its last digit between machines.
 */
export function exponential(x: number): number {
  const small = x / 256;
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= 10; n += 1) {
    term = (term * small) / n;
    sum += term;
  }
  for (let n = 0; n < 8; n += 1) sum *= sum;
  return sum;
}
