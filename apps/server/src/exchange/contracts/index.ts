export type { CoinCovers } from './coin-covers.ts';
export { coinOffer, contractTermsOf, feeOffer } from './offer-kinds.ts';
export { type Contracts, openContracts } from './open-contracts.ts';
