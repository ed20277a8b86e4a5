export { openSupport } from './open-support.ts';
export { READY_KIND } from './ready-answers.ts';
export type { Support, SupportDependencies } from './support.ts';
