import { formatMoney, money, price, rateOf } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import type { OptionDirection, OptionTerms, OptionTick } from './option-terms.ts';
import { endTickOf, settleOption, startTickOf } from './settle-option.ts';

const accepted = 1_767_225_600_123;
const terms = (direction: OptionDirection, stake = 100_000_000n): OptionTerms => ({
  direction,
  stake: money('USDT', stake),
  payout: rateOf('0.78'),
  feeRate: rateOf('0.02'),
  acceptedMs: accepted,
  durationMs: 60_000,
});
const end = accepted + 60_000;
const tick = (sequence: number, atMs: number, units: bigint): OptionTick => ({
  sequence: BigInt(sequence),
  atMs,
  price: price(units),
});

describe('settleOption', () => {
  it.each([
    ['up', 100n, 101n, 'won', '78.000000', '1.560000', '176.440000'],
    ['up', 100n, 100n, 'tie', '0.000000', '0.000000', '100.000000'],
    ['up', 100n, 99n, 'lost', '-100.000000', '0.000000', '0.000000'],
    ['down', 100n, 99n, 'won', '78.000000', '1.560000', '176.440000'],
    ['down', 100n, 100n, 'tie', '0.000000', '0.000000', '100.000000'],
    ['down', 100n, 101n, 'lost', '-100.000000', '0.000000', '0.000000'],
  ] as const)('%s from %s to %s: %s', (direction, from, to, outcome, profit, fee, credited) => {
    const settled = settleOption(terms(direction), tick(1, accepted + 877, from), tick(60, end - 123, to));
    expect(settled).toMatchObject({ outcome, reason: null });
    expect([settled.profit, settled.fee, settled.credited].map(formatMoney)).toEqual([profit, fee, credited]);
  });

  it.each([
    ['no tick at all', null, null, 'no_start_tick'],
    ['the first tick 3,001 ms after the acceptance', accepted + 3_001, end, 'no_start_tick'],
    ['the first tick 3,000 ms after the acceptance', accepted + 3_000, end, null],
    ['the last tick 3,001 ms before the end', accepted + 1, end - 3_001, 'no_end_tick'],
    ['the last tick 3,000 ms before the end', accepted + 1, end - 3_000, null],
    ['a tick at the very end', accepted + 1, end, null],
    ['both gaps: the start is named', accepted + 3_001, end - 3_001, 'no_start_tick'],
  ])('%s', (_, startMs, endMs, reason) => {
    const start = startMs === null ? null : tick(1, startMs, 100n);
    const settled = settleOption(terms('up'), start, endMs === null ? null : tick(9, endMs, 101n));
    expect(settled.reason).toBe(reason);
    expect(settled.outcome).toBe(reason === null ? 'won' : 'void');
    if (reason !== null)
      expect(settled).toMatchObject({
        credited: terms('up').stake,
        profit: { units: 0n },
        fee: { units: 0n },
        end: null,
      });
  });

  it('rounds the profit down and the fee up', () => {
    const settled = settleOption(terms('up', 1_000_001n), tick(1, accepted + 1, 1n), tick(2, end, 2n));
    // 780,000.78 units of profit; 2% of 780,000 is exactly 15,600. One more unit of stake shows both roundings.
    expect(settled).toMatchObject({
      profit: { units: 780_000n },
      fee: { units: 15_600n },
      credited: { units: 1_764_401n },
    });
    const odd = settleOption(terms('up', 1_000_002n), tick(1, accepted + 1, 1n), tick(2, end, 2n));
    expect(odd).toMatchObject({
      profit: { units: 780_001n },
      fee: { units: 15_601n },
      credited: { units: 1_764_402n },
    });
  });

  it('throws for ticks that are not the deciding ones', () => {
    expect(() => settleOption(terms('up'), tick(1, accepted, 1n), tick(2, end, 2n))).toThrow(RangeError);
    expect(() => settleOption(terms('up'), tick(1, accepted + 1, 1n), tick(2, end + 1, 2n))).toThrow(RangeError);
    expect(() => settleOption(terms('up'), tick(2, accepted + 1, 1n), tick(1, end, 2n))).toThrow(RangeError);
  });
});

describe('the ticks of an order', () => {
  const ticks = [
    tick(1, accepted - 500, 1n),
    tick(2, accepted, 2n),
    tick(3, accepted + 500, 3n),
    tick(4, end, 4n),
    tick(5, end + 1, 5n),
  ];
  it('C9 start after the acceptance, never at it; end at or before the end', () => {
    expect(startTickOf(terms('up'), ticks)?.sequence).toBe(3n);
    expect(endTickOf(terms('up'), ticks)?.sequence).toBe(4n);
  });
  it('are null if they are missing', () => {
    expect(startTickOf(terms('up'), ticks.slice(0, 2))).toBeNull();
    expect(endTickOf(terms('up'), ticks.slice(4))).toBeNull();
    expect(startTickOf(terms('up'), [])).toBeNull();
  });
});
