export * from './handle.ts';
export * from './health.ts';
export * from './limits.ts';
export * from './metrics.ts';
export * from './open-edge.ts';
export * from './sessions.ts';
export type { StreamLimits } from './stream-limits.ts';
export * from './topic-source.ts';
