import * as v from 'valibot';
import { entryShape } from './admin-audit.ts';
import { decisionNote, fingerprint, staffMember, stepUpId } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import {
  assetCode,
  boundedText,
  choiceOf,
  chosenTime,
  decimalText,
  emptyResult,
  fieldFault,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  remarkText,
  searchText,
  uuid,
} from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

export const customerId = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[1-9][0-9]{9}$/, fieldFault('id_malformed')),
  v.transform((digits) => BigInt(digits)),
);
const READERS = ['support', 'compliance', 'finance', 'admin'] as const;

export const FREEZE_SCOPES = ['sign_in', 'trading', 'withdrawals'] as const;
export const FREEZE_REASONS = [
  'customer_asked',
  'takeover_suspected',
  'deposit_reversed',
  'duplicate_person',
  'legal_order',
] as const;
export const UNMASK_FIELDS = ['phone', 'email', 'address', 'payee'] as const;
/** Open options, settled options, and contract orders. */
export const CUSTOMER_ORDERS = ['holding', 'options', 'contracts'] as const;

const freezeShape = v.object({
  id: v.string(),
  scopes: v.array(v.picklist(FREEZE_SCOPES)),
  reason: v.picklist(FREEZE_REASONS),
  by: v.nullable(staffMember),
  from: isoTime,
  until: isoTime,
  lifted_at: v.nullable(isoTime),
});

const customerLine = v.object({
  id: v.string(),
  username: v.string(),
  nickname: v.string(),
  /** Masked. */
  contact: v.string(),
  created_at: isoTime,
  is_frozen: v.boolean(),
});

const profileShape = v.object({
  ...customerLine.entries,
  phone: v.nullable(v.string()),
  email: v.nullable(v.string()),
  currency: v.string(),
  language: v.string(),
  invited_by: v.nullable(v.string()),
  invite_allowed: v.boolean(),
  sessions: v.number(),
  freezes: v.array(freezeShape),
  /** Exact amounts, or bands for roles that may not see amounts. */
  balances: v.array(v.object({ asset: v.string(), available: v.string(), held: v.string(), is_band: v.boolean() })),
  /** Identifies the state that the operator saw; a decision must repeat it. */
  fingerprint: v.string(),
});
export type CustomerProfile = v.InferOutput<typeof profileShape>;

export const findCustomers = call('GET /admin/customers/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Customers by id, username, phone or email (whole), or by the beginning of a username.',
  request: v.object({ q: v.optional(searchText(254)), page: pageField('[0-9]{13}\\.[0-9]{10}') }),
  result: v.object({ ...pagedListOf(customerLine).entries, total: v.number() }),
  refusals: ['query_too_broad'],
});

export const readProfile = call('GET /admin/customers/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One customer, masked. Opening it is an entry that the customer can read.',
  request: v.object({ id: customerId }),
  result: profileShape,
  refusals: ['customer_unknown'],
});

export const listCustomerLedger = call('GET /admin/customers/ledger', {
  who: 'operator',
  roles: ['compliance', 'finance', 'admin'],
  summary: 'A customer’s postings in one asset, newest first.',
  request: v.object({ id: customerId, asset: assetCode, page: pageField('[0-9]{1,18}') }),
  result: pagedListOf(
    v.object({
      sequence: v.string(),
      at: isoTime,
      purpose: v.string(),
      amount: decimalText,
      after: decimalText,
      journal: v.string(),
    }),
  ),
  refusals: ['customer_unknown'],
});

export const listCustomerSessions = call('GET /admin/customers/sessions', {
  who: 'operator',
  roles: READERS,
  summary: 'Where a customer is signed in; addresses are masked.',
  request: v.object({ id: customerId }),
  result: v.array(
    v.object({ id: v.string(), device: v.string(), address: v.string(), created_at: isoTime, used_at: isoTime }),
  ),
  refusals: ['customer_unknown'],
});

export const listCustomerActions = call('GET /admin/customers/actions', {
  who: 'operator',
  roles: READERS,
  summary: 'What staff did with this customer’s account, newest first.',
  request: v.object({ id: customerId, page: pageField('[0-9]{1,15}') }),
  result: pagedListOf(entryShape),
  refusals: ['customer_unknown'],
});

const money = v.object({
  /** A decimal, or a band for roles that may not see amounts. */
  amount: v.string(),
  asset: v.string(),
});
const customerOrder = v.object({
  id: v.string(),
  at: isoTime,
  ended_at: v.nullable(isoTime),
  coin: v.string(),
  side: v.picklist(['up', 'down', 'buy', 'sell']),
  /** The stake of an option, or the size of a contract order. */
  size: money,
  /** The start price of an option; the average fill price of a contract order, or its limit. */
  price: v.nullable(decimalText),
  status: v.string(),
  /** The profit of an option, or the USDT that a contract order has moved; null while it is open. */
  result: v.nullable(money),
  is_band: v.boolean(),
});

export const listCustomerOrders = call('GET /admin/customers/orders', {
  who: 'operator',
  roles: READERS,
  summary: 'A customer’s open options, settled options or contract orders, newest first.',
  request: v.object({
    id: customerId,
    product: choiceOf(CUSTOMER_ORDERS),
    page: pageField('[0-9A-Za-z.-]{1,128}'),
  }),
  result: pagedListOf(customerOrder),
  refusals: ['customer_unknown'],
});

const customerPayee = v.object({
  id: v.string(),
  kind: v.picklist(['wallet', 'card']),
  /** The customer’s own name for it. */
  name: v.string(),
  /** Chain or bank. */
  place: v.string(),
  /** Masked. */
  number: v.string(),
  added_at: isoTime,
  usable_from: isoTime,
});

export const listCustomerPayees = call('GET /admin/customers/payees', {
  who: 'operator',
  roles: READERS,
  summary: 'Where a customer may have money sent: wallets and cards, masked.',
  request: v.object({ id: customerId }),
  result: v.array(customerPayee),
  refusals: ['customer_unknown'],
});

const customerMessage = v.object({
  id: v.string(),
  kind: v.string(),
  title: v.string(),
  /** Null if it names an amount that this role may not see. */
  content: v.nullable(v.string()),
  at: isoTime,
  read_at: v.nullable(isoTime),
});

export const listCustomerMessages = call('GET /admin/customers/messages', {
  who: 'operator',
  roles: READERS,
  summary: 'Notices that the platform and staff have sent to a customer, and when they were read.',
  request: v.object({ id: customerId, page: pageField('[A-Za-z0-9_-]{16}') }),
  result: pagedListOf(customerMessage),
  refusals: ['customer_unknown'],
});

export const messageCustomer = call('POST /admin/customers/message', {
  who: 'operator',
  roles: ['support', 'compliance', 'admin'],
  summary: 'Send one customer a notice, under the operator’s work name. It is text: no link in it can be pressed.',
  request: v.object({ id: customerId, text: remarkText(500) }),
  result: emptyResult,
  refusals: [
    'customer_unknown',
    'hour_budget_spent',
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
  ],
});

export const unmaskField = call('POST /admin/customers/unmask', {
  who: 'operator',
  roles: ['support', 'compliance', 'finance'],
  summary: 'Read one masked field in full, with a reason, within an hourly budget. Finance reads payees only.',
  request: v.object({
    id: customerId,
    field: choiceOf(UNMASK_FIELDS),
    /** The payee to show, for the field `payee`. */
    payee: v.optional(uuid),
    reason: remarkText(200),
  }),
  result: v.object({ value: v.nullable(v.string()), until: isoTime, left: v.number() }),
  refusals: ['customer_unknown', 'payee_unknown', 'field_not_yours', 'hour_budget_spent'],
});

export const freezeCustomer = call('POST /admin/customers/freeze', {
  who: 'operator',
  roles: ['support', 'compliance'],
  summary: 'Freeze sign-in, trading or withdrawals, with a reason and an end. It ends by itself.',
  request: v.object({
    id: customerId,
    scopes: v.pipe(
      boundedText(1, 60),
      v.transform((list) => [...new Set(list.split(','))]),
      v.array(choiceOf(FREEZE_SCOPES)),
    ),
    reason: choiceOf(FREEZE_REASONS),
    until: chosenTime,
    fingerprint,
    note: decisionNote,
    step_up: stepUpId,
  }),
  result: profileShape,
  refusals: [
    'customer_unknown',
    'until_too_far',
    'reason_not_yours',
    'already_frozen',
    'fingerprint_stale',
    'conflict_of_interest',
    'step_up_required',
    'step_up_expired',
  ],
});

const change = { id: customerId, freeze: uuid, reason: remarkText(500), step_up: stepUpId };
const changeRefusals = [
  'customer_unknown',
  'freeze_unknown',
  'already_waiting',
  'until_too_far',
  ...PROPOSED_REFUSALS,
] as const;

export const extendFreeze = call('POST /admin/customers/extend', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'Ask for a later end of a freeze, confirmed by `step_up`; a second person approves.',
  request: v.object({ ...change, until: chosenTime }),
  result: v.object({ approval: v.string() }),
  refusals: changeRefusals,
});

export const liftFreeze = call('POST /admin/customers/lift', {
  who: 'operator',
  roles: ['compliance'],
  summary: 'Ask for a freeze to end before its time, confirmed by `step_up`; a second person approves.',
  request: v.object(change),
  result: v.object({ approval: v.string() }),
  refusals: changeRefusals,
});

export const endCustomerSessions = call('POST /admin/customers/end_sessions', {
  who: 'operator',
  roles: ['support', 'compliance', 'admin'],
  summary: 'End one or all sessions of a customer.',
  request: v.object({ id: customerId, session: v.optional(uuid) }),
  result: v.object({ ended: v.number() }),
  refusals: ['customer_unknown'],
});

export const allowInvites = call('POST /admin/customers/invite_allowed', {
  who: 'operator',
  roles: ['support', 'compliance', 'admin'],
  summary: 'Give or take the permission to invite, with a reason.',
  request: v.object({ id: customerId, allowed: choiceOf(['yes', 'no']), reason: remarkText(200) }),
  result: emptyResult,
  refusals: ['customer_unknown'],
});

export const searchConsole = call('GET /admin/search', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Anything by its id or name, for the palette: only what the asker’s roles may open.',
  request: v.object({ q: searchText(80) }),
  result: v.array(v.object({ kind: v.string(), id: v.string(), title: v.string(), status: v.nullable(v.string()) })),
});

export const readDashboard = call('GET /admin/dashboard', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary:
    'Custody against the ledger, exposure, funds, queues with their clocks, times of withdrawals, and health; each role its parts.',
  request: noFields,
  result: v.object({
    at: isoTime,
    custody: v.nullable(
      v.array(
        v.object({
          asset: v.string(),
          customers: decimalText,
          pools: decimalText,
          /** The reserves according to the ledger. */
          reserves: decimalText,
          /** The reserves according to the chain or the bank; null before the first reading. */
          counted: v.nullable(decimalText),
          difference: v.nullable(decimalText),
          /** Since when the chain cannot be read, because its node does not answer or has just started. */
          uncounted_since: v.nullable(isoTime),
        }),
      ),
    ),
    exposure: v.nullable(
      v.array(v.object({ code: v.string(), up: decimalText, down: decimalText, limit: v.nullable(decimalText) })),
    ),
    queues: v.array(
      v.object({
        kind: v.string(),
        waiting: v.number(),
        overdue: v.number(),
        oldest_at: v.nullable(isoTime),
        due_at: v.nullable(isoTime),
      }),
    ),
    /** Bank matches of the last day that somebody should review, newest first. */
    bank_matches: v.nullable(
      v.array(
        v.object({
          deposit: v.string(),
          order_number: v.string(),
          customer: v.object({ id: v.string(), username: v.string() }),
          by: staffMember,
          baht: decimalText,
          at: isoTime,
          marks: v.array(v.picklist(['no_slip', 'first_large', 'unusual_day'])),
        }),
      ),
    ),
    /** The house's funds for paying customers and the part already promised, in USDT. */
    funds: v.nullable(v.array(v.object({ name: v.string(), promised: decimalText, funded: decimalText }))),
    /** Withdrawals paid in the last day: the time from request to payment. */
    times: v.nullable(
      v.object({
        promised_minutes: v.number(),
        automatic: v.number(),
        checked: v.number(),
        median_minutes: v.nullable(v.number()),
        /** 95 % of the withdrawals were faster. */
        slow_minutes: v.nullable(v.number()),
        /** The hours with at least one payment, oldest first. */
        hours: v.array(v.object({ from: isoTime, median_minutes: v.number(), slow_minutes: v.number() })),
      }),
    ),
    /** `late` counts overdue work, such as options that have ended and are not settled. */
    health: v.array(
      v.object({ name: v.string(), state: v.string(), is_good: v.boolean(), late: v.nullable(v.number()) }),
    ),
    indexes: v.array(
      v.object({
        code: v.string(),
        used: v.number(),
        sources: v.number(),
        price: v.nullable(decimalText),
        at: v.nullable(isoTime),
        stale: v.boolean(),
      }),
    ),
    events: v.array(
      v.object({
        n: v.string(),
        at: isoTime,
        who: v.nullable(staffMember),
        what: v.string(),
        on: v.object({ kind: v.string(), id: v.string() }),
      }),
    ),
  }),
});
