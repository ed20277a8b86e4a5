/** Purchases that a customer orders once and that recur: an instruction, and what was done in its name. */
import * as v from 'valibot';
import { call } from './call.ts';
import {
  choiceOf,
  coinCode,
  decimalText,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  storedPrice,
  usdtAmount,
  uuid,
  wholeNumber,
} from './fields.ts';

const RECURRENCES = ['day', 'week', 'month'] as const;

const recurringEntries = {
  id: v.string(),
  code: v.string(),
  /** USDT of each purchase, its fee included. */
  amount: decimalText,
  every: v.picklist(RECURRENCES),
  /** 1 (Monday) to 7 of a week, 1 to 28 of a month; null for every day. */
  day: v.nullable(v.number()),
  /** 0 to 23, by the clock of `time_zone`. */
  hour: v.number(),
  time_zone: v.string(),
  /** It never buys above this price; null for any price within the band of market orders. */
  price_max: v.nullable(decimalText),
  /** It ends after so many purchases; null for never. */
  times: v.nullable(v.number()),
  status: v.picklist(['active', 'paused', 'ended', 'revoked']),
  /** How many purchases were made, and how many were skipped. */
  bought: v.number(),
  skipped: v.number(),
  /** Null unless it is active. */
  next_at: v.nullable(isoTime),
  /** Sums of all purchases: USDT, and coins after fees. The average price excludes fees; null if there are none. */
  spent: decimalText,
  received: decimalText,
  average_price: v.nullable(decimalText),
  created_at: isoTime,
  updated_at: isoTime,
};
const recurring = v.object(recurringEntries);
export type Recurring = v.InferOutput<typeof recurring>;

const execution = v.object({
  /** Counts purchases and skipped times from 1. */
  number: v.number(),
  /** The time at which it was due, and when it was done. */
  due_at: isoTime,
  at: isoTime,
  /** The contract order; null if it was skipped. */
  order: v.nullable(v.string()),
  /** Why it was skipped: the code of a refusal, or `missed`. */
  refusal: v.nullable(v.string()),
  /** USDT, coins after the fee, and the average price of the order. */
  spent: v.nullable(decimalText),
  received: v.nullable(decimalText),
  price: v.nullable(decimalText),
});
export type RecurringExecution = v.InferOutput<typeof execution>;

export const addRecurring = call('POST /coin/recur/add', {
  who: 'customer',
  summary:
    'Buy a coin regularly: for an amount of USDT each day, week or month, at an hour of the platform’s time zone. Each purchase is an ordinary market order; one that cannot be made is skipped.',
  // It moves none by itself, but must not be made twice.
  movesMoney: true,
  request: v.object({
    code: coinCode,
    amount: usdtAmount,
    every: choiceOf(RECURRENCES),
    /** 1 (Monday) to 7 of a week, 1 to 28 of a month; none for every day. */
    day: v.optional(wholeNumber(1, 28)),
    hour: wholeNumber(0, 23),
    price_max: v.optional(storedPrice),
    times: v.optional(wholeNumber(1, 1_000)),
  }),
  result: recurring,
  refusals: [
    'paused',
    'consent_required',
    'coin_not_counted',
    'coin_not_covered',
    'contracts_not_offered',
    'below_minimum',
    'above_maximum',
    'price_off_tick',
    'day_not_allowed',
    'too_many_recurring',
    'account_frozen',
    'self_excluded',
    'time_out',
  ],
});

export const listRecurring = call('GET /coin/recur/lists', {
  who: 'customer',
  summary: 'Regular purchases, newest first: all that are active or paused, and the newest of the others.',
  request: noFields,
  result: v.object({ items: v.array(recurring), max: v.number() }),
});

export const readRecurring = call('GET /coin/recur/info', {
  who: 'customer',
  summary: 'One regular purchase.',
  request: v.object({ id: uuid }),
  result: recurring,
  refusals: ['recurring_unknown'],
});

export const listRecurringExecutions = call('GET /coin/recur/runs', {
  who: 'customer',
  summary: 'What a regular purchase bought and skipped, newest first.',
  request: v.object({ id: uuid, page: pageField('[0-9]{1,9}') }),
  result: pagedListOf(execution),
  refusals: ['recurring_unknown'],
});

export const switchRecurring = call('POST /coin/recur/switch', {
  who: 'customer',
  summary: 'Pause a regular purchase, or resume it. Times that pass while it is paused are not made up for.',
  request: v.object({ id: uuid, on: choiceOf(['0', '1']) }),
  result: recurring,
  refusals: ['recurring_unknown', 'recurring_ended'],
});

export const revokeRecurring = call('POST /coin/recur/close', {
  who: 'customer',
  summary: 'End a regular purchase for ever.',
  request: v.object({ id: uuid }),
  result: recurring,
  refusals: ['recurring_unknown', 'recurring_ended'],
});
