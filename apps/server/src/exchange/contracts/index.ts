export type { ReadCoinCover } from './coin-covers.ts';
export type { ContractIndex } from './contract-kind.ts';
export type { Contracts } from './contracts.ts';
export { coinOfferKind, contractTermsOf, feeOfferKind } from './offer-kinds.ts';
export { openContracts } from './open-contracts.ts';
