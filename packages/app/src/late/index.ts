export * from './error-boundary.tsx';
export * from './late.tsx';
export * from './lazy-screen.ts';
export * from './reload-newest.ts';
export * from './reload-on-return.ts';
export * from './when-page-settled.ts';
