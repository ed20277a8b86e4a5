export { FieldsReader, partsOf, unitsOf, usdtOf } from './fields-reader.ts';
export type { Offer, OfferDependencies } from './offer.ts';
export { type Change, type Check, type Fields, OFFER_APPROVAL, type OfferKind, type Usage } from './offer-kind.ts';
export { openOffer } from './open-offer.ts';
