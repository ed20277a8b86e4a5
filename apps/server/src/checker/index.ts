export * from './bar-money.ts';
export * from './condition.ts';
export * from './find-violations.ts';
export type { PublicKey } from './known-keys.ts';
export { listInvariants } from './list-invariants.ts';
export { openReport } from './open-report.ts';
export { pinsFile } from './pinned-keys.ts';
export type { Violation } from './run-invariants.ts';
export * from './start-checker.ts';
