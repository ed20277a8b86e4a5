import * as v from 'valibot';
import { staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import {
  amountText,
  assetCode,
  boundedText,
  chosenInstant,
  cleanText,
  decimalText,
  isoTime,
  pagedListOf,
  pageField,
  remarkText,
  searchText,
  uuid,
} from './fields.ts';

const READERS = ['compliance', 'finance', 'admin'] as const;

const account = v.object({
  /** The account's name in the chart, such as `fee_income` or `spot`. */
  name: v.string(),
  /** Null for an account of the house. */
  customer: v.nullable(v.object({ id: v.string(), username: v.string() })),
});
const ledgerTransfer = v.object({
  sequence: v.string(),
  journal: v.string(),
  kind: v.picklist(['single', 'hold', 'post', 'void']),
  purpose: v.string(),
  debit: account,
  credit: account,
  asset: v.string(),
  amount: decimalText,
  /** The sequence of the hold that this transfer ended. */
  resolves: v.nullable(v.string()),
  at: isoTime,
});
export type LedgerTransfer = v.InferOutput<typeof ledgerTransfer>;

export const listLedgerAccounts = call('GET /admin/ledger/accounts', {
  who: 'operator',
  roles: READERS,
  summary: 'The chart with the total of each account and asset. A customer’s accounts are counted together.',
  request: v.object({ asset: v.optional(assetCode) }),
  result: v.object({
    items: v.array(
      v.object({
        code: v.number(),
        name: v.string(),
        asset: v.string(),
        is_house: v.boolean(),
        /** An account's balance rule. c: owed to others, never negative; d: assets, never overdrawn; n: capital. */
        rule: v.picklist(['c', 'd', 'n']),
        accounts: v.number(),
        total: decimalText,
        held: decimalText,
      }),
    ),
    /** All credits minus all debits per asset; each sum must be zero. */
    sums: v.array(v.object({ asset: v.string(), sum: decimalText })),
  }),
});

export const listLedgerTransfers = call('GET /admin/ledger/journals', {
  who: 'operator',
  roles: READERS,
  summary:
    'Transfers, newest first: of a customer, a purpose, a time, a journal or a sequence. One request looks through a part of the ledger, so a page may be short and still have a `next`.',
  request: v.object({
    /** A journal’s id, a sequence, or a customer’s id or username. */
    q: v.optional(searchText(80)),
    purpose: v.optional(boundedText(1, 40)),
    from: v.optional(chosenInstant),
    to: v.optional(chosenInstant),
    page: pageField('[0-9]{1,18}'),
  }),
  result: pagedListOf(ledgerTransfer),
});

export const readLedgerJournal = call('GET /admin/ledger/journal', {
  who: 'operator',
  roles: READERS,
  summary: 'One journal: its kind, its intent, its stored answer and its transfers, at most 200 of them.',
  request: v.object({ id: uuid }),
  result: v.object({
    id: v.string(),
    kind: v.string(),
    digest: v.string(),
    refusal: v.nullable(v.string()),
    answer: v.nullable(v.string()),
    at: isoTime,
    count: v.number(),
    transfers: v.array(ledgerTransfer),
  }),
  refusals: ['journal_unknown'],
});

const attestation = v.object({
  id: v.string(),
  asset: v.string(),
  counted: decimalText,
  /** The ledger's balance at that moment. */
  booked: decimalText,
  as_of: isoTime,
  statement: v.string(),
  by: staffMember,
  at: isoTime,
});

export const readReconciliation = call('GET /admin/reconciliation', {
  who: 'operator',
  roles: READERS,
  summary:
    'Custody against the ledger per asset and rail, what waits in clearing and for how long, and the checker’s last report.',
  request: v.object({}),
  result: v.object({
    at: isoTime,
    rails: v.array(
      v.object({
        asset: v.string(),
        /** chain: the hot wallet and the deposit addresses; bank: the bank account. */
        rail: v.picklist(['chain', 'cold', 'bank']),
        booked: decimalText,
        /** The chain's balance, or the newest attested bank statement; null if nobody has counted. */
        counted: v.nullable(decimalText),
        counted_at: v.nullable(isoTime),
        difference: v.nullable(decimalText),
        /** Since when the chain cannot be read, because its node does not answer or has just started. */
        uncounted_since: v.nullable(isoTime),
      }),
    ),
    assets: v.array(
      v.object({
        asset: v.string(),
        reserves: decimalText,
        customers: decimalText,
        clearing: decimalText,
        house: decimalText,
      }),
    ),
    clearing: v.array(
      v.object({
        account: v.string(),
        asset: v.string(),
        total: decimalText,
        held: decimalText,
        oldest: v.nullable(isoTime),
      }),
    ),
    checker: v.nullable(
      v.object({
        at: isoTime,
        /** When the slow check last reached the end of the history. */
        passed: v.nullable(isoTime),
        acknowledged: v.number(),
        halted: v.nullable(v.string()),
        violations: v.array(v.object({ invariant: v.string(), says: v.string(), subjects: v.number() })),
        invariants: v.array(v.object({ id: v.string(), says: v.string() })),
      }),
    ),
    attestations: v.array(attestation),
  }),
});

/**
 * Returns the text whose SHA-256 the person signs. It contains what is stored, so that the checker can rebuild it.
 * `counted` has all decimals of its asset.
 */
export const attestedText = (of: {
  readonly asset: string;
  readonly counted: string;
  readonly as_of: Date;
  readonly statement: string;
  readonly bank_statement?: string | undefined;
}): string =>
  JSON.stringify([of.asset, of.counted, of.as_of.toISOString(), cleanText(of.statement).trim(), of.bank_statement]);

export const attestBalance = call('POST /admin/reconciliation/attest', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Sign for what a bank statement says, confirmed by `step_up` for the asset and the statement. It changes no account.',
  request: v.object({
    asset: assetCode,
    counted: amountText,
    as_of: chosenInstant,
    statement: remarkText(200),
    /** A statement, imported by another person, with exactly this closing balance and end. */
    bank_statement: v.optional(uuid),
    step_up: stepUpId,
  }),
  result: attestation,
  refusals: [
    'statement_time_wrong',
    'amount_not_positive',
    'statement_unknown',
    'statement_balance_differs',
    'own_import',
    'already_attested',
    'step_up_required',
    'step_up_expired',
    'vote_unsigned',
  ],
});
