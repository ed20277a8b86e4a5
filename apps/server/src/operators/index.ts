export type { Approvals, Counted, Opening, Vote } from './approvals.ts';
export type { Audit, Entry } from './audit.ts';
export { DEMO_OPERATORS, enrolDemoOperators } from './demo-operators.ts';
export { type Operators, type OperatorsDependencies, openOperators, roomOf } from './open-operators.ts';
export { readVotes, type VoteView } from './read-votes.ts';
