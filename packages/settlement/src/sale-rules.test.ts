import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { decideSale } from './decide-sale.ts';
import { optionBidOf, optionWorthOf, type StepTick, saleUntilMs } from './option-bid.ts';
import { optionWinOf } from './option-terms.ts';
import { endTickOf, settleOption } from './settle-option.ts';
import { SALE_TEST_TERMS, saleTick, seededNormal, seededUniform, TEST_SALE } from './testing-sales.ts';

const START = 64_000_000_000n;
const STAKE = Number(SALE_TEST_TERMS.stake.units);
/** The published deviation of one second, in price units. */
const SIGMA = (Number(START) * 0.5) / Math.sqrt(365 * 86_400);
const SECONDS = 60;
const start = saleTick(1, START);
const { profit, fee } = optionWinOf(SALE_TEST_TERMS.stake, SALE_TEST_TERMS.payout, SALE_TEST_TERMS.feeRate);
const WIN = Number(profit.units - fee.units) + STAKE;

/** Prices of the same places return in many paths, and each costs a few thousand operations. */
const bids = new Map<string, number | null>();
function bidAt(tick: StepTick, from: StepTick = start): number | null {
  const key = `${from.price} ${tick.sequence} ${tick.price}`;
  const known = bids.get(key);
  if (known !== undefined) return known;
  const bid = optionBidOf(SALE_TEST_TERMS, TEST_SALE, from, tick);
  const units = bid === null ? null : Number(bid.units);
  bids.set(key, units);
  return units;
}

/** Prices on a lattice: each second the index moves by one of these steps, with a deviation of `SIGMA` · `ratio`. */
interface Lattice {
  /** What the best rule of selling gives, and holding, from each place at the start. */
  readonly best: number;
  readonly held: number;
  /** The largest amount by which a price exceeded what holding is worth there. */
  readonly excess: number;
}

/**
 * Computes backwards, from the end, what the best of all rules gives: at each second and place the larger one of the
 * price and of going on. No rule can do better, whatever it looks at, because the walk has no memory.
 */
function solveLattice(ratio: number): Lattice {
  // Steps of a third of a deviation, so that the walk is nearly normal.
  const step = BigInt(Math.max(1, Math.round((SIGMA * ratio) / 3 / 10_000))) * 10_000n;
  const unit = Number(step) / (SIGMA * ratio);
  const reach = 12;
  const density = Array.from({ length: 2 * reach + 1 }, (_, n) => Math.exp(-(((n - reach) * unit) ** 2) / 2));
  const total = density.reduce((sum, one) => sum + one, 0);
  const weights = density.map((one) => one / total);
  const width = 105;
  const places = Array.from({ length: 2 * width + 1 }, (_, n) => START + BigInt(n - width) * step);
  let held = places.map((place) => (place === START ? STAKE : place > START ? WIN : 0));
  let best = [...held];
  let excess = Number.NEGATIVE_INFINITY;
  for (let second = SECONDS - 1; second >= 1; second -= 1) {
    const goOn = (values: readonly number[]) =>
      places.map((_, n) =>
        weights.reduce(
          (sum, weight, k) => sum + weight * (values[Math.min(Math.max(n + k - reach, 0), 2 * width)] ?? 0),
          0,
        ),
      );
    held = goOn(held);
    best = goOn(best);
    const isOpen = saleTick(second, START).atMs <= saleUntilMs(SALE_TEST_TERMS, TEST_SALE);
    // Farther out the edge of the lattice disturbs both.
    for (const [n, place] of places.entries()) {
      if (!isOpen || Math.abs(n - width) > width - 30) continue;
      const bid = bidAt(saleTick(second, place));
      if (bid === null) continue;
      excess = Math.max(excess, bid - (held[n] ?? 0));
      best[n] = Math.max(best[n] ?? 0, bid);
    }
  }
  return { best: best[width] ?? 0, held: held[width] ?? 0, excess };
}

describe('the best of all rules of selling', () => {
  it.each([0.8, 0.9, 1, 1.1, 1.2])(
    'gains nothing over holding where the true volatility is %f of the published',
    (ratio) => {
      const { best, held, excess } = solveLattice(ratio);
      // No price exceeds what holding is worth at its place, so no mixture of places does.
      expect(excess).toBeLessThan(0);
      expect(best).toBeCloseTo(held, 3);
      expect(best).toBeLessThan(STAKE);
    },
  );

  // The payout leaves the house 7.5% of the stake and more. Where the published volatility is that far from the true
  // one, a customer who knows both takes up to all of that, and no more.
  it.each([0.6, 0.7, 1.3, 1.5, 1.7])(
    'takes less than the stake where the true volatility is %f of the published',
    (ratio) => {
      const { best, held } = solveLattice(ratio);
      expect(best).toBeGreaterThan(held);
      expect(best).toBeLessThan(STAKE);
    },
  );
});

type Path = readonly StepTick[];
/** Decides at each second, from the ticks up to then, whether to sell. */
type Rule = (path: Path, bid: number) => boolean;

/** To half a USDT, a tenth of a deviation. */
const roundedPrice = (place: number): bigint => BigInt(Math.floor(place / 500_000)) * 500_000n;

function pathOf(normal: () => number, ratio: number, swing: (second: number) => number = () => 1): Path {
  let place = Number(START);
  return Array.from({ length: SECONDS }, (_, n) => {
    if (n > 0) place += normal() * SIGMA * ratio * swing(n);
    return saleTick(n + 1, roundedPrice(place));
  });
}

function creditOfHolding(path: Path): number {
  return Number(settleOption(SALE_TEST_TERMS, path[0] ?? null, endTickOf(SALE_TEST_TERMS, path)).credited.units);
}

/** What a rule gives more than holding on the same path, as a share of the stake: mean and its standard error. */
function gainOf(rule: Rule, paths: readonly Path[]): { readonly mean: number; readonly error: number } {
  const gains = paths.map((path) => {
    for (let n = 1; n < 55; n += 1) {
      const tick = path[n] as StepTick;
      const bid = bidAt(tick);
      if (bid !== null && rule(path.slice(0, n + 1), bid)) return (bid - creditOfHolding(path)) / STAKE;
    }
    return 0;
  });
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const square = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return { mean, error: Math.sqrt(square / gains.length) };
}

const moveOf = (path: Path, back: number): number =>
  Number((path.at(-1)?.price ?? 0n) - (path.at(-1 - back) ?? path[0] ?? start).price) / SIGMA;
const RULES: readonly (readonly [string, Rule])[] = [
  ['at once', () => true],
  ['with a profit', (_, bid) => bid > STAKE],
  ['with a profit of a half', (_, bid) => bid > 1.5 * STAKE],
  ['with a loss of a third', (_, bid) => bid < 0.67 * STAKE],
  ['behind a rise', (path) => moveOf(path, 3) > 3],
  ['behind a fall', (path) => moveOf(path, 3) < -3],
  ['behind a fall from the top', (path, bid) => bid > STAKE && moveOf(path, 1) < -1],
  ['in the last seconds', (path) => path.length >= 54],
  ['at its start price', (path) => path.length > 5 && Math.abs(Number((path.at(-1)?.price ?? 0n) - START)) < SIGMA],
];

describe('rules of selling over random walks', () => {
  it.each([
    ['the published volatility', 1, undefined],
    ['the lowest volatility of the band', 0.8, undefined],
    ['the highest volatility of the band', 1.2, undefined],
    [
      'a volatility that changes within the band',
      1,
      (second: number) => (Math.floor(second / 7) % 2 === 0 ? 0.8 : 1.2),
    ],
  ] as const)('gain nothing over holding at %s', (_, ratio, swing) => {
    const normal = seededNormal(7);
    const paths = Array.from({ length: 700 }, () => pathOf(normal, ratio, swing));
    for (const [name, rule] of RULES) {
      const { mean, error } = gainOf(rule, paths);
      expect(mean, name).toBeLessThan(3 * error);
    }
  });
});

/**
 * The customer sees the market `leadMs` before the index does, and sells at the last moment before a tick, whenever the
 * market has fallen far enough. `isLooked` is the rule as it is; without it the house would pay any price of the newest
 * tick.
 */
function meanOfLead(leadMs: number, isLooked: boolean): { readonly sales: number; readonly mean: number } {
  const normal = seededNormal(11);
  const uniform = seededUniform(3);
  const STEP_MS = 100;
  let [sales, sum] = [0, 0];
  for (let trial = 0; trial < 800; trial += 1) {
    const market = [Number(START)];
    for (let at = 0; at < (SECONDS + 2) * 1_000; at += STEP_MS)
      market.push((market.at(-1) ?? 0) + normal() * SIGMA * Math.sqrt(STEP_MS / 1_000));
    const seenAt = (ms: number) => market[Math.min(Math.max(Math.round(ms / STEP_MS), 0), market.length - 1)] ?? 0;
    const path = Array.from({ length: SECONDS }, (_, n) =>
      saleTick(n + 1, BigInt(Math.floor(seenAt((n + 1) * 1_000 - leadMs) / 10_000)) * 10_000n),
    );
    const first = path[0] as StepTick;
    for (let n = 2; n < 53; n += 1) {
      const quoted = path[n] as StepTick;
      const bid = optionBidOf(SALE_TEST_TERMS, TEST_SALE, first, quoted);
      // Just before the next tick, when the customer knows a second and the lead more than the index says.
      const tapMs = (n + 2) * 1_000 - 100 * uniform();
      const known = seenAt(tapMs) - Number(quoted.price);
      if (bid === null || known > -1.5 * SIGMA) continue;
      const arrivedMs = first.atMs - 1_000 + tapMs;
      const newest = path.find((tick) => tick.atMs >= arrivedMs + 500) as StepTick;
      const decided = decideSale({
        order: { status: 'holding', terms: SALE_TEST_TERMS, sale: TEST_SALE, start: first },
        isIndexStale: false,
        arrivedMs,
        nowMs: newest.atMs + 200,
        price: bid,
        quoted,
        newest,
        headMs: newest.atMs,
      });
      if (isLooked && !decided.ok) continue;
      sales += 1;
      sum += (Number(bid.units) - creditOfHolding(path)) / STAKE;
      break;
    }
  }
  return { sales, mean: sum / sales };
}

describe('a customer who sees the market before the index does', () => {
  it.each([300, 500, 1_000])('would gain with a lead of %i ms if the newest price were paid at once', (leadMs) => {
    expect(meanOfLead(leadMs, false).mean).toBeGreaterThan(0.02);
  });

  it.each([300, 500])('gains nothing with a lead of %i ms, because a later tick must bear the price', (leadMs) => {
    const { sales, mean } = meanOfLead(leadMs, true);
    expect(sales).toBeGreaterThan(50);
    // A result deviates by about nine tenths of the stake: two standard errors.
    expect(mean).toBeLessThan((2 * 0.9) / Math.sqrt(sales));
  });
});

it('pays no more than holding is worth at the tick that takes the sale', () => {
  const uniform = seededUniform(5);
  for (let trial = 0; trial < 400; trial += 1) {
    const second = 2 + Math.floor(uniform() * 50);
    const at = (n: number) => saleTick(n, START + BigInt(Math.floor((uniform() - 0.5) * 4_000)) * 10_000n);
    const [quoted, newest] = [at(second), at(second + 2)];
    const bid = optionBidOf(SALE_TEST_TERMS, TEST_SALE, start, quoted) ?? money('USDT', 0n);
    const decided = decideSale({
      order: { status: 'holding', terms: SALE_TEST_TERMS, sale: TEST_SALE, start },
      isIndexStale: false,
      arrivedMs: quoted.atMs + 1_000,
      nowMs: newest.atMs,
      price: bid,
      quoted,
      newest,
      headMs: newest.atMs,
    });
    if (decided.ok)
      expect(bid.units).toBeLessThanOrEqual(optionWorthOf(SALE_TEST_TERMS, TEST_SALE, start, newest).units);
  }
});
