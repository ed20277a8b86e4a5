/** Subscriptions that a customer orders once and that are made later: an instruction, and what was done in its name. */
import { parseRate, type Rate } from '@sathorn/money';
import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, decimalText, fieldFault, isoTime, pagedListOf, pageField, usdtAmount, uuid } from './fields.ts';

const STANDING_KINDS = ['renewal', 'deposits'] as const;
const EARNING_TYPES = ['liquidity', 'regular'] as const;

/** A daily rate as a share, such as 0.00015; at most one percent, as for the products. */
const dailyRate = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^0(\.[0-9]{1,8})?$/, fieldFault('malformed')),
  v.transform((text) => parseRate(text) ?? (0n as Rate)),
  v.check((rate) => rate <= 1_000_000n, fieldFault('malformed')),
);
/** A lock-up's term in days. */
const productName = v.pipe(v.string(), v.regex(/^[0-9]{1,3}$/, fieldFault('malformed')));

const standing = v.object({
  id: v.string(),
  /** `renewal` subscribes a lock-up again when it has ended; `deposits` subscribes each deposit. */
  kind: v.picklist(STANDING_KINDS),
  /** Of a renewal: the lock-up that it began with, and the one that it renews next. */
  order: v.nullable(v.string()),
  current: v.nullable(v.string()),
  type: v.picklist(EARNING_TYPES),
  /** The lock-up's term in days; null for liquidity. */
  product: v.nullable(v.string()),
  /** Nothing is subscribed below this daily rate; null for liquidity. */
  rate_min: v.nullable(decimalText),
  /** Of `deposits`: smaller ones are left alone, and of larger ones only so much is subscribed. */
  amount_min: v.nullable(decimalText),
  amount_max: v.nullable(decimalText),
  status: v.picklist(['active', 'ended', 'revoked']),
  /** How many subscriptions were made, and how many were skipped. */
  done: v.number(),
  skipped: v.number(),
  /** The newest subscription that could not be made: the code of a refusal, or `missed`; null if there is none. */
  reason: v.nullable(v.string()),
  created_at: isoTime,
  updated_at: isoTime,
});
export type Standing = v.InferOutput<typeof standing>;

const run = v.object({
  /** Counts subscriptions and skips from 1. */
  number: v.number(),
  at: isoTime,
  /** The lock-up that ended, or the deposit. */
  source: v.string(),
  /** The lock-up or the movement of liquidity that was made; null if it was skipped. */
  order: v.nullable(v.string()),
  /** USDT of the source. */
  amount: decimalText,
  /** Why it was skipped: the code of a refusal, or `missed`. */
  refusal: v.nullable(v.string()),
});
export type StandingRun = v.InferOutput<typeof run>;

const MAKING_REFUSALS = ['paused', 'consent_required', 'account_frozen', 'self_excluded', 'time_out'] as const;

export const addRenewal = call('POST /yuebao/standing/renew', {
  who: 'customer',
  summary:
    'Renew a lock-up at its end: the same principal is subscribed to the same product under the terms of that day, again and again until it is revoked or cannot be done.',
  // It moves none by itself, but must not be made twice.
  movesMoney: true,
  request: v.object({
    /** The lock-up. */
    id: uuid,
    rate_min: dailyRate,
  }),
  result: standing,
  refusals: [...MAKING_REFUSALS, 'order_unknown', 'lockup_ended', 'already_renewed'],
});

export const addFromDeposits = call('POST /yuebao/standing/deposits', {
  who: 'customer',
  summary:
    'Subscribe each deposit when it is credited: to liquidity, or to a lock-up (type=regular) of a product. What cannot be subscribed is skipped.',
  movesMoney: true,
  request: v.object({
    type: choiceOf(EARNING_TYPES),
    product: v.optional(productName),
    /** Smaller deposits are left alone. */
    amount_min: usdtAmount,
    /** Of larger deposits only so much is subscribed. */
    amount_max: usdtAmount,
    /** Required for a lock-up. */
    rate_min: v.optional(dailyRate),
  }),
  result: standing,
  refusals: [
    ...MAKING_REFUSALS,
    'product_unknown',
    'earning_not_offered',
    'rate_min_missing',
    'below_minimum',
    'above_maximum',
    'amounts_crossed',
    'too_many_standing',
  ],
});

export const listStanding = call('GET /yuebao/standing/lists', {
  who: 'customer',
  summary: 'Standing orders of earning, newest first: all that are active, and the newest of the others.',
  request: v.object({ kind: v.optional(choiceOf(STANDING_KINDS)) }),
  result: v.object({ items: v.array(standing) }),
});

export const readStanding = call('GET /yuebao/standing/info', {
  who: 'customer',
  summary: 'One standing order of earning.',
  request: v.object({ id: uuid }),
  result: standing,
  refusals: ['standing_unknown'],
});

export const listStandingRuns = call('GET /yuebao/standing/runs', {
  who: 'customer',
  summary: 'What a standing order of earning subscribed and skipped, newest first.',
  request: v.object({ id: uuid, page: pageField('[0-9]{1,9}') }),
  result: pagedListOf(run),
  refusals: ['standing_unknown'],
});

export const revokeStanding = call('POST /yuebao/standing/close', {
  who: 'customer',
  summary: 'End a standing order of earning for ever. What it has subscribed goes on.',
  request: v.object({ id: uuid }),
  result: standing,
  refusals: ['standing_unknown', 'standing_ended'],
});
