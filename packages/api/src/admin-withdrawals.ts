import { PAYOUT_WAITS } from '@sathorn/settlement';
import * as v from 'valibot';
import { caseVersion, decisionFields, decisionNote, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { caseText } from './deposits.ts';
import {
  boundedText,
  choiceOf,
  decimalText,
  fieldFault,
  id,
  isoTime,
  pagedListOf,
  pageField,
  searchText,
  TIME_AND_UUID,
} from './fields.ts';
import { DECISION_REFUSALS, PROPOSED_REFUSALS } from './refusals.ts';
import { withdrawalRecord } from './withdrawals.ts';

const DECIDERS = ['finance', 'compliance'] as const;
const REPORT_REFUSALS = ['withdrawal_unknown', 'withdrawal_decided', 'version_stale', ...PROPOSED_REFUSALS] as const;
/** The reasons that operators can give; each has a text for the customer. */
export const REJECT_REASONS = [
  'payee_name_differs',
  'address_risk',
  'takeover_suspected',
  'source_unclear',
  'customer_asked',
  'legal_order',
] as const;
export const WITHDRAWAL_TABS = ['review', 'delayed', 'processing', 'success', 'failed'] as const;

/**
 * The question that people decide: pay the withdrawal; let the signer pay it beyond its budget; give an unsigned payout
 * back; record that a bank payment was made or failed; declare a payout lost.
 */
const decision = v.object({
  approval: v.string(),
  what: v.picklist([
    'withdrawal',
    'payout_release',
    'payout_return',
    'withdrawal_paid',
    'withdrawal_failed',
    'withdrawal_lost',
  ]),
  fingerprint: v.string(),
  need: v.number(),
  /** Null when the customer made the request. */
  made_by: v.nullable(staffMember),
  votes: v.array(v.object({ by: v.string(), role: v.string(), at: isoTime })),
  /** Why this operator may not vote now; null when they may. */
  refusal: v.nullable(v.string()),
});

const withdrawalItem = v.object({
  ...withdrawalRecord.entries,
  customer: v.object({ id: v.string(), username: v.string() }),
  version: v.number(),
  /** The rules for which it needs an approval. */
  why: v.array(v.picklist(['amount', 'delay', 'looks_like'])),
});
const withdrawalCase = v.object({
  ...withdrawalItem.entries,
  decision: v.nullable(decision),
  /** The reason why the signer waits before it pays; null if it does not wait. */
  waits: v.nullable(
    v.object({
      for: v.picklist(PAYOUT_WAITS),
      since: isoTime,
    }),
  ),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.nullable(v.string()) })),
  /** The customer's other withdrawals. */
  history: v.object({ count: v.number(), total: decimalText, to_payee: v.number(), deposited: decimalText }),
  /** Every transaction that was signed for it. All have the same nonce, so the chain accepts only one. */
  attempts: v.array(v.object({ hash: v.string(), nonce: v.string(), at: isoTime })),
});
export type WithdrawalCase = v.InferOutput<typeof withdrawalCase>;

export const listWithdrawalCases = call('GET /admin/withdrawals/lists', {
  who: 'operator',
  roles: ['finance', 'compliance', 'support', 'admin'],
  summary: 'Withdrawals of a tab, those that wait longest first; of what is finished, the newest first.',
  request: v.object({
    status: v.optional(choiceOf(WITHDRAWAL_TABS)),
    q: v.optional(searchText(64)),
    page: pageField(TIME_AND_UUID),
  }),
  result: v.object({
    ...pagedListOf(withdrawalItem).entries,
    counts: v.record(v.picklist(WITHDRAWAL_TABS), v.number()),
    promised_minutes: v.number(),
  }),
});

export const readWithdrawalCase = call('GET /admin/withdrawals/info', {
  who: 'operator',
  roles: ['finance', 'compliance', 'support', 'admin'],
  summary: 'One withdrawal with its checks, its history and what waits for people.',
  request: v.object({ id }),
  result: withdrawalCase,
  refusals: ['withdrawal_unknown'],
});

const decisionRefusals = [
  ...DECISION_REFUSALS,
  'withdrawal_unknown',
  'withdrawal_decided',
  'withdrawal_in_run',
  'version_stale',
] as const;

export const approveWithdrawal = call('POST /admin/withdrawals/approve', {
  who: 'operator',
  roles: DECIDERS,
  summary:
    'Approve a withdrawal, or what a colleague says of a bank’s payment. With the last approval the money moves, in the same transaction.',
  movesMoney: true,
  request: v.object(decisionFields),
  result: withdrawalCase,
  refusals: [...decisionRefusals, 'withdrawal_delayed', 'customer_frozen', 'house_short'],
});

export const rejectWithdrawal = call('POST /admin/withdrawals/reject', {
  who: 'operator',
  roles: DECIDERS,
  summary: 'Reject with a reason: amount and fee are the customer’s again at once. One person is enough.',
  movesMoney: true,
  request: v.object({ ...decisionFields, reason: choiceOf(REJECT_REASONS) }),
  result: withdrawalCase,
  refusals: decisionRefusals,
});

export const askCustomer = call('POST /admin/withdrawals/ask', {
  who: 'operator',
  roles: DECIDERS,
  summary: 'Ask the customer about a withdrawal; the clock goes on.',
  request: v.object({ id, version: caseVersion, question: caseText }),
  result: withdrawalCase,
  refusals: [
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
    'withdrawal_unknown',
    'withdrawal_decided',
    'version_stale',
  ],
});

export const reportBankPayment = call('POST /admin/withdrawals/paid', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Say that the bank has paid, with its number, confirmed by `step_up`. Another person confirms it too; then it is done.',
  request: v.object({ id, version: caseVersion, reference: boundedText(1, 64), step_up: stepUpId }),
  result: withdrawalCase,
  refusals: [...REPORT_REFUSALS, 'reference_used'],
});

export const reportBankFailure = call('POST /admin/withdrawals/failed', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Say that the bank has sent the money back, confirmed by `step_up`. Another person confirms it too; then it is the customer’s again.',
  request: v.object({
    id,
    version: caseVersion,
    reason: choiceOf(['payee_refused_by_bank', 'payee_name_differs']),
    step_up: stepUpId,
  }),
  result: withdrawalCase,
  refusals: REPORT_REFUSALS,
});

export const reportLostPayout = call('POST /admin/withdrawals/lost', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Say that no block will ever have a payout, confirmed by `step_up`. When another person agrees, its nonce is used up by an empty transaction; once that is final, the money is the customer’s again.',
  request: v.object({ id, version: caseVersion, note: decisionNote, step_up: stepUpId }),
  result: withdrawalCase,
  refusals: [...REPORT_REFUSALS, 'withdrawal_in_run'],
});

export const giveBackPayout = call('POST /admin/withdrawals/give_back', {
  who: 'operator',
  roles: DECIDERS,
  summary:
    'Say that an approved payout that is not signed yet goes back to its owner, confirmed by `step_up`. When another person agrees, amount and fee are the customer’s again.',
  request: v.object({ id, version: caseVersion, note: decisionNote, step_up: stepUpId }),
  result: withdrawalCase,
  refusals: [...REPORT_REFUSALS, 'withdrawal_in_run'],
});

export const accountForTransaction = call('POST /admin/withdrawals/foreign', {
  who: 'operator',
  roles: DECIDERS,
  summary:
    'Account for a transaction that moved the house’s money and that the signer has not signed, by its hash, confirmed by `step_up`. What it paid is booked: to an open withdrawal with its receiver and amount, to the owner of the saved wallet if the platform was restored or `customer` names them, else as an expense. When another person agrees, payouts go on.',
  request: v.object({
    hash: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/, fieldFault('malformed'))),
    /** Chooses among several open withdrawals, or among several owners of the wallet. */
    withdrawal: v.optional(id),
    customer: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/, fieldFault('malformed')))),
    note: decisionNote,
    step_up: stepUpId,
  }),
  /** `nonce` is null if none of the house’s addresses sent it. */
  result: v.object({ hash: v.string(), nonce: v.nullable(v.string()) }),
  refusals: [
    'hash_unknown',
    'hash_not_of_wallet',
    'hash_explained',
    'hash_ambiguous',
    'hash_not_of_withdrawal',
    'hash_not_of_customer',
    'already_waiting',
    'chain_unavailable',
    ...PROPOSED_REFUSALS,
  ],
});

export const reconcileWithdrawal = call('POST /admin/withdrawals/reconcile', {
  who: 'operator',
  roles: ['finance'],
  summary: 'Look on the chain, now, for a payout of which nobody knows whether it arrived. It never sends.',
  request: v.object({ id, version: caseVersion }),
  result: withdrawalCase,
  refusals: ['withdrawal_unknown', 'withdrawal_decided', 'version_stale', 'chain_unavailable', 'chain_disagrees'],
});
