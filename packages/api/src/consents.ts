import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, fieldFault, isoTime, wholeNumber } from './fields.ts';

/** Products that need the customer's consent before the first order. */
export const CONSENT_PRODUCTS = ['options', 'contracts', 'earning'] as const;
export type ConsentProduct = (typeof CONSENT_PRODUCTS)[number];

const product = choiceOf(CONSENT_PRODUCTS);
const answer = choiceOf(['a', 'b', 'c']);
const consentState = v.object({
  product: v.picklist(CONSENT_PRODUCTS),
  /** False if the brand requires no consent, as in most demonstrations; orders are then accepted without it. */
  required: v.boolean(),
  version: v.number(),
  /** `waiting`: the answers require a waiting period, which has not ended yet. */
  state: v.picklist(['none', 'waiting', 'given']),
  given_at: v.nullable(isoTime),
  usable_from: v.nullable(isoTime),
  /** The texts that the customer reads and answers and that are recorded, in the caller's language. */
  title: v.string(),
  risks: v.array(v.string()),
  questions: v.array(
    v.object({
      code: v.string(),
      text: v.string(),
      answers: v.array(v.object({ code: v.string(), text: v.string() })),
    }),
  ),
  agree: v.string(),
  send: v.string(),
  /** The result of the answers; null before. */
  finding: v.nullable(v.string()),
});
export type ConsentState = v.InferOutput<typeof consentState>;

export const readConsent = call('GET /consents/state', {
  who: 'customer',
  summary: 'The risks of a product and the questions before its first order, with what the customer answered.',
  request: v.object({ product }),
  result: consentState,
});

export const giveConsent = call('POST /consents/give', {
  who: 'customer',
  summary:
    'Record that the risks were read, with the answers. Answers that speak against the product delay it by a day.',
  request: v.object({
    product,
    version: wholeNumber(1, 1_000_000),
    knowledge: answer,
    experience: answer,
    need: answer,
    share: answer,
    agree: v.pipe(v.string(fieldFault('agreement_required')), v.literal('true', fieldFault('agreement_required'))),
  }),
  result: consentState,
  refusals: ['consent_outdated', 'consent_answered'],
});
