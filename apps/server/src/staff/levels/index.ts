export type { LevelStanding, Levels, LevelsDependencies } from './levels.ts';
export { levelOfferKind, levelTermsOf } from './offer-kind.ts';
export { openLevels } from './open-levels.ts';
