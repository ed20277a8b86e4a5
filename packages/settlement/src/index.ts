export * from './decide-purchase.ts';
export * from './decision.ts';
export * from './option-terms.ts';
export * from './settle-option.ts';
