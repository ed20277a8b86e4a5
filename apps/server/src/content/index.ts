export type { RateSource } from './display-rates.ts';
export { maskName } from './mask-name.ts';
export { type Content, type ContentDependencies, openContent, type RecentWin } from './open-content.ts';
export { openRules, type Rules, type RulesParams } from './rules.ts';
export { PICTURES_FOLDER } from './slides.ts';
