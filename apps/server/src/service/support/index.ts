export { openSupport, type Support, type SupportDependencies } from './open-support.ts';
export { READY_KIND } from './ready-answers.ts';
