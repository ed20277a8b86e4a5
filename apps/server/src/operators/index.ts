export type { ApprovalRow } from './approval-store.ts';
export type { Approvals, Counted, Opening, Vote } from './approvals.ts';
export type { Audit, Entry } from './audit.ts';
export type { ApprovalKind } from './decide.ts';
export { DEMO_OPERATORS, enrolDemoOperators } from './demo-operators.ts';
export type { EntryRow } from './entry-store.ts';
export { viewEntry } from './entry-view.ts';
export { type Operators, type OperatorsDependencies, openOperators, roomOf } from './open-operators.ts';
export type { StepUps } from './step-up.ts';
