export { DEMO_TERMS } from './demo-terms.ts';
export type { Earning, ProposedTerms } from './earning.ts';
export { readNewestAccruals } from './earning-store.ts';
export { offerFieldsOf, offerKindOf } from './offer-kinds.ts';
export { openEarning } from './open-earning.ts';
export { Catalogue, LIQUIDITY, LOCKUPS } from './terms.ts';
