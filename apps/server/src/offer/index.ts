export { FieldsReader, partsOf, unitsOf } from './fields-reader.ts';
export type { Change, Check, Fields, OfferKind, Usage } from './offer-kind.ts';
export { OFFER_APPROVAL, type Offer, type OfferDependencies, openOffer } from './open-offer.ts';
