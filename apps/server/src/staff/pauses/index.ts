export { openPauses, type PauseSubject, type Pauses, type PausesDependencies } from './open-pauses.ts';
export type { PauseSum } from './pause-store.ts';
export { PAUSE_END } from './start-pause.ts';
