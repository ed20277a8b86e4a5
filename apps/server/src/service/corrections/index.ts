export { type Corrections, openCorrections } from './open-corrections.ts';
export type { CorrectionsRoom as CorrectionsDependencies } from './room.ts';
