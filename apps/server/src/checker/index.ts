export * from './find-violations.ts';
