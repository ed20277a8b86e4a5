import { type CoinCode, money, type Price, price, rateFromBasisPoints } from '@sathorn/money';
import { computeIndexPrice, type IndexRuleName, indexRulesOf, indexStepOf, roundToStep } from '@sathorn/proof';
import { type OptionTerms, settleOption } from '@sathorn/settlement';
import { describe, expect, test } from 'vitest';
import { type BookLevel, IMPACT_TERMS, impactMid } from './impact-mid.ts';

/**
 * The attack: six venues in USDT have books one price step wide, each on its own grid. The attacker trades the smallest
 * lot on some of them in the seconds of the start and of the end. That sets the last trade to the attacker's price, and
 * takes one lot off the best level.
 */
const COIN: CoinCode = 'ADA';
const GRID = indexStepOf(COIN, 'families/1');
const START = 461_800;
const SECONDS = 30;
const VENUES = 6;
const AT = 1_795_176_896_000;
/** A number of coins: twice the venues' minimum at ADA's price. */
const SMALLEST_LOT = 25;
const TRIALS = 3_000;

const PAYOUT = rateFromBasisPoints(7_500n);
const FEE = rateFromBasisPoints(200n);

/** Seeded random numbers, uniform on (0, 1) (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

interface VenueMoment {
  readonly bid: bigint;
  readonly ask: bigint;
  /** Quantities in coins per level, best first. */
  readonly bidSizes: readonly number[];
  readonly askSizes: readonly number[];
  readonly lastIsBuy: boolean;
}

type Reading = (venue: VenueMoment, printed: 'buy' | 'sell' | null) => bigint | null;

/** Reads the newest trade, which an attacker's trade sets. */
const lastTrade: Reading = ({ bid, ask, lastIsBuy }, printed) =>
  (printed === null ? lastIsBuy : printed === 'buy') ? ask : bid;

/** Reads the mid, where an attacker's trade only takes its lot off the best level. */
const mid: Reading = ({ bid, ask, bidSizes, askSizes }, printed) => {
  const levels = (best: bigint, step: bigint, sizes: readonly number[], isPrinted: boolean): BookLevel[] =>
    sizes.map((size, level) => [
      Number(best + step * BigInt(level)) / 1e6,
      level === 0 && isPrinted ? Math.max(size - SMALLEST_LOT, 0) : size,
    ]);
  const asks = levels(ask, GRID, askSizes, printed === 'buy');
  const bids = levels(bid, -GRID, bidSizes, printed === 'sell');
  return impactMid({ bids, asks }, IMPACT_TERMS[COIN])?.price ?? null;
};

function venueAt(truth: number, next: () => number): VenueMoment {
  // Books of different venues differ slightly, so each has its own next price step.
  const bid = roundToStep(BigInt(Math.floor(truth + (next() - 0.5) * Number(GRID))), GRID);
  // Some levels are nearly empty, where the attacker's trade has the largest effect.
  const sizes = () => Array.from({ length: 12 }, () => 30 + 12_000 * next() ** 3);
  return { bid, ask: bid + GRID, bidSizes: sizes(), askSizes: sizes(), lastIsBuy: next() < 0.5 };
}

/** The attacker's average profit per stake of one, and its standard error. */
function expectation(
  rule: IndexRuleName,
  reading: Reading,
  yearlyVolatility: number,
  prints: { readonly start: number; readonly end: number },
): { readonly mean: number; readonly error: number } {
  const next = uniform(13);
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const deviation = START * yearlyVolatility * Math.sqrt(SECONDS / 31_557_600);
  const rules = indexRulesOf(rule, indexStepOf(COIN, rule));
  const indexAt = (truth: number, printed: 'buy' | 'sell', count: number): Price => {
    const readings = Array.from({ length: VENUES }, (_, n) => {
      const said = reading(venueAt(truth, next), n < count ? printed : null);
      return { name: `v${n}`, family: 'USDT', latest: said === null ? null : { price: said, at: AT, trade: '' } };
    });
    const result = computeIndexPrice(AT, readings, new Map(), rules);
    if (result.stale) throw new Error('six whole books make an index');
    return price(result.price);
  };
  let [sum, squares] = [0, 0];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const truth = START + (next() - 0.5) * 100 * Number(GRID);
    const terms: OptionTerms = {
      direction: 'up',
      stake: money('USDT', 1_000_000n),
      payout: PAYOUT,
      feeRate: FEE,
      acceptedMs: AT,
      durationMs: SECONDS * 1_000,
    };
    const start = { sequence: 1n, atMs: AT + 1_000, price: indexAt(truth, 'sell', prints.start) };
    const end = {
      sequence: 31n,
      atMs: AT + SECONDS * 1_000,
      price: indexAt(truth + normal() * deviation, 'buy', prints.end),
    };
    const won = Number(settleOption(terms, start, end).credited.units) / 1_000_000 - 1;
    sum += won;
    squares += won * won;
  }
  const mean = sum / TRIALS;
  return { mean, error: Math.sqrt((squares / TRIALS - mean * mean) / TRIALS) };
}

const ATTACKS = [
  { start: 0, end: 4 },
  { start: 4, end: 4 },
];

describe('a customer who trades the smallest lots in the decisive seconds', () => {
  test('wins if a source is its last trade: the fault that `families/2` corrects', () => {
    for (const [volatility, prints] of [
      [0.3, { start: 0, end: 4 }],
      [0.3, { start: 3, end: 3 }],
      [0.5, { start: 4, end: 4 }],
    ] as const) {
      const { mean, error } = expectation('families/1', lastTrade, volatility, prints);
      expect(mean - 4 * error).toBeGreaterThan(0);
    }
  });

  test.each([0.3, 0.5, 0.8])('loses if it is the impact mid, at a volatility of %d per year', (volatility) => {
    const usual = expectation('families/2', mid, volatility, { start: 0, end: 0 });
    for (const prints of ATTACKS) {
      const { mean, error } = expectation('families/2', mid, volatility, prints);
      // Four standard errors below zero, and at most 0.02 better than without manipulation.
      expect(mean + 4 * error).toBeLessThan(0);
      expect(mean - usual.mean).toBeLessThan(0.02);
    }
  });
});
