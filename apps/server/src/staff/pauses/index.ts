export { openPauses } from './open-pauses.ts';
export type { PauseSum } from './pause-store.ts';
export type { PauseSubject, Pauses, PausesDependencies } from './pauses.ts';
export { PAUSE_END_APPROVAL } from './start-pause.ts';
