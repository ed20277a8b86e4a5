import * as v from 'valibot';
import { approvalShape } from './admin-approvals.ts';
import { stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import {
  boundedText,
  choiceOf,
  chosenInstant,
  emptyResult,
  fieldFault,
  isoTime,
  pagedListOf,
  remarkText,
} from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

/** All kinds of terms that two people can change with effect from a later time. */
const OFFER_KINDS = [
  'lockup',
  'liquidity',
  'option',
  'option_sale',
  'coin',
  'fee',
  'withdrawal',
  'level',
  'switch',
  'threshold',
  'box',
  'ladder',
] as const;

const fields = v.record(v.string(), v.unknown());
const subject = v.pipe(v.string(fieldFault('required')), v.regex(/^[A-Za-z0-9_-]{1,32}$/, fieldFault('malformed')));

const scheduled = v.object({
  version: v.number(),
  fields,
  effective_from: isoTime,
  /** When all customers concerned had been notified; null while that is under way. */
  announced_at: v.nullable(isoTime),
});

const offerItem = v.object({
  kind: v.string(),
  subject: v.string(),
  /** The minimum number of hours from the approval to the effect. */
  notice_hours: v.number(),
  begins_at_midnight: v.boolean(),
  in_force: v.nullable(v.object({ version: v.number(), fields, effective_from: isoTime })),
  /** Approved terms that have not started. */
  scheduled: v.nullable(scheduled),
  /** The open approval of new terms. */
  waiting: v.nullable(v.object({ id: v.string(), fields, effective_from: isoTime, made_by: v.nullable(v.string()) })),
});
export type OfferItem = v.InferOutput<typeof offerItem>;

const offerVersion = v.object({
  version: v.number(),
  fields,
  effective_from: isoTime,
  /** When the next version took effect. */
  to: v.nullable(isoTime),
  status: v.picklist(['first', 'applied', 'scheduled', 'stopped']),
  made_by: v.nullable(v.string()),
  checked_by: v.array(v.string()),
  reason: v.nullable(v.string()),
  stopped_by: v.nullable(v.string()),
  stop_reason: v.nullable(v.string()),
});
const usage = v.object({
  version: v.nullable(v.number()),
  orders: v.number(),
  amount: v.string(),
  reserved: v.string(),
  last_ends: v.nullable(v.string()),
});
const history = v.object({
  items: v.array(offerVersion),
  /** The open orders or positions under each version. */
  usage: v.array(usage),
});
export type OfferHistory = v.InferOutput<typeof history>;

const READERS = ['compliance', 'finance', 'content', 'admin'] as const;
const PRODUCT_KINDS = ['lockup', 'liquidity', 'fee', 'withdrawal', 'level', 'box', 'ladder'] as const;
const COIN_KINDS = ['option', 'option_sale', 'coin'] as const;
const BRAND_KINDS = ['switch', 'threshold'] as const;

const accrual = v.object({
  product: v.string(),
  day: v.string(),
  state: v.picklist(['counting', 'waiting', 'paying', 'paid']),
  positions: v.number(),
  chunks: v.number(),
  chunks_paid: v.number(),
});

export const listProducts = call('GET /admin/products/lists', {
  who: 'operator',
  roles: READERS,
  summary:
    'Terms of products in force, approved for later, and waiting for a second person; how far the day’s income is.',
  request: v.object({ kind: v.optional(choiceOf(PRODUCT_KINDS)) }),
  result: v.object({ ...pagedListOf(offerItem).entries, accruals: v.array(accrual) }),
});

export const listProductHistory = call('GET /admin/products/history', {
  who: 'operator',
  roles: READERS,
  summary: 'All versions of a product, newest first, with who made and checked them, and what is open under each.',
  request: v.object({ kind: choiceOf(PRODUCT_KINDS), subject }),
  result: history,
  refusals: ['product_unknown'],
});

/** The kind's own fields as JSON. */
const json = v.pipe(
  boundedText(2, 8_000),
  v.rawTransform<string, unknown>(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(dataset.value) as unknown;
    } catch {
      addIssue({ message: fieldFault('malformed') });
      return NEVER;
    }
  }),
);
const proposal = { subject, fields: json, effective_from: chosenInstant };
const PROPOSE_REFUSALS = [
  'product_unknown',
  'terms_malformed',
  'terms_unchanged',
  'change_pending',
  'notice_too_short',
  'begins_at_midnight',
] as const;
const CHECK_REFUSALS = ['not_funded', 'licence_missing'] as const;

export const previewOffer = call('POST /admin/products/preview', {
  who: 'operator',
  roles: ['finance', 'admin'],
  summary: 'What a proposal would be: its checks with figures, and what customers read. Nothing is written.',
  request: v.object({ kind: choiceOf(OFFER_KINDS), ...proposal }),
  result: v.object({
    before: v.nullable(fields),
    after: fields,
    checks: v.array(v.object({ code: v.string(), ok: v.boolean(), value: v.optional(v.string()) })),
    customer_view: v.string(),
  }),
  refusals: PROPOSE_REFUSALS,
});

export const proposeProduct = call('POST /admin/products/propose', {
  who: 'operator',
  roles: ['finance', 'admin'],
  summary: 'Ask a second person for new terms of a product from a later time on, confirmed by `step_up`.',
  request: v.object({ kind: choiceOf(PRODUCT_KINDS), ...proposal, reason: remarkText(500), step_up: stepUpId }),
  result: approvalShape,
  refusals: [...PROPOSE_REFUSALS, ...CHECK_REFUSALS, 'approval_open', ...PROPOSED_REFUSALS],
});

export const stopOffer = call('POST /admin/products/stop', {
  who: 'operator',
  roles: ['compliance', 'finance', 'admin'],
  summary: 'Stop approved terms before they take effect; one person is enough, and what is in force stays.',
  request: v.object({
    kind: choiceOf(OFFER_KINDS),
    subject,
    version: v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,6}$/), v.transform(Number)),
    reason: remarkText(500),
  }),
  result: emptyResult,
  refusals: ['product_unknown', 'already_in_force'],
});

export const listCoinsOffered = call('GET /admin/coins/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Options and contracts by coin: durations, payouts, limits, whether they are offered.',
  request: v.object({ kind: v.optional(choiceOf(COIN_KINDS)) }),
  result: pagedListOf(offerItem),
});

export const listCoinHistory = call('GET /admin/coins/history', {
  who: 'operator',
  roles: READERS,
  summary: 'All versions of a coin’s options or contracts, newest first.',
  request: v.object({ kind: choiceOf(COIN_KINDS), subject }),
  result: history,
  refusals: ['product_unknown'],
});

export const proposeCoin = call('POST /admin/coins/propose', {
  who: 'operator',
  roles: ['finance', 'admin'],
  summary:
    'Ask a second person for new durations, payouts or limits of a coin from a later time on, confirmed by `step_up`.',
  request: v.object({ kind: choiceOf(COIN_KINDS), ...proposal, reason: remarkText(500), step_up: stepUpId }),
  result: approvalShape,
  refusals: [...PROPOSE_REFUSALS, ...CHECK_REFUSALS, 'approval_open', ...PROPOSED_REFUSALS],
});

export const readBrand = call('GET /admin/brand', {
  who: 'operator',
  roles: ['compliance', 'admin'],
  summary: 'The brand’s switches and licences, and the thresholds of withdrawals.',
  request: v.object({}),
  result: v.object({
    ...pagedListOf(offerItem).entries,
    title: v.string(),
    mode: v.picklist(['demo', 'live']),
    /** The licences by product, from the deployment's own settings. */
    licences: v.record(v.string(), v.nullable(v.string())),
    asks_consent: v.boolean(),
  }),
});

export const readBrandHistory = call('GET /admin/brand/history', {
  who: 'operator',
  roles: ['compliance', 'admin'],
  summary: 'All versions of a switch or of the thresholds, newest first.',
  request: v.object({ kind: choiceOf(BRAND_KINDS), subject }),
  result: history,
  refusals: ['product_unknown'],
});

export const proposeBrand = call('POST /admin/brand/propose', {
  who: 'operator',
  roles: ['admin'],
  summary:
    'Ask a second person to switch a product, to enter its licence, or to change the thresholds, from a later time on. Confirmed by `step_up`.',
  request: v.object({ kind: choiceOf(BRAND_KINDS), ...proposal, reason: remarkText(500), step_up: stepUpId }),
  result: approvalShape,
  refusals: [...PROPOSE_REFUSALS, ...CHECK_REFUSALS, 'approval_open', ...PROPOSED_REFUSALS],
});

export const listOfferChanges = call('GET /offer/changes', {
  who: 'anyone',
  summary: 'Terms that two people have approved and that begin later, soonest first.',
  request: v.object({ kind: v.optional(choiceOf(OFFER_KINDS)) }),
  result: v.array(
    v.object({
      kind: v.string(),
      subject: v.string(),
      effective_from: isoTime,
      before: v.nullable(fields),
      after: fields,
      /** The sentence, in the caller’s language. */
      note: v.string(),
    }),
  ),
});
