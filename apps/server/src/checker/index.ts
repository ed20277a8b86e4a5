export * from './find-violations.ts';
export type { Violation } from './run-invariants.ts';
export * from './start-checker.ts';
