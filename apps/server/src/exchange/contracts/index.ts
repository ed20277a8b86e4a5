export type { CoinCovers } from './coin-covers.ts';
export type { Contracts } from './contracts.ts';
export { coinOffer, contractTermsOf, feeOffer } from './offer-kinds.ts';
export { openContracts } from './open-contracts.ts';
