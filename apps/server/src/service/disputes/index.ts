export { type DisputeFigures, readDisputeFigures } from './case-store.ts';
export type { Disputes, DisputesDependencies } from './disputes.ts';
export { openDisputeCase } from './open-dispute-case.ts';
export { openDisputes } from './open-disputes.ts';
export { MONEY_DISPUTE_APPROVAL } from './review-money.ts';
export { DISPUTE_ANSWER_APPROVAL } from './review-trades.ts';
