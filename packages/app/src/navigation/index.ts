export * from './hash-location.ts';
export * from './memory.ts';
export * from './navigation.tsx';
export * from './plan.ts';
