export { openPractice } from './open-practice.ts';
export { practiceEnvironmentOf } from './practice-environment.ts';
