export { type DisputeFigures, readFigures as readDisputeFigures } from './dispute-store.ts';
export type { Disputes, DisputesDependencies } from './disputes.ts';
export { MONEY_ANSWER_KIND } from './money-review.ts';
export { openCase } from './open-case.ts';
export { openDisputes } from './open-disputes.ts';
export { ANSWER_KIND } from './review.ts';
