import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, isoTime, noFields } from './fields.ts';

/** A date of the brand's calendar. */
const localDate = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/));

/** The daily sign-in of one customer. */
export const signInState = v.object({
  /** Today's date in the brand's time zone. */
  today: localDate,
  /** The length of the current streak; 0 if today starts a new one. */
  days: v.number(),
  signed_today: v.boolean(),
  /** Today's rung on the ladder, whether the customer has signed in today or not. */
  rung: v.number(),
  ladder: v.array(v.object({ day: v.number(), points: decimalText, usdt: decimalText })),
  /** The customer's points. */
  score: decimalText,
  /** The rewards that stay locked until the certification; null if none are locked and today's would not be. */
  locked: v.nullable(v.object({ points: decimalText, usdt: decimalText })),
  /** Signed-in days of this month and the previous one, oldest first. */
  calendar: v.array(localDate),
  /** The first day of the current streak; null without one. */
  since: v.nullable(localDate),
  /** The fund that pays: USDT left, USDT paid in so far, and points left. */
  fund: v.object({ usdt: decimalText, usdt_funded: decimalText, points: decimalText }),
  /** The version of the ladder in force, and since when. */
  version: v.number(),
  effective_from: localDate,
  /** When the next day starts in the brand's time zone. */
  next_day_at: isoTime,
});
export type SignInState = v.InferOutput<typeof signInState>;

export const signInDaily = call('POST /task/sign', {
  who: 'customer',
  summary:
    'Sign in for today, by the brand’s calendar: points, and USDT as far as the reward account can pay. Once a day.',
  movesMoney: true,
  request: noFields,
  result: v.object({
    /** The ladder's day, from 1 to 7. */
    days: v.number(),
    day: localDate,
    points: decimalText,
    usdt: decimalText,
    /** The part of this day's USDT reward that the fund could not pay. */
    usdt_missed: decimalText,
    score: decimalText,
    /** True if both rewards are locked until the certification. */
    locked: v.boolean(),
  }),
  refusals: ['account_frozen', 'already_signed_in', 'sign_in_closed', 'reward_fund_empty'],
});
