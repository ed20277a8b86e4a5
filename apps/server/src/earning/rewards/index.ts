export { ladderFieldsOf, ladderOfferKind } from './offer-kind.ts';
export { openRewards } from './open-rewards.ts';
export type { Rewards } from './rewards.ts';
export { REWARDS_POINTS_ACCOUNT, REWARDS_USDT_ACCOUNT, type RewardLock } from './sign-in-kind.ts';
export { DEMO_LADDER } from './sign-in-ladder.ts';
