export * from './contract-terms.ts';
export * from './contract-ticket.ts';
export * from './decide-contract.ts';
export * from './decide-purchase.ts';
export * from './decision.ts';
export * from './option-terms.ts';
export * from './settle-option.ts';
