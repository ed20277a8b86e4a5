import * as v from 'valibot';
import { caseVersion, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { DISPUTE_FINDINGS, disputeFinding, MONEY_FINDINGS, MONEY_SUBJECTS } from './disputes.ts';
import {
  choiceOf,
  decimalText,
  uuid as id,
  isoTime,
  pagedListOf,
  pageField,
  remarkText,
  TIME_AND_UUID,
} from './fields.ts';
import { optionOrder } from './options.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

const READERS = ['support', 'compliance', 'finance', 'admin'] as const;

const disputeItem = v.object({
  id: v.string(),
  customer: v.object({ id: v.string(), username: v.string() }),
  order: v.string(),
  status: v.picklist(['open', 'second_look', 'closed']),
  opened_at: isoTime,
  /** The internal time limit; `deadline` is the later one that the customer sees. */
  promised_at: isoTime,
  deadline: isoTime,
  first: v.nullable(staffMember),
  finding: v.nullable(disputeFinding),
  version: v.number(),
});

const disputeCase = v.object({
  ...disputeItem.entries,
  statement: v.string(),
  language: v.string(),
  option: optionOrder,
  /** The ticks from five seconds before the start to five seconds after the end. */
  ticks: v.array(v.object({ at: isoTime, price: decimalText, sequence: v.string() })),
  sources: v.array(v.object({ name: v.string(), price: decimalText })),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.optional(v.string()) })),
  /** Recomputed for this request from the stored ticks and the signed terms; null if a tick is not signed. */
  replay: v.object({
    finding: disputeFinding,
    computed: v.nullable(v.object({ status: v.string(), profit: decimalText })),
  }),
  answer: v.nullable(v.string()),
  first_at: v.nullable(isoTime),
  second: v.nullable(staffMember),
  second_at: v.nullable(isoTime),
  approval: v.nullable(v.object({ id: v.string(), fingerprint: v.string() })),
  fault: v.nullable(v.object({ by: staffMember, at: isoTime })),
});
export type DisputeCase = v.InferOutput<typeof disputeCase>;

export const listDisputes = call('GET /admin/disputes/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Disputes that wait for a first or a second look, the oldest first, or closed ones.',
  request: v.object({
    status: v.optional(choiceOf(['open', 'second_look', 'closed'])),
    page: pageField(TIME_AND_UUID),
  }),
  result: v.object({
    ...pagedListOf(disputeItem).entries,
    counts: v.object({ open: v.number(), second_look: v.number() }),
    /** Figures of the last 90 days. */
    closed: v.object({ all: v.number(), same: v.number(), faults: v.number() }),
  }),
});

export const readDispute = call('GET /admin/disputes/info', {
  who: 'operator',
  roles: READERS,
  summary:
    'One dispute with every tick of its order, the sources, the checks of its receipt and the settlement computed again.',
  request: v.object({ id }),
  result: disputeCase,
  refusals: ['dispute_unknown'],
});

export const proposeAnswer = call('POST /admin/disputes/propose', {
  who: 'operator',
  roles: ['support'],
  summary: 'Propose an answer, signed by `step_up`. The finding must be what the replay gives. Another person agrees.',
  request: v.object({
    id,
    version: caseVersion,
    finding: choiceOf(DISPUTE_FINDINGS),
    text: remarkText(1_000),
    step_up: stepUpId,
  }),
  result: disputeCase,
  refusals: [
    ...PROPOSED_REFUSALS,
    'dispute_unknown',
    'version_stale',
    'finding_disagrees_with_replay',
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
  ],
});

export const reportFault = call('POST /admin/disputes/fault', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'The replay differs: open a public incident and stop the sale of options, at once and by one person.',
  request: v.object({ id, version: caseVersion, text: remarkText(1_000) }),
  result: disputeCase,
  refusals: ['dispute_unknown', 'version_stale', 'finding_disagrees_with_replay', 'already_reported'],
});

const moneyDisputeItem = v.object({
  id: v.string(),
  customer: v.object({ id: v.string(), username: v.string() }),
  kind: v.picklist(MONEY_SUBJECTS),
  subject: v.string(),
  order: v.string(),
  amount: decimalText,
  asset: v.string(),
  at: isoTime,
  status: v.picklist(['open', 'second_look', 'closed']),
  opened_at: isoTime,
  promised_at: isoTime,
  deadline: isoTime,
  first: v.nullable(staffMember),
  finding: v.nullable(v.picklist(MONEY_FINDINGS)),
  version: v.number(),
});

const moneyDisputeCase = v.object({
  ...moneyDisputeItem.entries,
  statement: v.string(),
  language: v.string(),
  /** The platform's own records of the subject. */
  evidence: v.object({
    status: v.string(),
    amount: decimalText,
    fee: v.nullable(decimalText),
    asset: v.string(),
    channel: v.nullable(v.string()),
    created_at: isoTime,
    finished_at: v.nullable(isoTime),
    hash: v.nullable(v.string()),
    explorer: v.nullable(v.string()),
    block_height: v.nullable(v.string()),
    confirmations: v.nullable(v.number()),
    bank: v.nullable(
      v.object({
        bank_reference: v.string(),
        reference: v.string(),
        payer: v.string(),
        amount: decimalText,
        at: isoTime,
      }),
    ),
    transfers: v.array(
      v.object({
        sequence: v.string(),
        journal: v.string(),
        kind: v.string(),
        purpose: v.string(),
        debit: v.string(),
        credit: v.string(),
        amount: decimalText,
        asset: v.string(),
        at: isoTime,
      }),
    ),
  }),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.optional(v.string()) })),
  /** Corrections that name this dispute. */
  corrections: v.array(v.object({ id: v.string(), number: v.string(), step: v.string() })),
  answer: v.nullable(v.string()),
  correction: v.nullable(v.string()),
  first_at: v.nullable(isoTime),
  second: v.nullable(staffMember),
  second_at: v.nullable(isoTime),
  approval: v.nullable(v.object({ id: v.string(), fingerprint: v.string() })),
});
export type MoneyDisputeCase = v.InferOutput<typeof moneyDisputeCase>;

export const listMoneyDisputes = call('GET /admin/disputes/money/lists', {
  who: 'operator',
  roles: READERS,
  summary:
    'Disputes about deposits, withdrawals and corrections that wait for a first or a second look, or closed ones.',
  request: v.object({
    status: v.optional(choiceOf(['open', 'second_look', 'closed'])),
    page: pageField(TIME_AND_UUID),
  }),
  result: v.object({
    ...pagedListOf(moneyDisputeItem).entries,
    counts: v.object({ open: v.number(), second_look: v.number() }),
  }),
});

export const readMoneyDispute = call('GET /admin/disputes/money/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One dispute about money with its postings, the chain’s transaction, the bank’s line, and checks of each.',
  request: v.object({ id }),
  result: moneyDisputeCase,
  refusals: ['dispute_unknown'],
});

export const proposeMoneyAnswer = call('POST /admin/disputes/money/propose', {
  who: 'operator',
  roles: ['support'],
  summary: 'Propose an answer, signed by `step_up`, with a correction where one was agreed to. Compliance decides.',
  request: v.object({
    id,
    version: caseVersion,
    text: remarkText(1_000),
    correction: v.optional(id),
    step_up: stepUpId,
  }),
  result: moneyDisputeCase,
  refusals: [
    ...PROPOSED_REFUSALS,
    'dispute_unknown',
    'version_stale',
    'correction_not_agreed',
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
  ],
});
