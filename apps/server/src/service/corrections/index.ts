export type { Corrections, CorrectionsDependencies } from './corrections.ts';
export { openCorrections } from './open-corrections.ts';
export { correctionsOfDispute, readOwnCorrection } from './read-own-correction.ts';
