/**
 * How likely the results of a box are by its odds. A customer who knows the seeds draws the highest prize each time:
 * every single draw is right, and all of them together are not believable.
 */

/** Results that come up by chance less often than once in 10^9 boxes are refused. */
export const BOX_CHANCE_LOG10_MIN = -9;

/**
 * The base-10 logarithm of the chance that some row of a box's table is drawn at least as far from its share as it was:
 * the smallest exact binomial tail of all rows, times twice their number (Bonferroni). 0 without draws.
 */
export function boxChanceLog10(given: readonly number[], weights: readonly number[]): number {
  const [draws, sum] = [given.reduce((a, b) => a + b, 0), weights.reduce((a, b) => a + b, 0)];
  const tails = weights.map((weight, row) => logTail(draws, given[row] ?? 0, weight / sum));
  return Math.min(0, (Math.min(0, ...tails) + Math.log(2 * weights.length)) / Math.LN10);
}

/** The natural logarithm of P(X ≥ k) above the mean and of P(X ≤ k) below it, for a binomial X. */
function logTail(n: number, k: number, p: number): number {
  const mean = n * p;
  if (p >= 1 || k === mean) return 0;
  let logTerm = logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p);
  // Each further term is the one before times a ratio below 1, so the sum converges.
  let [sum, ratio, at] = [1, 1, k];
  while (ratio > 1e-16) {
    if (k > mean ? at >= n : at <= 0) break;
    ratio *= k > mean ? ((n - at) / (at + 1)) * (p / (1 - p)) : (at / (n - at + 1)) * ((1 - p) / p);
    sum += ratio;
    at += k > mean ? 1 : -1;
  }
  logTerm += Math.log(sum);
  return Math.min(0, logTerm);
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let j = 1; j <= k; j += 1) log += Math.log((n - k + j) / j);
  return log;
}
