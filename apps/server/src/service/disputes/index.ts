export type { DisputeFigures } from './dispute-store.ts';
export { MONEY_ANSWER_KIND } from './money-review.ts';
export { type Disputes, openDisputes } from './open-disputes.ts';
export { ANSWER_KIND } from './review.ts';
export type { DisputesRoom as DisputesDependencies } from './room.ts';
