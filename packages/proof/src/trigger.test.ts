import { describe, expect, it } from 'vitest';
import type { Tick } from './tick.ts';
import { faultOfTrigger, isWholeWait, type TriggerClaim } from './trigger.ts';

const tick = (n: number, price: bigint) => ({ coin: 'BTC', sequence: BigInt(n), at: n * 1_000, price }) as Tick;
const ticks = [tick(1, 100n), tick(2, 90n), tick(3, 101n), tick(4, 100n), tick(5, 99n)];
const claim: TriggerClaim = {
  coin: 'BTC',
  isAbove: false,
  triggerPrice: 99n,
  armedMs: 2_000,
  tick: { sequence: 5n, atMs: 5_000, price: 99n },
};

describe('faultOfTrigger', () => {
  it('accepts the first tick after the order was armed that reaches its price', () => {
    expect(faultOfTrigger(claim, ticks)).toBeNull();
    const above = { ...claim, isAbove: true, triggerPrice: 101n, tick: { sequence: 3n, atMs: 3_000, price: 101n } };
    expect(faultOfTrigger(above, ticks.slice(0, 3))).toBeNull();
  });

  it.each<[Partial<TriggerClaim>, readonly Tick[], string]>([
    [{ triggerPrice: 100n }, ticks, 'not_first'],
    [{ armedMs: 1_999 }, ticks, 'not_first'],
    [{ triggerPrice: 98n }, ticks, 'price_not_reached'],
    [{ isAbove: true, triggerPrice: 100n }, ticks, 'price_not_reached'],
    [{ armedMs: 5_000 }, ticks, 'tick_before_armed'],
    [{ tick: { sequence: 5n, atMs: 5_000, price: 98n } }, ticks, 'tick_differs'],
    [{ tick: { sequence: 5n, atMs: 6_000, price: 99n } }, ticks, 'tick_differs'],
    [{ tick: { sequence: 6n, atMs: 6_000, price: 99n } }, ticks, 'tick_missing'],
    [{ coin: 'ETH' }, ticks, 'tick_missing'],
    [{}, [], 'tick_missing'],
  ])('%o: %s', (part, shown, fault) => {
    expect(faultOfTrigger({ ...claim, ...part }, shown)).toBe(fault);
  });

  it('knows whether a tick of the wait is missing', () => {
    expect(isWholeWait(claim, ticks)).toBe(true);
    expect(isWholeWait(claim, ticks.slice(2))).toBe(false);
    expect(isWholeWait({ armedMs: 0 }, ticks)).toBe(true);
    expect(isWholeWait(claim, [])).toBe(false);
  });
});
