export * from './hash-location.ts';
export * from './navigation.tsx';
export * from './page-memory.ts';
export * from './plan-move.ts';
