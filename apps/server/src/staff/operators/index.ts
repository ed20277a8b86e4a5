export type { ApprovalRow } from './approval-store.ts';
export type {
  ApprovalKind,
  ApprovalOpening,
  Approvals,
  ApprovalVote,
  CountedVotes,
  ProposalRefusal,
} from './approvals.ts';
export type { AuditLog, NewAuditEntry } from './audit.ts';
export { type ClaimRow, viewClaim } from './claims.ts';
export { DEMO_OPERATORS, enrolDemoOperators } from './demo-operators.ts';
export type { AuditEntryRow } from './entry-store.ts';
export { viewEntry } from './entry-view.ts';
export { openOperators, operatorsModuleOf } from './open-operators.ts';
export { operatorKeysOf } from './operator-keys.ts';
export type { Operators, OperatorsDependencies } from './operators.ts';
export { relyingPartyOf } from './passkeys.ts';
export { pinFirstVoters } from './pin-voters.ts';
export { type ApprovalMakers, readApprovalMakers, readVotes } from './read-votes.ts';
export { openStepUps, type StepUps } from './step-up.ts';
export { votedKind } from './voted-kind.ts';
