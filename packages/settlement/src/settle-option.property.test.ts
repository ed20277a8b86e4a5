import { money, price, RATE_ONE, type Rate, zero } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePurchase } from './decide-purchase.ts';
import { largestStakeFor, type OptionTick, optionEndMs, optionWinOf } from './option-terms.ts';
import { endTickOf, settleOption, startTickOf } from './settle-option.ts';

const rate = (max: bigint) => fc.bigInt(1n, max).map((units) => units as Rate);
const terms = fc.record({
  direction: fc.constantFrom('up' as const, 'down' as const),
  stake: fc.bigInt(1_000_000n, 10_000_000_000n).map((units) => money('USDT', units)),
  payout: rate(2n * RATE_ONE),
  feeRate: rate(RATE_ONE),
  acceptedMs: fc.integer({ min: 0, max: 10_000 }),
  durationMs: fc.constantFrom(10_000, 30_000, 60_000),
});
/** A feed with gaps: steps from a tenth of a second to eight seconds, and prices that often repeat. */
const feed = fc
  .array(
    fc.record({
      step: fc.oneof(fc.constant(1_000), fc.integer({ min: 100, max: 8_000 })),
      units: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 120 },
  )
  .map((steps): OptionTick[] => {
    let atMs = 0;
    return steps.map(({ step, units }, index) => {
      atMs += step;
      return { sequence: BigInt(index + 1), atMs, price: price(BigInt(units)) };
    });
  });

describe('options', () => {
  it('never credit more than the stake plus the held profit, and conserve the sum', () => {
    fc.assert(
      fc.property(terms, feed, (order, ticks) => {
        const held = optionWinOf(order.stake, order.payout, order.feeRate).profit.units;
        const settled = settleOption(order, startTickOf(order, ticks), endTickOf(order, ticks));
        const { profit, fee, credited } = settled;
        expect(credited.units).toBe(order.stake.units + profit.units - fee.units);
        expect(credited.units >= 0n && credited.units <= order.stake.units + held).toBe(true);
        expect(fee.units >= 0n && (fee.units === 0n || fee.units <= profit.units)).toBe(true);
        if (settled.outcome === 'tie' || settled.outcome === 'void') expect(credited).toEqual(order.stake);
        if (settled.outcome === 'lost') expect(credited).toEqual(zero('USDT'));
        expect(settled.reason === null).toBe(settled.outcome !== 'void');
      }),
      { numRuns: 2_000 },
    );
  });

  it('have the same result whenever they are decided: later ticks change nothing', () => {
    fc.assert(
      fc.property(terms, feed, (order, ticks) => {
        const end = optionEndMs(order);
        const first = ticks.findIndex((tick) => tick.atMs > end);
        fc.pre(first >= 0);
        const early = ticks.slice(0, first + 1);
        expect(settleOption(order, startTickOf(order, early), endTickOf(order, early))).toEqual(
          settleOption(order, startTickOf(order, ticks), endTickOf(order, ticks)),
        );
      }),
    );
  });

  it('find the same ticks as a plain search', () => {
    fc.assert(
      fc.property(terms, feed, (order, ticks) => {
        expect(startTickOf(order, ticks)).toBe(ticks.find((tick) => tick.atMs > order.acceptedMs) ?? null);
        expect(endTickOf(order, ticks)).toBe(ticks.findLast((tick) => tick.atMs <= optionEndMs(order)) ?? null);
      }),
    );
  });

  it('C8 pay at most one of two opposite bets, and the house never gains on a tie', () => {
    fc.assert(
      fc.property(terms, feed, (order, ticks) => {
        const other = { ...order, direction: order.direction === 'up' ? ('down' as const) : ('up' as const) };
        const pair = [order, other].map(
          (one) => settleOption(one, startTickOf(one, ticks), endTickOf(one, ticks)).outcome,
        );
        expect([...pair].sort()).toEqual(pair[0] === pair[1] ? [pair[0], pair[0]] : ['lost', 'won']);
        if (pair[0] === pair[1]) expect(['tie', 'void']).toContain(pair[0]);
      }),
    );
  });

  it('can be bought up to the limits and never past them', () => {
    const amount = fc.bigInt(0n, 20_000_000_000n).map((units) => money('USDT', units));
    fc.assert(
      fc.property(terms, amount, amount, amount, amount, (order, pool, windowLeft, coinLeft, available) => {
        const decision = decidePurchase({
          stake: order.stake,
          isCoinOffered: true,
          offer: {
            payout: order.payout,
            feeRate: order.feeRate,
            stakeMin: money('USDT', 1_000_000n),
            stakeMax: money('USDT', 10_000_000_000n),
            windowExposureMax: windowLeft,
            coinExposureMax: coinLeft,
          },
          isIndexStale: false,
          isAfterLatest: false,
          available,
          poolAvailable: pool,
          windowExposure: zero('USDT'),
          coinExposure: zero('USDT'),
        });
        const profit = optionWinOf(order.stake, order.payout, order.feeRate).profit.units;
        const fits = profit <= pool.units && profit <= windowLeft.units && profit <= coinLeft.units;
        expect(decision.ok).toBe(fits && order.stake.units <= available.units);
      }),
    );
  });

  it('name the largest stake that still fits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), rate(2n * RATE_ONE), (units, payout) => {
        const profit = money('USDT', units);
        const stake = largestStakeFor(profit, payout);
        const next = money('USDT', stake.units + 1n);
        expect(optionWinOf(stake, payout, RATE_ONE).profit.units <= units).toBe(true);
        expect(optionWinOf(next, payout, RATE_ONE).profit.units > units).toBe(true);
      }),
    );
  });
});
