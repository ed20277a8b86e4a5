export { FieldsReader, partsOf, unitsOf } from './fields-reader.ts';
export { type Change, type Check, type Fields, OFFER_APPROVAL, type OfferKind, type Usage } from './offer-kind.ts';
export { type Offer, type OfferDependencies, openOffer } from './open-offer.ts';
