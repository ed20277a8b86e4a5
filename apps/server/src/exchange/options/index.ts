export * from './await-due-options.ts';
export { optionCalls } from './calls.ts';
export { optionOfferKind } from './offer-kind.ts';
export * from './open-options.ts';
export type { CoinFigures, NetResultSums, OptionFigures, WaitFigures } from './option-figures.ts';
export type * from './options.ts';
export { DEMO_SALE_TERMS, optionSaleOfferKind, saleOfferFieldsOf } from './sale-offer-kind.ts';
