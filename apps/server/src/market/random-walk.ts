/**
 * A random walk that is a function of time alone: Lévy's construction of Brownian motion. Between two fixed points the middle
 * is displaced at random, then the middle of each half, down to single seconds. The displacements come from a hash, so any
 * second can be asked for by itself, in any order, for ever with the same answer: history, present and what comes after a
 * restart are one walk. Only + − × ÷ and square roots are used, which every machine rounds alike.
 */
export interface WalkShape {
  /** Standard deviation of a move in one second, as a share of the price. */
  readonly perSecond: number;
  /** Standard deviation of the fixed points, half a year apart: how far prices wander in the long run. */
  readonly longRun: number;
}

/** Half a year (2^24 s): the distance of the fixed points. */
const TOP_LEVEL = 24;
const TOP = 2 ** TOP_LEVEL;
/** Restless and quiet stretches of 2^12 s, a bit more than an hour. */
const MOOD_LEVEL = 12;

/** The walk at a whole second since 1970, around zero; a logarithm of a price. */
export type Walk = (second: number) => number;

/**
 * Whoever asks for one second mostly asks for one near it next, where the displacements of the longer stretches are the same: each level
 * remembers its last one.
 */
export function walkOf(seed: number, shape: WalkShape): Walk {
  const stretches = new Int32Array(TOP_LEVEL + 1);
  const displacements = new Float64Array(TOP_LEVEL + 1);
  let block = Number.NaN;
  let [left, right] = [0, 0];

  const enter = (first: number): void => {
    block = first;
    left = normal(hash(seed, TOP_LEVEL, first));
    right = normal(hash(seed, TOP_LEVEL, first + 1));
    stretches.fill(-1);
  };
  return (second) => {
    const first = Math.floor(second / TOP);
    if (first !== block) enter(first);
    const offset = second - first * TOP;
    const share = offset / TOP;
    let sum = shape.longRun * (left * (1 - share) + right * share);
    const mood = moodAt(seed, second);
    for (let level = TOP_LEVEL; level >= 1; level -= 1) {
      const length = 1 << level;
      const position = (offset & (length - 1)) / length;
      // A tent: nothing at the ends, which were placed before, everything in the middle.
      const tent = position < 0.5 ? 2 * position : 2 - 2 * position;
      if (tent === 0) continue;
      const stretch = offset >> level;
      if (stretches[level] !== stretch) {
        stretches[level] = stretch;
        displacements[level] = normal(hash(seed, level - 1, 2 * (first * (1 << (TOP_LEVEL - level)) + stretch) + 1));
      }
      const restless = level <= MOOD_LEVEL ? mood : 1;
      sum += (displacements[level] as number) * tent * restless * shape.perSecond * Math.sqrt(length) * 0.5;
    }
    return sum;
  };
}

/** How restless a stretch is: from half to nearly twice the usual. */
export function moodAt(seed: number, second: number): number {
  const roll = hash(seed ^ 0x6d6f6f64, MOOD_LEVEL, Math.floor(second / 2 ** MOOD_LEVEL)) / 2 ** 32;
  return 0.55 + 1.3 * roll * roll;
}

/** A share of one, the same for the same three numbers. */
export function roll(seed: number, kind: number, index: number): number {
  return hash(seed, kind, index) / 2 ** 32;
}

/** Well mixed 32 bits from a seed and two whole numbers (the finaliser of MurmurHash3, once for each). */
export function hash(seed: number, kind: number, index: number): number {
  return mix(mix(mix(seed) ^ kind) ^ index);
}

function mix(value: number): number {
  let h = (value + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Nearly normal, mean 0, deviation 1: the sum of the four bytes. */
function normal(bits: number): number {
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  return (sum - 510) / 147.8;
}

/** e^x for |x| ≤ 8, by a series and repeated squaring: `Math.exp` may differ in its last digit from one machine to the next. */
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
