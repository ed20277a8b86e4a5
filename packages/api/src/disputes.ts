import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, decimalText, id, isoTime, pagedListOf, pageField, remarkText, TIME_AND_UUID } from './fields.ts';

/** The recomputation determines the finding; no person chooses it. */
export const DISPUTE_FINDINGS = ['recomputed_same', 'void_by_rule', 'fault_confirmed'] as const;
export const disputeFinding = v.picklist(DISPUTE_FINDINGS);

const ownDispute = v.object({
  id: v.string(),
  /** The id of the disputed option order. */
  order: v.string(),
  statement: v.string(),
  status: v.picklist(['open', 'second_look', 'closed']),
  opened_at: isoTime,
  deadline: isoTime,
  finding: v.nullable(disputeFinding),
  answer: v.nullable(v.string()),
  answered_at: v.nullable(isoTime),
  /** The work names of both reviewers. */
  reviewers: v.array(v.string()),
});
export type OwnDispute = v.InferOutput<typeof ownDispute>;

export const listOwnDisputes = call('GET /users/disputes', {
  who: 'customer',
  summary:
    'Disputes of this customer, newest first: how far each is, and its answer once two people have agreed to it.',
  request: v.object({ page: pageField(TIME_AND_UUID) }),
  result: pagedListOf(ownDispute),
});

export const MONEY_SUBJECTS = ['deposit', 'withdrawal', 'correction'] as const;
/** The finding of a money dispute. `corrected` requires a correction that two people approved. */
export const MONEY_FINDINGS = ['as_recorded', 'corrected'] as const;

const ownMoneyDispute = v.object({
  id: v.string(),
  kind: v.picklist(MONEY_SUBJECTS),
  /** The id of the deposit, withdrawal or correction, and the number that people see. */
  subject: v.string(),
  order: v.string(),
  amount: decimalText,
  asset: v.string(),
  /** When the deposit or withdrawal began, or the correction was posted or announced. */
  at: isoTime,
  statement: v.string(),
  status: v.picklist(['open', 'second_look', 'closed']),
  opened_at: isoTime,
  deadline: isoTime,
  finding: v.nullable(v.picklist(MONEY_FINDINGS)),
  answer: v.nullable(v.string()),
  answered_at: v.nullable(isoTime),
  /** The number of the resulting correction. */
  correction: v.nullable(v.string()),
  reviewers: v.array(v.string()),
});
export type OwnMoneyDispute = v.InferOutput<typeof ownMoneyDispute>;

export const openMoneyDispute = call('POST /users/disputes/open', {
  who: 'customer',
  summary: 'Open a dispute about an own deposit, withdrawal or correction: two people look at it, with a deadline.',
  request: v.object({ kind: choiceOf(MONEY_SUBJECTS), id, reason: remarkText(1_000) }),
  result: ownMoneyDispute,
  refusals: ['dispute_subject_unknown', 'dispute_open', 'disputes_too_many'],
});

export const listOwnMoneyDisputes = call('GET /users/disputes/money', {
  who: 'customer',
  summary: 'Disputes of this customer about money, newest first, or those about one subject.',
  request: v.object({ subject: v.optional(id), page: pageField(TIME_AND_UUID) }),
  result: pagedListOf(ownMoneyDispute),
});
