export { openSupport } from './open-support.ts';
export { READY_ANSWER_APPROVAL } from './ready-answers.ts';
export type { Support, SupportDependencies } from './support.ts';
