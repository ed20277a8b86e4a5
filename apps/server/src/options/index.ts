export * from './await-ends.ts';
export * from './buy-option.ts';
export * from './dispute-option.ts';
export * from './list-options.ts';
export * from './open-options.ts';
export type { OptionMarket } from './option-market.ts';
export * from './read-balance.ts';
export * from './read-option.ts';
export * from './read-option-totals.ts';
