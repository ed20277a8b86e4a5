import * as v from 'valibot';
import { fingerprint as hash, staffMember, stepUpId } from './admin-fields.ts';
import { withdrawalIds } from './admin-treasury.ts';
import { call } from './call.ts';
import { decimalText, isoTime, noFields, uuid } from './fields.ts';

const RUNNERS = ['finance', 'compliance'] as const;

const line = v.object({
  withdrawal: v.object({
    id: v.string(),
    order_number: v.string(),
    customer: v.object({ id: v.string(), username: v.string() }),
    examined_by: v.array(staffMember),
  }),
  bank: v.string(),
  branch: v.string(),
  /** The whole number in an open run, because people sign it. Masked before. */
  account: v.string(),
  name: v.string(),
  /** THB. */
  amount: decimalText,
});
export type BankLineView = v.InferOutput<typeof line>;

const head = v.object({
  id: v.string(),
  step: v.picklist(['open', 'signed', 'withdrawn', 'lapsed']),
  count: v.number(),
  total: decimalText,
  opened_by: staffMember,
  opened_at: isoTime,
  lapses_at: isoTime,
  signatures: v.array(v.object({ by: staffMember, at: isoTime })),
});
export type BankRunHead = v.InferOutput<typeof head>;

export const readBankRuns = call('GET /admin/treasury/bank', {
  who: 'operator',
  roles: RUNNERS,
  summary: 'The open run of the bank’s file, what waits for one, and earlier ones.',
  request: noFields,
  result: v.object({
    /** False where the platform pays no bank accounts. */
    has_bank: v.boolean(),
    /** The console computes the file and its hash from these lines. */
    run: v.nullable(v.object({ ...head.entries, lines: v.array(line) })),
    recent: v.array(head),
    /** The oldest payments that may be in a run now. */
    waiting: v.array(line),
    /** How many more wait for the checker or for the next run. */
    later: v.number(),
    /** Why this person may not sign the open run; null when they may. */
    refusal: v.nullable(v.string()),
  }),
});
export type BankRuns = v.InferOutput<(typeof readBankRuns)['result']>;

export const openBankRun = call('POST /admin/treasury/bank/open', {
  who: 'operator',
  roles: ['finance'],
  summary: 'Open a run of these approved withdrawals to bank accounts. Their file exists once two people have signed.',
  request: v.object({ withdrawals: withdrawalIds }),
  result: v.object({ run: v.string() }),
  refusals: ['after_restoration', 'run_open', 'run_empty', 'run_too_long', 'run_line_unknown', 'payments_unchecked'],
});

export const signBankRun = call('POST /admin/treasury/bank/sign', {
  who: 'operator',
  roles: RUNNERS,
  summary:
    'Sign the bank’s file, confirmed by `step_up` as `bank_run.sign`. With the second signature its payments are at the bank, and the file can be downloaded.',
  request: v.object({
    id: uuid,
    /** SHA-256 of the file, as the console computed it from the lines that it shows. */
    hash,
    step_up: stepUpId,
  }),
  result: v.object({ signatures: v.number(), needed: v.number() }),
  refusals: [
    'run_unknown',
    'run_closed',
    'run_lapsed',
    'already_signed',
    'examined_by_you',
    'run_hash_differs',
    'after_restoration',
    'payments_unchecked',
    'step_up_required',
    'step_up_expired',
    'vote_unsigned',
  ],
});

export const withdrawBankRun = call('POST /admin/treasury/bank/withdraw', {
  who: 'operator',
  roles: RUNNERS,
  summary: 'Withdraw the open run: its payments wait for another one.',
  request: v.object({ id: uuid }),
  result: v.object({ run: v.string() }),
  refusals: ['run_unknown', 'run_closed'],
});

export const downloadBankFile = call('POST /admin/treasury/bank/file', {
  who: 'operator',
  roles: ['finance'],
  summary: 'The file for the bank that two people have signed (CSV). The same bytes each time; each time is logged.',
  request: v.object({ id: uuid }),
  result: v.object({ csv: v.string(), hash: v.string() }),
  refusals: ['run_unknown', 'run_unsigned', 'payments_unchecked'],
});
