import * as v from 'valibot';
import { call } from './call.ts';
import { amountText, choiceOf, decimalText, emptyResult, isoTime, noFields, uuid } from './fields.ts';

export const OWN_LIMITS = ['loss_day', 'loss_week', 'loss_month', 'stake_option', 'stake_day', 'time_day'] as const;
export type OwnLimit = (typeof OWN_LIMITS)[number];
export const TIME_OUT_PERIODS = ['24_hours', '7_days', '30_days'] as const;
export const EXCLUSION_PERIODS = ['6_months', '1_year', '5_years'] as const;
const REALITY_MINUTES = ['15', '30', '60', '120'] as const;

/** An amount of USDT, or whole minutes for the time limit. */
const value = v.nullable(decimalText);
const ownLimit = v.object({
  kind: v.picklist(OWN_LIMITS),
  /** The limit in force; null for none. */
  value,
  /**
   * The use in this period: losses (open orders count with their whole stake), stakes, or minutes. For the limit of a
   * single stake: today's largest stake.
   */
  used: decimalText,
  /** When the period ends; null for the limit of a single stake. */
  until: v.nullable(isoTime),
  /** A raise that is not in force yet. */
  pending: v.nullable(v.object({ id: v.string(), value, from: isoTime })),
});
export type OwnLimitView = v.InferOutput<typeof ownLimit>;

const safeguards = v.object({
  limits: v.array(ownLimit),
  reality_minutes: v.nullable(v.number()),
  pause: v.nullable(v.object({ kind: v.picklist(['time_out', 'self_exclusion']), until: isoTime })),
  open_options: v.number(),
});
export type Safeguards = v.InferOutput<typeof safeguards>;

export const readSafeguards = call('GET /users/safeguards', {
  who: 'customer',
  summary:
    'Limits that the customer has set, how much is used, what waits, and a break or self-exclusion. Losses are those of options.',
  request: noFields,
  result: safeguards,
});

export const setOwnLimit = call('POST /users/safeguards/limit', {
  who: 'customer',
  summary:
    'Set a limit, in USDT or minutes; without a value the limit ends. Stricter holds at once, looser after 24 hours, and replaces what waited.',
  request: v.object({ kind: choiceOf(OWN_LIMITS), value: v.optional(amountText) }),
  result: safeguards,
  refusals: ['amount_not_positive', 'above_maximum', 'limit_unchanged'],
});

export const cancelOwnLimit = call('POST /users/safeguards/limit/cancel', {
  who: 'customer',
  summary: 'Take back a raise that still waits.',
  request: v.object({ id: uuid }),
  result: safeguards,
  refusals: ['limit_unknown'],
});

export const takeBreak = call('POST /users/safeguards/break', {
  who: 'customer',
  summary: 'Stop trading and deposits for a while. Nobody lifts it early; withdrawals stay open.',
  request: v.object({ length: choiceOf(TIME_OUT_PERIODS) }),
  result: safeguards,
  refusals: ['self_excluded', 'time_out'],
});

export const excludeMyself = call('POST /users/safeguards/exclude', {
  who: 'customer',
  summary: 'Stop trading and deposits for half a year or longer. Nobody lifts it early; withdrawals stay open.',
  request: v.object({ length: choiceOf(EXCLUSION_PERIODS) }),
  result: safeguards,
  refusals: ['self_excluded', 'time_out'],
});

export const setRealityCheck = call('POST /users/safeguards/reality', {
  who: 'customer',
  summary: 'Show time and result after every so many minutes of use; without minutes, never.',
  request: v.object({ minutes: v.optional(choiceOf(REALITY_MINUTES)) }),
  result: safeguards,
});

/** The customer's time and result today, computed from their orders. */
const realityCheck = v.object({
  /** Minutes since the last check. */
  minutes: v.number(),
  minutes_today: v.number(),
  staked: decimalText,
  /** Negative for a loss. Open orders are not counted. */
  result: decimalText,
  open: v.number(),
});
export type RealityCheck = v.InferOutput<typeof realityCheck>;

export const countMinute = call('POST /users/safeguards/minute', {
  who: 'customer',
  summary: 'The app is in use: counts this minute once, for customers with a limit of time or a reality check.',
  request: noFields,
  result: v.object({ counts: v.boolean(), check: v.nullable(realityCheck) }),
});

export const answerRealityCheck = call('POST /users/safeguards/seen', {
  who: 'customer',
  summary: 'The reality check was read; the next one comes after the same time.',
  request: noFields,
  result: emptyResult,
});
