import * as v from 'valibot';
import { customerId } from './admin-customers.ts';
import { caseVersion, decisionNote, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { CERTIFICATION_LEVELS } from './certification-levels.ts';
import { boundedText, choiceOf, fieldFault, id, isoTime, pagedListOf } from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

const SIDES = ['front', 'back', 'selfie'] as const;
const state = v.picklist(['review', 'sent_back', 'verified', 'refused']);
const level = v.picklist(CERTIFICATION_LEVELS);
const customer = v.object({ id: v.string(), username: v.string() });

/** An item of the queue, without personal data. */
const certificationItem = v.object({
  id: v.string(),
  customer,
  level,
  type: v.string(),
  status: state,
  submitted_at: isoTime,
  promised_at: isoTime,
  decided_at: v.nullable(isoTime),
  decided_by: v.nullable(staffMember),
  reasons: v.array(v.string()),
  version: v.number(),
});

const certificationCase = v.object({
  ...certificationItem.entries,
  /** The fields as the customer typed them. */
  fields: v.object({
    name: v.string(),
    number: v.string(),
    birth_date: v.string(),
    expires: v.nullable(v.string()),
  }),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean() })),
  /** The sides with a picture. Each picture is opened separately. */
  pictures: v.array(v.picklist(SIDES)),
  sides: v.array(v.picklist(SIDES)),
  attempts: v.array(
    v.object({
      id: v.string(),
      level,
      status: state,
      submitted_at: isoTime,
      decided_at: v.nullable(isoTime),
      decided_by: v.nullable(staffMember),
      reasons: v.array(v.string()),
    }),
  ),
  views: v.object({ left: v.number(), max: v.number() }),
});
export type CertificationCase = v.InferOutput<typeof certificationCase>;

const listed = (options: readonly string[]) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.transform((joined) => joined.split(',').filter(Boolean)),
    v.check((given) => given.every((one) => options.includes(one)), fieldFault('choice_unknown')),
  );

export const listCertifications = call('GET /admin/certifications/lists', {
  who: 'operator',
  roles: ['compliance', 'support'],
  summary: 'Certifications that wait, the oldest first, or those decided, the newest first.',
  request: v.object({
    level: v.optional(choiceOf(CERTIFICATION_LEVELS)),
    status: v.optional(choiceOf(['review', 'decided'])),
    page: v.optional(v.pipe(v.string(), v.regex(/^(?:[0-9]{13}\.[A-Za-z0-9_-]{22})?$/, fieldFault('malformed')))),
  }),
  result: v.object({ ...pagedListOf(certificationItem).entries, counts: v.object({ review: v.number() }) }),
});

export const listCustomerCertifications = call('GET /admin/certifications/of_customer', {
  who: 'operator',
  roles: ['compliance', 'support'],
  summary: 'What one customer handed in and what became of it, newest first. No personal data.',
  request: v.object({ id: customerId }),
  result: v.array(certificationItem),
});

export const readCertificationCase = call('GET /admin/certifications/info', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'What was typed, what a program can say about it, and the tries before. Reading it is in the log.',
  request: v.object({ id }),
  result: certificationCase,
  refusals: ['certification_unknown'],
});

export const openCertificationPicture = call('POST /admin/certifications/open', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'An address for one look at one picture: works once, for 60 seconds, for this operator. 30 an hour.',
  request: v.object({ id, picture: choiceOf(SIDES) }),
  result: v.object({ url: v.string(), expires_at: isoTime, left: v.number() }),
  refusals: ['certification_unknown', 'picture_unknown', 'hour_budget_spent'],
});

export const readCertificationPicture = call('GET /admin/certifications/picture', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'The picture of an address, once, with the operator’s work name drawn over it.',
  request: v.object({ ticket: boundedText(43, 43) }),
  result: v.object({ data_url: v.string() }),
  refusals: ['picture_unknown'],
});

export const approveCertification = call('POST /admin/certifications/approve', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'Verify, signed by `step_up`. `masked`: religion and blood group of an identity card are covered.',
  request: v.object({
    id,
    version: caseVersion,
    masked: v.optional(choiceOf(['true'])),
    note: decisionNote,
    step_up: stepUpId,
  }),
  result: certificationCase,
  refusals: [
    ...PROPOSED_REFUSALS,
    'certification_unknown',
    'version_stale',
    'mask_missing',
    'primary_first',
    'duplicate_person',
  ],
});

export const sendBackCertification = call('POST /admin/certifications/send_back', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'Send back: what is wrong, and which pictures to take again. Reasons and sides are joined by commas.',
  request: v.object({
    id,
    version: caseVersion,
    reasons: listed([
      'picture_blurry',
      'picture_cut_off',
      'picture_glare',
      'side_missing',
      'wrong_document',
      'document_expired',
      'expiry_differs',
      'name_differs',
      'number_differs',
      'birth_date_differs',
      'not_an_original',
      'selfie_differs',
      'private_field_open',
    ]),
    sides: v.optional(listed(SIDES)),
    note: decisionNote,
  }),
  result: certificationCase,
  refusals: ['certification_unknown', 'version_stale', 'reason_unknown', 'side_missing'],
});

export const refuseCertification = call('POST /admin/certifications/refuse', {
  who: 'operator',
  roles: ['compliance'],
  summary:
    'Ask for a final refusal, signed by `step_up`. It takes effect when another person approves it, and not before.',
  request: v.object({
    id,
    version: caseVersion,
    reason: choiceOf(['document_forged', 'under_age', 'country_not_served', 'duplicate_person']),
    note: decisionNote,
    step_up: stepUpId,
  }),
  result: v.object({ approval: v.string(), fingerprint: v.string() }),
  refusals: [...PROPOSED_REFUSALS, 'certification_unknown', 'version_stale', 'refusal_waits'],
});
