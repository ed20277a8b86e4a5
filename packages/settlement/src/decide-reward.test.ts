import { expect, it } from 'vitest';
import { decideRelease, decideReward } from './decide-reward.ts';
import type { Certified } from './withdrawal-limits.ts';

it.each<[isLocking: boolean, certified: Certified, place: string]>([
  [false, 'none', 'spot'],
  [false, 'primary', 'spot'],
  [true, 'none', 'restricted'],
  [true, 'primary', 'spot'],
  [true, 'advanced', 'spot'],
])('where locking is %s, a reward of somebody certified %s goes to %s', (isLocking, certified, place) => {
  expect(decideReward({ isLocking, certified })).toBe(place);
});

it.each<[certified: Certified, locked: bigint, outcome: bigint | string]>([
  ['none', 500n, 'primary_required'],
  ['none', 0n, 'primary_required'],
  ['primary', 0n, 'nothing_locked'],
  ['primary', 500n, 500n],
  ['advanced', 1n, 1n],
])('of somebody certified %s with %i locked, %s is released', (certified, locked, outcome) => {
  const decision = decideRelease({ certified, locked });
  expect(decision.ok ? decision.effect : decision.refusal).toBe(outcome);
});
