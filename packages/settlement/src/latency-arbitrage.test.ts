import { money, type Price, price, rateFromBasisPoints } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { ACCEPTED_AFTER_MS, type OptionTerms, type OptionTick, optionEndMs } from './option-terms.ts';
import { endTickOf, settleOption, startTickOf } from './settle-option.ts';

const SECONDS = 30;
const STEP_MS = 100;
const TRIALS = 12_000;
/** The market's volatility per second in price units (10^-6): about 10^-4 of the price, as on a lively day. */
const SIGMA = 6_400_000;
const START = 64_000_000_000;
/** An advantage smaller than this loses on average because of the payout rate. */
const WORTH = 1.2 * SIGMA;

/** Uniform on (0, 1) and seeded (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

/** The index's delay: the share of its sources that lag behind the attacker's venue, and its price step. */
interface Index {
  readonly laggards: number;
  readonly step: number;
}
const WHOLE: Index = { laggards: 1, step: 1 };

/**
 * The average profit per staked USDT of a customer who sees the market `leadMs` before the index, orders at the last
 * moment before a tick, and only when the market has moved far enough by then.
 */
function meanReturn(
  leadMs: number,
  acceptedAfterMs: number,
  { laggards, step }: Index = WHOLE,
): { trades: number; mean: number } {
  const next = uniform(10);
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  let [trades, won] = [0, 0];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    // The market from 2 s before the order until after its end.
    const market = [START];
    for (let at = 0; at < (SECONDS + 6) * 1_000; at += STEP_MS)
      market.push((market.at(-1) ?? 0) + normal() * SIGMA * Math.sqrt(STEP_MS / 1_000));
    const seenAt = (ms: number): number => market[Math.floor((ms + 2_000) / STEP_MS)] ?? Number.NaN;
    // The mean of the two middle votes, one of which may be as early as the attacker.
    const indexAt = (ms: number): Price => {
      const mid = laggards * seenAt(ms - leadMs) + (1 - laggards) * seenAt(ms);
      return price(BigInt(Math.floor(mid / step) * step));
    };
    const ticks: OptionTick[] = Array.from({ length: SECONDS + 4 }, (_, second) => ({
      sequence: BigInt(second + 1),
      atMs: second * 1_000,
      price: indexAt(second * 1_000),
    }));
    const orderedMs = -1;
    const known = seenAt(orderedMs) - seenAt(-leadMs);
    if (Math.abs(known) < WORTH) continue;
    const terms: OptionTerms = {
      direction: known > 0 ? 'up' : 'down',
      stake: money('USDT', 1_000_000n),
      payout: rateFromBasisPoints(7_500n),
      feeRate: rateFromBasisPoints(200n),
      acceptedMs: orderedMs + acceptedAfterMs,
      durationMs: SECONDS * 1_000,
    };
    expect(optionEndMs(terms)).toBeLessThan((SECONDS + 3) * 1_000);
    const { credited } = settleOption(terms, startTickOf(terms, ticks), endTickOf(terms, ticks));
    trades += 1;
    won += Number(credited.units) / 1_000_000 - 1;
  }
  return { trades, mean: won / trades };
}

describe('C10 a customer who sees the market before the index does', () => {
  it.each([500, 1_000])('would win with a lead of %i ms if orders were accepted without delay', (leadMs) => {
    expect(meanReturn(leadMs, 0).mean).toBeGreaterThan(0);
  });

  it.each([300, 500, 1_000])('loses as much as everybody else, even with a lead of %i ms', (leadMs) => {
    const { trades, mean } = meanReturn(leadMs, ACCEPTED_AFTER_MS);
    expect(trades).toBeGreaterThan(50);
    // Half of the options win: a win pays 0.75 minus a fee of 2% of that, a loss costs the stake of 1.
    expect(mean).toBeGreaterThan(-0.2);
    expect(mean).toBeLessThan(-0.05);
  });

  // An impact mid is an instantaneous price and not an average over time, so a lead is worth no more than with trades.
  it.each([
    [500, { laggards: 1, step: 64 }],
    [500, { laggards: 0.5, step: 64 }],
    [1_000, { laggards: 1, step: 64 }],
    [1_000, { laggards: 0.5, step: 64 }],
  ])('loses against mids at a lead of %i ms too, whichever votes lag: %o', (leadMs, index) => {
    const { trades, mean } = meanReturn(leadMs, ACCEPTED_AFTER_MS, index);
    expect(trades).toBeGreaterThan(50);
    // A win pays 0.735 and a loss costs 1, so the standard deviation is 0.87. The mean must be three standard errors
    // below zero.
    expect(mean + (3 * 0.87) / Math.sqrt(trades)).toBeLessThan(0);
  });
});
