import { describe, expect, it } from 'vitest';
import { type Allowance, type AllowanceRule, afterTry, waitOf } from './allowance.ts';

const start = Date.parse('2026-11-21T08:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1_000);

function tryAt(state: Allowance | null, rule: AllowanceRule, seconds: number): Allowance {
  expect(waitOf(state, rule, at(seconds))).toBe(0);
  return afterTry(state, rule, at(seconds));
}

describe('a growing delay', () => {
  const rule: AllowanceRule = { kind: 'growing_delay', free: 3, firstMs: 10_000, maxMs: 60_000, forgetMs: 600_000 };

  it('costs nothing at first, then doubles up to its maximum', () => {
    let state: Allowance | null = null;
    let seconds = 0;
    const waits: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      state = tryAt(state, rule, seconds);
      const wait = waitOf(state, rule, at(seconds)) / 1_000;
      waits.push(wait);
      if (wait > 0) expect(waitOf(state, rule, at(seconds + wait - 1))).toBe(1_000);
      seconds += wait;
    }
    expect(waits).toEqual([0, 0, 10, 20, 40, 60, 60, 60]);
  });

  it('is forgotten after a quiet time, and not before', () => {
    let state: Allowance | null = null;
    for (const seconds of [0, 1, 2]) state = tryAt(state, rule, seconds);
    expect(waitOf(afterTry(state, rule, at(601)), rule, at(601))).toBe(20_000);
    expect(waitOf(afterTry(state, rule, at(602)), rule, at(602))).toBe(0);
  });

  it('doesn’t overflow after a year of tries', () => {
    const state: Allowance = { count: 1e9, since: at(0), at: at(0), blockedUntil: null };
    expect(waitOf(afterTry(state, rule, at(1)), rule, at(1))).toBe(60_000);
  });
});

describe('a budget', () => {
  const rule: AllowanceRule = { kind: 'budget', max: 2, windowMs: 60_000 };

  it('is spent in its window, which opens with the first try', () => {
    let state = tryAt(null, rule, 0);
    state = tryAt(state, rule, 50);
    expect(waitOf(state, rule, at(50))).toBe(10_000);
    expect(waitOf(state, rule, at(59.999))).toBe(1);
    state = tryAt(state, rule, 60);
    expect(state).toMatchObject({ count: 1, since: at(60) });
  });

  it('is not renewed by a clock that steps back', () => {
    const state = afterTry(afterTry(null, rule, at(0)), rule, at(0));
    expect(waitOf(state, rule, at(-3_600))).toBeGreaterThan(0);
  });
});
