export * from './calls.ts';
export * from './subjects.ts';
