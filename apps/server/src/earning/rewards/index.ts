export { DEMO_LADDER } from './ladder.ts';
export { ladderFields, ladderOffer } from './offer-kind.ts';
export { openRewards } from './open-rewards.ts';
export type { Rewards } from './rewards.ts';
export { REWARDS_POINTS, REWARDS_USDT, type RewardLock } from './sign-in-kind.ts';
