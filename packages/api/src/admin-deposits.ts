import { normaliseAddress } from '@sathorn/identity';
import * as v from 'valibot';
import { caseVersion, decisionFields, decisionNote, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { depositRecord, OTHER_NETWORKS } from './deposits.ts';
import {
  amountText,
  choiceOf,
  decimalText,
  fieldFault,
  id,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  remarkText,
  searchText,
  TIME_AND_UUID,
  typedText,
  uuid,
} from './fields.ts';
import { DECISION_REFUSALS, PROPOSED_REFUSALS } from './refusals.ts';

const READERS = ['finance', 'compliance', 'support', 'admin'] as const;
export const DEPOSIT_TABS = ['slip', 'chain', 'wrong_network', 'credited'] as const;
export const RETURN_REASONS = [
  'amount_differs',
  'not_arrived',
  'name_differs',
  'slip_reused',
  'slip_unreadable',
  'sent_to_old_account',
] as const;

/** `unrecoverable` is only for transfers on other networks. */
const RECOVERY_PLANS = ['credit', 'return', 'unrecoverable'] as const;

const depositItem = v.object({
  ...depositRecord.entries,
  customer: v.object({ id: v.string(), username: v.string() }),
  version: v.number(),
  /** The number of another deposit, of any customer, whose slip has the identical picture. */
  same_picture_as: v.nullable(v.string()),
  /** The number of another deposit whose slip looks similar: saved again, cropped, or from the same bank. */
  similar_picture_as: v.nullable(v.string()),
  /** The part that a reversal could not take back from the customer. */
  shortfall: decimalText,
});
/** A match needs a fresh proof of the operator's factor, or also a second person. */
const MATCH_ASKS = ['step_up', 'two_people'] as const;
/** Imported by a person, reported by the bank with its signature, or made by a demonstration's bank. */
const STATEMENT_SOURCES = ['upload', 'feed', 'demo'] as const;

export const depositCase = v.object({
  ...depositItem.entries,
  line: v.nullable(v.string()),
  /** The operator who opened the case. That operator takes no part in a correction that pays it. */
  opened_by: v.nullable(staffMember),
  /**
   * The number of small transfers of the chain's own coin to the address that were counted without opening a case.
   * Older counts include other tokens, which now wait until a customer submits their hash.
   */
  unassigned: v.number(),
  /**
   * How the customer used a credit that a reorganisation undid, beyond what the balance could have paid without it: the
   * most that was in use at once, its profit, and the sum withdrawn. People settle it by a correction. Null if no
   * credit was undone.
   */
  undone: v.nullable(v.object({ used: decimalText, gained: decimalText, left: decimalText })),
  /**
   * The blocks between which the address received more than was seen; null if the transaction is known. Contracts can
   * send the chain's coin without a visible transfer.
   */
  counted: v.nullable(v.object({ from_height: v.string(), to_height: v.string() })),
  /** Above the threshold: the line that the first operator has chosen and the second must confirm. */
  decision: v.nullable(
    v.object({
      approval: v.string(),
      fingerprint: v.string(),
      line: v.string(),
      made_by: v.nullable(staffMember),
      refusal: v.nullable(v.string()),
    }),
  ),
  /** The proof that a match with a bank line needs; null if the deposit is not paid through a bank. */
  match_asks: v.nullable(v.picklist(MATCH_ASKS)),
  /** The reason why this operator may not match it with any line; null if they may. */
  match_refusal: v.nullable(v.string()),
  /** An operator's plan for a transfer that no rule can credit. */
  plan: v.nullable(
    v.object({
      approval: v.string(),
      fingerprint: v.string(),
      plan: v.picklist(RECOVERY_PLANS),
      to: v.nullable(v.string()),
      made_by: v.nullable(staffMember),
      refusal: v.nullable(v.string()),
    }),
  ),
});
export type DepositCase = v.InferOutput<typeof depositCase>;

const bankLine = v.object({
  id: v.string(),
  at: isoTime,
  amount: decimalText,
  payer: v.string(),
  reference: v.string(),
  bank_reference: v.string(),
  /** The deposit that this line was matched with. */
  used_by: v.nullable(v.string()),
  /** The source of the line; null for a line imported before statements existed. */
  source: v.nullable(v.picklist(STATEMENT_SOURCES)),
  /** A second person has attested the closing balance of its statement. */
  is_attested: v.boolean(),
  /** True if another line of the same account and day has the same number, so two people must match it. */
  is_twin: v.boolean(),
  /** True if this operator imported it, so another one must match it. */
  is_own: v.boolean(),
  /** The USDT that this line would credit to the requested deposit, and the rate; null without either. */
  credits: v.nullable(decimalText),
  rate: v.nullable(decimalText),
  agrees_on: v.array(v.picklist(['amount', 'reference'])),
});

export const listDepositCases = call('GET /admin/deposits/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Deposits of a tab: slips and what waits on a chain longest first, what is finished newest first.',
  request: v.object({
    tab: v.optional(choiceOf(DEPOSIT_TABS)),
    q: v.optional(searchText(80)),
    page: pageField(TIME_AND_UUID),
  }),
  result: v.object({ ...pagedListOf(depositItem).entries, counts: v.record(v.picklist(DEPOSIT_TABS), v.number()) }),
});

export const readDepositCase = call('GET /admin/deposits/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One deposit.',
  request: v.object({ id }),
  result: depositCase,
  refusals: ['deposit_unknown'],
});

export const readDepositSlip = call('GET /admin/deposits/slip', {
  who: 'operator',
  roles: ['finance', 'compliance'],
  summary: 'The customer’s picture of the slip, as a data URL. Each look is in the log.',
  request: v.object({ id }),
  result: v.object({ data_url: v.string() }),
  refusals: ['deposit_unknown', 'slip_unknown'],
});

export const listBankLines = call('GET /admin/deposits/bank_lines', {
  who: 'operator',
  roles: READERS,
  summary: 'Lines of the bank, the newest first, or those that agree most with a deposit.',
  request: v.object({
    near: v.optional(id),
    unused: v.optional(choiceOf(['true', 'false'])),
    page: pageField('[0-9]{1,6}'),
  }),
  result: pagedListOf(bankLine),
  refusals: ['deposit_unknown'],
});

export const bankStatement = v.object({
  id: v.string(),
  account: v.string(),
  source: v.picklist(STATEMENT_SOURCES),
  from: isoTime,
  to: isoTime,
  opening: decimalText,
  closing: decimalText,
  lines: v.number(),
  received: decimalText,
  paid_out: decimalText,
  /** The THB of its lines that are already matched. */
  matched: decimalText,
  imported_by: v.nullable(staffMember),
  imported_at: isoTime,
  attested_by: v.nullable(staffMember),
  attested_at: v.nullable(isoTime),
  /** True if this operator imported it, so another one must attest it. */
  is_own: v.boolean(),
});
export type BankStatementView = v.InferOutput<typeof bankStatement>;

export const listBankStatements = call('GET /admin/deposits/statements', {
  who: 'operator',
  roles: READERS,
  summary:
    'Imported statements, the newest first: how each came, whether its closing balance is attested; and the published limits of matches.',
  request: v.object({ page: pageField('[0-9]{1,6}') }),
  result: v.object({
    ...pagedListOf(bankStatement).entries,
    /** Null if the bank has no feed, so that all statements are uploads. */
    feed: v.nullable(v.object({ read_at: v.nullable(isoTime) })),
    limits: v.object({ two_people_from: decimalText, unattested_max: decimalText }),
  }),
});

export const importBankLines = call('POST /admin/deposits/bank_import', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Import a statement: a CSV file in UTF-8 in the field `image`. Times are ISO 8601 with a zone, or YYYY-MM-DD hh:mm[:ss] on the brand’s clock. Its first rows are account, from, to, opening and closing; then the columns bank_reference, at, amount (with a minus sign what was paid out), payer and reference. A line with the number of another of its account and day is named in `twins`, and two people match it. The lines must add up to its closing balance, and it must follow the statement before.',
  takesFile: true,
  request: noFields,
  result: v.object({
    statement: v.string(),
    lines: v.number(),
    new: v.number(),
    duplicates: v.number(),
    twins: v.array(v.object({ line: v.string(), bank_reference: v.string() })),
  }),
  refusals: [
    'file_unreadable',
    'statement_not_utf8',
    'statement_head_missing',
    'statement_line_wrong',
    'statement_sum_differs',
    'statement_gap',
    'bank_account_unknown',
    'bank_line_differs',
  ],
});

/** Returns the text whose SHA-256 the operator confirms: this line, and this version of the deposit. */
export const matchedText = (of: { readonly id: string; readonly line: string; readonly version: string }): string =>
  JSON.stringify([of.id, of.line, of.version]);

export const matchDeposit = call('POST /admin/deposits/match', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Match a bank line to a deposit, confirmed by `step_up`: what the line says is credited at once. A second person approves when this matcher’s, this customer’s or everybody’s sums of 24 hours reach the published limit, when the order had ended, and when neither amount nor reference agree. Whoever imported the line takes no part. A line is used once.',
  movesMoney: true,
  request: v.object({ ...decisionFields, fingerprint: v.optional(decisionFields.fingerprint), line: uuid }),
  result: depositCase,
  refusals: [
    ...DECISION_REFUSALS,
    'deposit_unknown',
    'deposit_finished',
    'version_stale',
    'line_unknown',
    'line_used',
    'line_of_another',
    'rate_unknown',
    'own_import',
    'statement_unattested',
    'house_short',
  ],
});

export const returnDeposit = call('POST /admin/deposits/return', {
  who: 'operator',
  roles: ['finance'],
  summary: 'End a bank deposit that can’t be matched, with the reason that the customer reads.',
  request: v.object({ id, version: caseVersion, reason: choiceOf(RETURN_REASONS), note: decisionNote }),
  result: depositCase,
  refusals: ['deposit_unknown', 'deposit_finished', 'version_stale'],
});

/** A transaction's hash as other networks write it: hexadecimal, base58 or base64. */
const networkHash = v.pipe(
  typedText(normaliseAddress),
  v.regex(/^[A-Za-z0-9+/=_-]{40,128}$/, fieldFault('hash_malformed')),
);

export const openDepositCase = call('POST /admin/deposits/open_case', {
  who: 'operator',
  roles: ['support', 'finance', 'compliance'],
  summary:
    'Open a case for a transfer on a network that the platform does not read, from what the customer and an explorer say. It changes no balance.',
  request: v.object({
    customer: v.pipe(
      v.string(fieldFault('required')),
      v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('malformed')),
      v.transform((digits) => BigInt(digits)),
    ),
    network: choiceOf(OTHER_NETWORKS),
    token: v.pipe(
      v.string(fieldFault('required')),
      v.trim(),
      v.toUpperCase(),
      v.regex(/^[A-Z0-9.]{2,12}$/, fieldFault('malformed')),
    ),
    /** The amount in the token's own units, as a block explorer shows it. */
    amount: v.pipe(
      amountText,
      v.regex(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/, fieldFault('amount_malformed')),
      v.check((written) => /[1-9]/.test(written), fieldFault('amount_malformed')),
    ),
    hash: networkHash,
    /** The text for the customer. */
    words: remarkText(500),
  }),
  result: depositCase,
  refusals: [
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
    'customer_unknown',
    'network_is_read',
    'network_case_exists',
  ],
});

export const planRecovery = call('POST /admin/deposits/recover', {
  who: 'operator',
  roles: ['finance'],
  summary:
    'Plan what becomes of a transfer that can’t be credited by rule: credited less the published fee, or sent back to the wallet that the customer named. A transfer on another network is returned there, with the hash of that transaction, or can’t be recovered; a correction credits it. Confirmed by `step_up`; compliance decides under Approvals.',
  request: v.object({
    id,
    version: caseVersion,
    plan: choiceOf(RECOVERY_PLANS),
    hash: v.optional(networkHash),
    note: decisionNote,
    step_up: stepUpId,
  }),
  result: depositCase,
  refusals: [
    'deposit_unknown',
    'deposit_not_in_recovery',
    'version_stale',
    'already_waiting',
    'recovery_not_ours',
    'recovery_below_fee',
    'recovery_wallet_missing',
    'return_delayed',
    'recovery_hash_missing',
    'recovery_by_correction',
    'case_in_correction',
    'conflict_of_interest',
    'customer_frozen',
    ...PROPOSED_REFUSALS,
  ],
});
