export * from './find-violations.ts';
export * from './start-checker.ts';
