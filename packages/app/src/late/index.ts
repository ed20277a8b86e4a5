export * from './error-boundary.tsx';
export * from './late.tsx';
export * from './lazy-screen.ts';
export * from './load-anew.ts';
export * from './reload-on-return.ts';
export * from './settled.ts';
