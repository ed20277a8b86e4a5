export { DEMO_LADDER, LADDER_DAYS } from './ladder.ts';
export { ladderFields, ladderOffer } from './offer-kind.ts';
export { openRewards, type Rewards } from './open-rewards.ts';
export { REWARDS_POINTS, REWARDS_USDT, type RewardLock } from './sign-in-kind.ts';
