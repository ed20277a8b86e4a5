export * from './index.ts';
export * from './live.ts';
export * from './stream.ts';
