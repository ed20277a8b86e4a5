import * as v from 'valibot';
import { call } from './call.ts';
import { choice, fault, time, wholeNumber } from './fields.ts';

/** What is asked about before its first order. */
export const CONSENT_PRODUCTS = ['options', 'contracts', 'earning'] as const;
export type ConsentProduct = (typeof CONSENT_PRODUCTS)[number];

const product = choice(CONSENT_PRODUCTS);
const answer = choice(['a', 'b', 'c']);
const consentState = v.object({
  product: v.picklist(CONSENT_PRODUCTS),
  /** False where the brand doesn't ask, as in most demonstrations: orders are taken without. */
  required: v.boolean(),
  version: v.number(),
  /** `waiting`: the answers require a waiting period that has not ended yet. */
  state: v.picklist(['none', 'waiting', 'given']),
  given_at: v.nullable(time),
  usable_from: v.nullable(time),
  /** In the caller’s language: what is read, asked and recorded. */
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
  /** What came of the answers; null before. */
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
    agree: v.pipe(v.string(fault('agreement_required')), v.literal('true', fault('agreement_required'))),
  }),
  result: consentState,
  refusals: ['consent_outdated', 'consent_answered'],
});
