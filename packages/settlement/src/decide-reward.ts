import { hasReward, type Reward } from './decide-sign-in.ts';
import { accept, type Decision, refuse } from './decision.ts';
import type { Certified } from './withdrawal-limits.ts';

/** Available at once, or locked: it belongs to the customer and cannot be used before the certification. */
export type RewardPlace = 'spot' | 'restricted';

/** Where a reward goes. A brand may lock those of customers whom nobody has certified. */
export const decideReward = ({
  isLocking,
  certified,
}: {
  readonly isLocking: boolean;
  readonly certified: Certified;
}): RewardPlace => (isLocking && certified === 'none' ? 'restricted' : 'spot');

/**
 * Decides how much of the locked rewards becomes available: all of it with any certification, also after the brand
 * has stopped locking, because that is what was promised when it was granted.
 */
export function decideRelease({
  certified,
  locked,
}: {
  readonly certified: Certified;
  readonly locked: Reward;
}): Decision<Reward, 'primary_required' | 'nothing_locked'> {
  if (certified === 'none') return refuse('primary_required');
  return hasReward(locked) ? accept(locked) : refuse('nothing_locked');
}
