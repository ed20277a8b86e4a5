export * from './await-due-options.ts';
export { optionCalls } from './calls.ts';
export { optionOffer } from './offer-kind.ts';
export * from './open-options.ts';
export type { OptionFigures, Standings } from './option-figures.ts';
export type * from './options.ts';
