export { amountText } from './amount-text.ts';
export type { RateSource } from './display-rates.ts';
export { maskName } from './mask-name.ts';
export { type Content, type ContentDependencies, openContent, type RecentWin } from './open-content.ts';
export { openPublishing, type Publishing } from './open-publishing.ts';
export { PICTURES_FOLDER } from './pictures-folder.ts';
export { openRules, type Rules, type RulesParams } from './rules.ts';
export { shipContents } from './ship-contents.ts';
