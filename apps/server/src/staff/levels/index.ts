export type { Levels, LevelsDependencies, Standing } from './levels.ts';
export { levelOffer, levelTermsOf } from './offer-kind.ts';
export { openLevels } from './open-levels.ts';
