export { DEMO_TERMS } from './demo-terms.ts';
export type { Earning, ProposedTerms } from './earning.ts';
export { readNewestAccruals } from './earning-store.ts';
export { LIQUIDITY_PRODUCT, LOCKUP_PRODUCTS, TermsCatalogue } from './earning-terms.ts';
export type { NamedStanding, Standings } from './named-standing.ts';
export { offerFieldsOf, offerKindNameOf } from './offer-kinds.ts';
export { openEarning } from './open-earning.ts';
