import { money } from '@sathorn/money';
import { expect, it } from 'vitest';
import { decideRelease, decideReward } from './decide-reward.ts';
import type { CertifiedLevel } from './withdrawal-limits.ts';

it.each<[isLocking: boolean, certified: CertifiedLevel, place: string]>([
  [false, 'none', 'spot'],
  [false, 'primary', 'spot'],
  [true, 'none', 'restricted'],
  [true, 'primary', 'spot'],
  [true, 'advanced', 'spot'],
])('where locking is %s, a reward of somebody certified %s goes to %s', (isLocking, certified, place) => {
  expect(decideReward({ isLocking, certified })).toBe(place);
});

it.each<[certified: CertifiedLevel, points: bigint, usdt: bigint, outcome: string]>([
  ['none', 500n, 500n, 'primary_required'],
  ['none', 0n, 0n, 'primary_required'],
  ['primary', 0n, 0n, 'nothing_locked'],
  ['primary', 500n, 0n, 'all'],
  ['primary', 0n, 500n, 'all'],
  ['advanced', 1n, 1n, 'all'],
])('of somebody certified %s with %i points and %i units of USDT locked: %s', (certified, points, usdt, outcome) => {
  const locked = { points: money('POINTS', points), usdt: money('USDT', usdt) };
  const decision = decideRelease({ certified, locked });
  expect(decision).toEqual(outcome === 'all' ? { ok: true, effect: locked } : { ok: false, refusal: outcome });
});
