import * as v from 'valibot';
import { call } from './call.ts';
import { currency, decimal, noFields, time } from './fields.ts';

const certificationState = v.picklist(['none', 'review', 'verified', 'rejected']);

export const userResult = v.object({
  id: v.string(),
  username: v.string(),
  phone: v.nullable(v.string()),
  email: v.nullable(v.string()),
  nickname: v.string(),
  avatar: v.nullable(v.string()),
  currency,
  invite_code: v.string(),
  invite_allowed: v.boolean(),
  vip_level: v.number(),
  /** Available USDT. */
  balance: decimal,
  /** All that the customer has, in USDT: available, held, lock-up, liquidity, and the coins that have a value. */
  total: decimal,
  held: decimal,
  /** USDT hosted for a term, and flexibly. */
  lockup: decimal,
  liquidity: decimal,
  /** Coins that the customer has, as they are listed. */
  coins: v.array(
    v.object({
      code: v.string(),
      /** In all; of that in open orders. */
      amount: decimal,
      held: decimal,
      /** USDT, at the newest index, rounded down; null before the first. */
      value: v.nullable(decimal),
    }),
  ),
  score: decimal,
  certification: v.object({
    primary: certificationState,
    advanced: certificationState,
    reason: v.nullable(v.string()),
  }),
  has_paypass: v.boolean(),
  second_factor: v.boolean(),
  created_at: time,
});
export type User = v.InferOutput<typeof userResult>;

export const readUser = call('GET /users/info', {
  who: 'customer',
  summary: 'The signed-in customer.',
  request: noFields,
  result: userResult,
});
