import { expect, test } from 'vitest';
import { loadPhaseOf } from './lazy-screen.ts';

test.each([
  [0, 'waiting'],
  [199, 'waiting'],
  [200, 'loading'],
  [59_999, 'loading'],
  [60_000, 'timed_out'],
  [119_999, 'timed_out'],
  [120_000, 'failed'],
] as const)('after %i ms a page is %s', (elapsed, phase) => {
  expect(loadPhaseOf(elapsed)).toBe(phase);
});
