export { type DisputeFigures, readFigures as readDisputeFigures } from './case-store.ts';
export type { Disputes, DisputesDependencies } from './disputes.ts';
export { openCase } from './open-case.ts';
export { openDisputes } from './open-disputes.ts';
export { MONEY_DISPUTE_APPROVAL } from './review-money.ts';
export { ANSWER_KIND } from './review-trades.ts';
