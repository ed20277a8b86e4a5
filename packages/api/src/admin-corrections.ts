import * as v from 'valibot';
import { decisionFields, decisionNote, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { CORRECTION_HOUSES, CORRECTION_KINDS, CORRECTION_REASONS } from './corrections.ts';
import { MONEY_SUBJECTS } from './disputes.ts';
import {
  amountText,
  assetCode,
  choiceOf,
  decimalText,
  fieldFault,
  uuid as id,
  isoTime,
  pagedListOf,
  pageField,
  remarkText,
  searchText,
} from './fields.ts';
import { OPTION_STATUSES } from './options.ts';
import { DECISION_REFUSALS, PROPOSED_REFUSALS } from './refusals.ts';
import { INCIDENT_SEVERITIES } from './status.ts';

const READERS = ['compliance', 'finance', 'admin'] as const;
export const CORRECTION_CASES = ['dispute', 'journal', 'incident', 'deposit', 'kept'] as const;
export const CORRECTION_TABS = ['waiting', 'announced', 'posted', 'closed'] as const;

const sequence = v.pipe(
  v.string(),
  v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('malformed')),
  v.transform((digits) => BigInt(digits)),
);
const customer = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('malformed')),
  v.transform((digits) => BigInt(digits)),
);

/** The subject of a correction. The amount has the decimals of its asset. */
const proposal = {
  kind: choiceOf(CORRECTION_KINDS),
  customer,
  asset: v.optional(assetCode),
  /** If absent, the amount is everything that is left of the named transfer. */
  amount: v.optional(amountText),
  house: v.optional(choiceOf(CORRECTION_HOUSES)),
  /** The sequence of the wrong transfer. */
  transfer: v.optional(sequence),
  /** Replaces `transfer`: a case of a transfer on another network. */
  deposit: v.optional(id),
  /** Replaces `transfer`: the hash of signed terms whose receipt a device kept over a restoration. */
  kept: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, fieldFault('hash_malformed')))),
  reason: choiceOf(CORRECTION_REASONS),
  case_kind: choiceOf(CORRECTION_CASES),
  case_id: id,
};
const PROPOSAL_REFUSALS = [
  'customer_unknown',
  'transfer_required',
  'transfer_unknown',
  'transfer_not_correctable',
  'deposit_unknown',
  'deposit_not_lost',
  'kept_unknown',
  'kept_terms_only',
  'kept_still_open',
  'kept_nothing_due',
  'kept_amount_fixed',
  'reason_mismatch',
  'amount_required',
  'already_corrected',
  'amount_not_positive',
  'above_correction_cap',
  'account_short',
  'house_account_wrong',
  'exceeds_available',
  'case_unknown',
  'conflict_of_interest',
] as const;

/** One transfer, as it would be posted or as it was posted. */
const leg = v.object({
  debit: v.string(),
  credit: v.string(),
  asset: v.string(),
  amount: decimalText,
  debit_after: v.nullable(decimalText),
  credit_after: v.nullable(decimalText),
});

const correctionItem = v.object({
  id: v.string(),
  number: v.string(),
  customer: v.object({ id: v.string(), username: v.string() }),
  kind: v.picklist(CORRECTION_KINDS),
  asset: v.string(),
  /** The signed change of the customer's balance. */
  amount: decimalText,
  /** The amount that was moved. A debit moves less than requested if the balance was lower. */
  moved: v.nullable(decimalText),
  reason: v.picklist(CORRECTION_REASONS),
  step: v.picklist(['proposed', 'announced', 'done', 'stopped', 'rejected', 'withdrawn', 'expired']),
  made_by: staffMember,
  /** The work name of the second person. */
  checked_by: v.nullable(v.string()),
  made_at: isoTime,
  expires_at: isoTime,
  due_at: v.nullable(isoTime),
  ended_at: v.nullable(isoTime),
  version: v.number(),
});
export type CorrectionItem = v.InferOutput<typeof correctionItem>;

const wrongTransfer = v.object({
  sequence: v.string(),
  journal: v.string(),
  purpose: v.string(),
  amount: decimalText,
  asset: v.string(),
  at: isoTime,
});
const correctionCase = v.object({
  ...correctionItem.entries,
  house: v.picklist(CORRECTION_HOUSES),
  transfer: v.nullable(wrongTransfer),
  deposit: v.nullable(v.string()),
  /** SHA-256 of the signed terms whose receipt is paid. */
  kept: v.nullable(v.string()),
  words: v.string(),
  case_kind: v.picklist(CORRECTION_CASES),
  case_id: v.string(),
  /** True if the dispute is about a trade, false if it is about money. */
  is_about_trade: v.boolean(),
  journal: v.nullable(v.string()),
  legs: v.array(leg),
  /** The text for the customer, in the customer's language. */
  customer_view: v.string(),
  decision: v.nullable(
    v.object({
      approval: v.string(),
      fingerprint: v.string(),
      roles: v.array(v.string()),
      refusal: v.nullable(v.string()),
    }),
  ),
  stopped_by: v.nullable(staffMember),
});
export type CorrectionCase = v.InferOutput<typeof correctionCase>;

const preview = v.object({
  asset: v.string(),
  amount: decimalText,
  house: v.picklist(CORRECTION_HOUSES),
  legs: v.array(leg),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.optional(v.string()) })),
  /** The roles that the second person may have. */
  roles: v.array(v.string()),
  customer_view: v.string(),
});
export type CorrectionPreview = v.InferOutput<typeof preview>;

export const listCorrections = call('GET /admin/corrections/lists', {
  who: 'operator',
  roles: READERS,
  summary:
    'Corrections: those that wait for a second person, announced debits, posted ones, and those that ended otherwise.',
  request: v.object({ tab: v.optional(choiceOf(CORRECTION_TABS)), page: pageField('[0-9]{1,18}') }),
  result: v.object({
    ...pagedListOf(correctionItem).entries,
    counts: v.object({ waiting: v.number(), announced: v.number() }),
    /** The last 90 days by kind and asset. */
    sums: v.array(
      v.object({ kind: v.picklist(CORRECTION_KINDS), asset: v.string(), count: v.number(), amount: decimalText }),
    ),
  }),
});

export const readCorrection = call('GET /admin/corrections/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One correction: the wrong transfer, what it posts, who made and checked it, and what the customer reads.',
  request: v.object({ id }),
  result: correctionCase,
  refusals: ['correction_unknown'],
});

const correctionCases = v.object({
  customer: v.object({ id: v.string(), username: v.string() }),
  /** The requested transfer; null if there is none. */
  transfer: v.nullable(wrongTransfer),
  /** Newest first; `order` is the number that people read, or the id of an option order. */
  disputes: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(['option', ...MONEY_SUBJECTS]),
      order: v.string(),
      status: v.picklist(['open', 'second_look', 'closed']),
      at: isoTime,
    }),
  ),
  incidents: v.array(
    v.object({ id: v.string(), severity: v.picklist(INCIDENT_SEVERITIES), is_open: v.boolean(), at: isoTime }),
  ),
  /** Cases of transfers on other networks, which corrections may pay. */
  deposits: v.array(v.object({ id: v.string(), order: v.string(), amount: decimalText, at: isoTime })),
});
export type CorrectionCases = v.InferOutput<typeof correctionCases>;

export const listCorrectionCases = call('GET /admin/corrections/cases', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'What a correction may be about: the customer by number or whole username, a transfer by its sequence, the customer’s disputes and lost deposits, and incidents of 90 days.',
  request: v.object({ q: searchText(80), transfer: v.optional(sequence) }),
  result: correctionCases,
  refusals: ['customer_unknown'],
});

const keptItem = v.object({
  case: v.object({ id: v.string(), number: v.string() }),
  /** SHA-256 of the signed terms. */
  hash: v.string(),
  key: v.string(),
  order: v.string(),
  accepted_at: isoTime,
  coin: v.string(),
  direction: v.picklist(['up', 'down']),
  stake: decimalText,
  /** Computed from the ticks in the receipt; null if only the terms were kept. */
  ended: v.nullable(v.picklist(['won', 'lost', 'tie', 'void', 'sold'])),
  /** The status of the option in the books. */
  booked: v.picklist(['unknown', ...OPTION_STATUSES]),
  /** The amount that the rule pays; null if it pays nothing, for the reason in `why_not`. */
  amount: v.nullable(decimalText),
  why_not: v.nullable(v.picklist(['kept_terms_only', 'kept_still_open', 'kept_nothing_due'])),
  /** The correction that pays the receipt, or that is proposed for it. */
  correction: v.nullable(v.object({ id: v.string(), number: v.string() })),
  taken_at: isoTime,
});
export type KeptItem = v.InferOutput<typeof keptItem>;

export const listKeptTexts = call('GET /admin/corrections/kept', {
  who: 'operator',
  roles: ['support', 'compliance', 'finance', 'admin'],
  summary:
    'What this customer handed in of the time that a restoration lost, newest first: verified when it was taken, compared with the books now.',
  request: v.object({ customer, page: pageField('[0-9]{1,6}') }),
  result: pagedListOf(keptItem),
});

export const previewCorrection = call('GET /admin/corrections/preview', {
  who: 'operator',
  roles: ['finance'],
  summary: 'What a correction would post and whether it may: nothing is changed.',
  request: v.object(proposal),
  result: preview,
  refusals: PROPOSAL_REFUSALS,
});

export const makeCorrection = call('POST /admin/corrections/make', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Propose a correction of a customer’s balance, confirmed by `step_up`. It has no effect until a second person approves it.',
  request: v.object({ ...proposal, words: remarkText(1_000), step_up: stepUpId }),
  result: correctionCase,
  refusals: [...PROPOSAL_REFUSALS, ...PROPOSED_REFUSALS],
});

export const approveCorrection = call('POST /admin/corrections/approve', {
  who: 'operator',
  roles: READERS,
  summary:
    'Approve what another proposed: a payment is posted with this vote; a debit is announced to the customer and taken a day later.',
  movesMoney: true,
  request: v.object({ ...decisionFields, id }),
  result: correctionCase,
  refusals: [
    ...DECISION_REFUSALS,
    'correction_unknown',
    'correction_decided',
    'version_stale',
    'account_short',
    'deposit_not_lost',
    'already_corrected',
    'kept_nothing_due',
    'conflict_of_interest',
  ],
});

export const rejectCorrection = call('POST /admin/corrections/reject', {
  who: 'operator',
  roles: READERS,
  summary: 'Reject a proposed correction.',
  request: v.object({ ...decisionFields, id }),
  result: correctionCase,
  refusals: [...DECISION_REFUSALS, 'correction_unknown', 'correction_decided', 'version_stale'],
});

export const stopCorrection = call('POST /admin/corrections/stop', {
  who: 'operator',
  roles: READERS,
  summary: 'Stop an announced debit before it is taken. One person is enough.',
  request: v.object({ id, note: v.nonOptional(decisionNote) }),
  result: correctionCase,
  refusals: ['correction_unknown', 'correction_decided'],
});
