export { DEMO_TERMS } from './demo-terms.ts';
export { fieldsOf, offerKindOf } from './offer-kinds.ts';
export { type Earning, openEarning, type ProposedTerms } from './open-earning.ts';
export { Catalogue, LIQUIDITY, LOCKUPS } from './terms.ts';
