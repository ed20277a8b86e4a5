export * from './decide-run.ts';
export * from './decide-transaction.ts';
export { addressWord, type Hex, keccak, selectorOf, sizedBytes, word } from './encoding.ts';
export * from './known-contracts.ts';
export * from './owner-change.ts';
export * from './owner-signature.ts';
export * from './payment-run.ts';
export * from './propose-owner-changes.ts';
export * from './safe-transaction.ts';
