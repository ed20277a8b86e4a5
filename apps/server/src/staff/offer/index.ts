export { FieldsReader, storedRateOf, storedUnitsOf, storedUsdtOf } from './fields-reader.ts';
export type { Offer, OfferDependencies } from './offer.ts';
export {
  OFFER_APPROVAL,
  type OfferCheck,
  type OfferFields,
  type OfferKind,
  type OfferTermsChange,
  type VersionUsage,
} from './offer-kind.ts';
export { openOffer } from './open-offer.ts';
