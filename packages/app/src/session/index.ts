export * from './drafts.ts';
export * from './session.ts';
