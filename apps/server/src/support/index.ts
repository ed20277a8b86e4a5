export { faultOfAnswer } from './lint-answer.ts';
export { openSupport, type Support, type SupportDependencies } from './open-support.ts';
export { READY_KIND } from './ready-answers.ts';
