export * from './drafts.ts';
export * from './index.ts';
export * from './session.ts';
