import { describe, expect, it } from 'vitest';
import { type RunStep, rerunCommandOf, summariseRun } from './summary.ts';
import type { TestOutcome } from './test-outcome.ts';

const passed: TestOutcome = { lane: 'pure', file: 'a.test.ts', title: 'adds', state: 'passed', tries: 1, ms: 20 };
const failed: TestOutcome = {
  ...passed,
  lane: 'server',
  file: 'b.test.ts',
  title: "books > refuses a customer's (second) try",
  state: 'failed',
  message: 'expected 1 to be 2',
  at: 'b.test.ts:7',
};
const step = (name: string, isPassed = true): RunStep => ({ name, seconds: 1, isPassed });

describe('the summary of a run', () => {
  it('ends with the counts, in which a check counts as a test', () => {
    expect(summariseRun([step('types'), step('pure')], [passed], []).at(-1)).toBe('2 passed, 0 failed, 0 skipped');
  });

  it('lists each failed test with its message, line, and command to run it alone', () => {
    const lines = summariseRun([step('server', false)], [failed], []);
    expect(lines).toContain("  server b.test.ts:7 › books > refuses a customer's (second) try");
    expect(lines).toContain('    expected 1 to be 2');
    expect(lines).toContain("    alone: npm test -- --lane server b.test.ts -t 'refuses a customer.s .second. try'");
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('counts a step that failed without a failed test', () => {
    const lines = summariseRun([step('types', false), step('faults', false)], [passed], []);
    expect(lines.at(-1)).toBe('1 passed, 2 failed, 0 skipped');
    expect(lines).toContain('  faults: its output is above');
  });

  it('lists tests that needed a second try, and what a run has left behind', () => {
    const lines = summariseRun([step('faults')], [{ ...passed, lane: 'faults', tries: 2 }], ['process 7: anvil']);
    expect(lines).toContain('  faults a.test.ts › adds (try 2)');
    expect(lines).toContain('  process 7: anvil');
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 0 skipped');
  });

  it('runs a browser test alone by its line', () => {
    expect(rerunCommandOf({ ...failed, lane: 'browser', file: 'apps/web/e2e/trade.spec.ts:60' })).toBe(
      'npm test -- --lane browser apps/web/e2e/trade.spec.ts:60',
    );
  });
});
