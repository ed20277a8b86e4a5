import { FOR_LIFE_EXPIRY, normaliseDay, toCommonEra } from '@sathorn/identity';
import * as v from 'valibot';
import { call } from './call.ts';
import { CERTIFICATION_LEVELS } from './certification-levels.ts';
import { boundedText, choiceOf, decimalText, fieldFault, id, isoTime, noFields, typedText } from './fields.ts';
import { personName } from './person-fields.ts';

const CERTIFICATION_STATES = ['none', 'review', 'verified', 'rejected'] as const;
const documentType = choiceOf(['id_card', 'driver_licence', 'passport']);
/** A day in the form 1990-12-31; the year may be of the Buddhist era, as Thai cards print it. */
const day = v.pipe(
  typedText((text) => toCommonEra(normaliseDay(text)), 40),
  v.minLength(1, fieldFault('required')),
);
/** A day, or `for_life` for a document that does not expire. */
const expiry = v.pipe(
  typedText((text) => (text.trim() === FOR_LIFE_EXPIRY ? FOR_LIFE_EXPIRY : toCommonEra(normaliseDay(text))), 40),
  v.minLength(1, fieldFault('required')),
);
const side = v.picklist(['front', 'back', 'selfie']);

/** One level, as shown to the customer. */
const certificationView = v.object({
  state: v.picklist(CERTIFICATION_STATES),
  /** Codes of the catalogue of reasons. Each says whether the customer can try again. */
  reasons: v.array(v.string()),
  /** The pictures to take again. The other pictures are kept. */
  sides: v.array(side),
  /** Rejected for good: the customer cannot apply again. */
  is_final: v.boolean(),
  type: v.nullable(v.string()),
  name: v.nullable(v.string()),
  /** Masked. */
  number: v.nullable(v.string()),
  birth_date: v.nullable(v.string()),
  /** The submitted pictures, for their owner. */
  pictures: v.array(v.object({ side, id: v.string() })),
  submitted_at: v.nullable(isoTime),
  decided_at: v.nullable(isoTime),
  /** The reviewer's work name. */
  decided_by: v.nullable(v.string()),
});
export type CertificationView = v.InferOutput<typeof certificationView>;

const certificationResult = v.object({
  primary: certificationView,
  advanced: certificationView,
  /** USDT per day that may be withdrawn without certification and with each level. */
  limits: v.object({ none: decimalText, primary: decimalText, advanced: decimalText }),
  /** The promised time for a review, in hours. */
  promised_hours: v.number(),
});

export const readCertification = call('GET /users/certification', {
  who: 'customer',
  summary: 'Both levels of certification: state, reasons, and which pictures to take again.',
  request: noFields,
  result: certificationResult,
});

export const certifyCustomer = call('POST /users/levelauth', {
  who: 'customer',
  summary:
    'Ask to be certified. Primary: document, name, number, date of birth. Advanced besides: expiry and pictures (ids of uploads). After a rejection only what has to be done again is sent.',
  request: v.object({
    level: choiceOf(CERTIFICATION_LEVELS),
    type: v.optional(documentType),
    name: v.optional(personName),
    number: v.optional(boundedText(1, 64)),
    birth_date: v.optional(day),
    expires: v.optional(expiry),
    front: v.optional(id),
    back: v.optional(id),
    selfie: v.optional(id),
  }),
  result: certificationResult,
  refusals: [
    'field_required',
    'primary_required',
    'certification_in_review',
    'certification_done',
    'certification_refused',
    'real_name_malformed',
    'id_number_short',
    'id_number_checksum',
    'number_malformed',
    'birth_date_malformed',
    'expiry_malformed',
    'document_expired',
    'under_age',
    'side_missing',
    'picture_unknown',
    'picture_quota_used',
  ],
});
