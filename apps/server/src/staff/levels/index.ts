export { levelOffer, levelTermsOf } from './offer-kind.ts';
export { type Levels, type LevelsDependencies, openLevels, type Standing } from './open-levels.ts';
