export * from './live.ts';
export * from './stream.ts';
