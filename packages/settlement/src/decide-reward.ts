import { hasReward, type Reward } from './decide-sign-in.ts';
import { accept, type Decision, refuse } from './decision.ts';
import type { CertifiedLevel } from './withdrawal-limits.ts';

/** `restricted` money is the customer's but not usable before the certification; `spot` is available at once. */
export type RewardPlace = 'spot' | 'restricted';

/** Decides where a reward goes. A brand may lock the rewards of customers without a certification. */
export const decideReward = ({
  isLocking,
  certified,
}: {
  readonly isLocking: boolean;
  readonly certified: CertifiedLevel;
}): RewardPlace => (isLocking && certified === 'none' ? 'restricted' : 'spot');

/**
 * Decides how much of the locked rewards becomes available: everything with any certification. This also holds after
 * the brand has stopped locking, because it was promised with the reward.
 */
export function decideRelease({
  certified,
  locked,
}: {
  readonly certified: CertifiedLevel;
  readonly locked: Reward;
}): Decision<Reward, 'primary_required' | 'nothing_locked'> {
  if (certified === 'none') return refuse('primary_required');
  return hasReward(locked) ? accept(locked) : refuse('nothing_locked');
}
