import { call, decisionFields, staff } from '@sathorn/api';
import * as v from 'valibot';

// Withdrawals and deposits as operators see them.

const time = v.pipe(v.string(), v.isoTimestamp());
const decimal = v.string();
const id = v.string();
const READERS = ['support', 'compliance', 'finance', 'admin'] as const;
const DECIDERS = ['compliance', 'finance'] as const;
const person = v.object({ id: v.string(), username: v.string() });

export const WITHDRAWAL_TABS = ['review', 'delayed', 'processing', 'success', 'failed'] as const;
const withdrawalLine = v.object({
  id: v.string(),
  customer: person,
  channel: v.string(),
  amount: decimal,
  fee: decimal,
  actual_amount: decimal,
  amount_thb: v.nullish(decimal, null),
  payee: v.looseObject({
    name: v.nullish(v.string(), null),
    address: v.nullish(v.string(), null),
    bank: v.nullish(v.string(), null),
    number: v.nullish(v.string(), null),
  }),
  status: v.string(),
  why: v.array(v.string()),
  need: v.number(),
  approvals: v.array(v.looseObject({ by: v.union([v.string(), staff]), at: time })),
  asked_at: time,
  promised_at: time,
  delayed_until: v.nullish(time, null),
  waits_for: v.nullish(v.string(), null),
  hash: v.nullish(v.string(), null),
  version: v.number(),
});
export type WithdrawalLine = v.InferOutput<typeof withdrawalLine>;
const withdrawalCase = v.object({
  ...withdrawalLine.entries,
  fingerprint: v.nullish(v.string(), null),
  approval: v.nullish(v.string(), null),
  checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.optional(v.string()) })),
  history: v.array(v.object({ at: time, what: v.string(), by: v.nullish(v.string(), null) })),
});

const listing = { q: v.optional(v.string()), page: v.optional(v.string()) };
export const listWithdrawals = call('GET /admin/withdrawals/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Withdrawals by state.',
  request: v.object({ status: v.optional(v.string()), ...listing }),
  result: v.object({
    items: v.array(withdrawalLine),
    next: v.nullable(v.string()),
    counts: v.optional(v.record(v.string(), v.number()), {}),
  }),
});
export const readWithdrawal = call('GET /admin/withdrawals/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One withdrawal, whole.',
  request: v.object({ id }),
  result: withdrawalCase,
});
export const approveWithdrawal = call('POST /admin/withdrawals/approve', {
  who: 'operator',
  roles: DECIDERS,
  summary: 'Approve.',
  movesMoney: true,
  request: v.object(decisionFields),
  result: v.unknown(),
});
export const rejectWithdrawal = call('POST /admin/withdrawals/reject', {
  who: 'operator',
  roles: DECIDERS,
  summary: 'Reject, with a reason that the customer reads.',
  movesMoney: true,
  request: v.object({ ...decisionFields, reason: v.string() }),
  result: v.unknown(),
});
export const askAboutWithdrawal = call('POST /admin/withdrawals/ask', {
  who: 'operator',
  roles: DECIDERS,
  summary: 'Ask the customer something.',
  request: v.object({ id, version: v.string(), question: v.string() }),
  result: v.unknown(),
});

export const DEPOSIT_TABS = ['slip', 'chain', 'wrong_network', 'credited'] as const;
const depositLine = v.looseObject({
  id: v.string(),
  customer: person,
  channel: v.string(),
  amount: decimal,
  currency: v.optional(v.string(), 'THB'),
  credited: v.nullish(decimal, null),
  status: v.string(),
  reason: v.nullish(v.string(), null),
  reference: v.nullish(v.string(), null),
  hash: v.nullish(v.string(), null),
  created_at: time,
  promised_at: v.nullish(time, null),
  version: v.number(),
});
export const listDepositCases = call('GET /admin/deposits/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Deposits by what they wait for.',
  request: v.object({ tab: v.optional(v.string()), ...listing }),
  result: v.object({
    items: v.array(depositLine),
    next: v.nullable(v.string()),
    counts: v.optional(v.record(v.string(), v.number()), {}),
  }),
});
export const readDepositCase = call('GET /admin/deposits/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One deposit, whole.',
  request: v.object({ id }),
  result: v.looseObject({
    ...depositLine.entries,
    fingerprint: v.nullish(v.string(), null),
    slip: v.nullish(v.string(), null),
  }),
});
export const listBankLines = call('GET /admin/deposits/bank_lines', {
  who: 'operator',
  roles: READERS,
  summary: 'Lines of the bank near a deposit.',
  request: v.object({ near: v.optional(v.string()), unused: v.optional(v.string()), page: v.optional(v.string()) }),
  result: v.object({
    items: v.array(
      v.object({
        id: v.string(),
        at: time,
        amount: decimal,
        from: v.nullish(v.string(), null),
        reference: v.nullish(v.string(), null),
        used_by: v.nullish(v.string(), null),
        agrees_on: v.array(v.string()),
      }),
    ),
    next: v.nullable(v.string()),
  }),
});
export const matchDeposit = call('POST /admin/deposits/match', {
  who: 'operator',
  roles: ['finance'],
  summary: 'Match a deposit with a line of the bank.',
  movesMoney: true,
  request: v.object({ ...decisionFields, line: v.string() }),
  result: v.unknown(),
});
export const returnDeposit = call('POST /admin/deposits/return', {
  who: 'operator',
  roles: ['finance'],
  summary: 'Send a slip back, with a reason that the customer reads.',
  request: v.object({ id, version: v.string(), reason: v.string() }),
  result: v.unknown(),
});
