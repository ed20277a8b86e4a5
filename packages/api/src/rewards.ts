import * as v from 'valibot';
import { call } from './call.ts';
import { decimal, noFields, time } from './fields.ts';

/** A date of the brand's calendar. */
const localDate = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/));

/** The daily sign-in as it stands for one customer. */
export const signInState = v.object({
  /** The brand's date now. */
  today: localDate,
  /** Days in a row up to the last one that still counts; 0 when today begins the ladder. */
  days: v.number(),
  signed_today: v.boolean(),
  /** The day of the ladder that was signed today, or would be. */
  rung: v.number(),
  ladder: v.array(v.object({ day: v.number(), points: decimal, usdt: decimal })),
  /** Points that the customer has. */
  score: decimal,
  /** Signed days of this month and the one before, oldest first. */
  calendar: v.array(localDate),
  /** When the customer first signed in of the days in a row; null before. */
  since: v.nullable(localDate),
  /** The account that pays: what is left, and what was ever paid in, in USDT; points left. */
  fund: v.object({ usdt: decimal, usdt_funded: decimal, points: decimal }),
  /** Terms of the ladder that are in force, and since when. */
  version: v.number(),
  effective_from: localDate,
  /** When the brand's next day begins. */
  next_day_at: time,
});
export type SignInState = v.InferOutput<typeof signInState>;

export const signInDaily = call('POST /task/sign', {
  who: 'customer',
  summary:
    'Sign in for today, by the brand’s calendar: points, and USDT as far as the reward account can pay. Once a day.',
  movesMoney: true,
  request: noFields,
  result: v.object({
    /** The day of the ladder, from 1 to 7. */
    days: v.number(),
    day: localDate,
    points: decimal,
    usdt: decimal,
    /** What the ladder names and the account could not pay. */
    usdt_missed: decimal,
    score: decimal,
  }),
  refusals: ['account_frozen', 'already_signed_in', 'sign_in_closed', 'reward_fund_empty'],
});
