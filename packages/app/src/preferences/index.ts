export * from './index.ts';
export * from './preferences.ts';
