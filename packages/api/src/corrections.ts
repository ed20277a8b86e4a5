import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, id, isoTime, pagedListOf, pageField } from './fields.ts';

export const CORRECTION_KINDS = ['refund', 'goodwill', 'reverse'] as const;
export const CORRECTION_REASONS = [
  'charged_twice',
  'fee_wrong',
  'credited_wrongly',
  'settlement_fault',
  'deposit_lost',
  'kept_receipt',
  'goodwill',
  'reorg',
] as const;
/** The house's accounts that pay corrections or receive repayments. */
export const CORRECTION_HOUSES = ['house_capital', 'options_pool', 'fee_income', 'goodwill'] as const;

const ownCorrection = v.object({
  id: v.string(),
  number: v.string(),
  kind: v.picklist(CORRECTION_KINDS),
  asset: v.string(),
  /** The signed change of the balance; an announced debit may take less. */
  amount: decimalText,
  reason: v.picklist(CORRECTION_REASONS),
  /** `announced`: a debit that will be taken at `at` unless somebody stops it. */
  status: v.picklist(['announced', 'done', 'stopped']),
  at: isoTime,
  /** The wrong transfer; the customer's statement shows it with the same reference. */
  wrong: v.nullable(v.object({ reference: v.string(), purpose: v.string(), amount: decimalText, at: isoTime })),
  deposit: v.nullable(v.string()),
  journal: v.nullable(v.string()),
  /** The work names of both people. */
  people: v.array(v.string()),
});
export type OwnCorrection = v.InferOutput<typeof ownCorrection>;

export const listOwnCorrections = call('GET /users/corrections', {
  who: 'customer',
  summary: 'Corrections of this customer’s balance that two people agreed to, newest first.',
  request: v.object({
    /** Returns only this correction, or the one that this journal posted. */
    id: v.optional(id),
    page: pageField('[0-9]{1,18}'),
  }),
  result: pagedListOf(ownCorrection),
});
