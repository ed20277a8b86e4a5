import * as v from 'valibot';
import { call } from './call.ts';
import { currency, decimalText, isoTime, noFields } from './fields.ts';

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
  balance: decimalText,
  /** All the customer's assets in USDT: available, held, lock-up, liquidity, and coins with a price. */
  total: decimalText,
  held: decimalText,
  /** USDT in lock-ups, and in liquidity. */
  lockup: decimalText,
  liquidity: decimalText,
  /** The customer's coins, in the order of the list of coins. */
  coins: v.array(
    v.object({
      code: v.string(),
      /** The total, and the part of it in open orders. */
      amount: decimalText,
      held: decimalText,
      /** In USDT at the newest index, rounded down; null before the first price. */
      value: v.nullable(decimalText),
    }),
  ),
  score: decimalText,
  certification: v.object({
    primary: certificationState,
    advanced: certificationState,
    reason: v.nullable(v.string()),
  }),
  /** The customer has agreed to show wins, masked. */
  public_wins: v.boolean(),
  has_paypass: v.boolean(),
  /** True if the customer has an authenticator app or a passkey. */
  second_factor: v.boolean(),
  /** From when a requested reset may remove the second factor; null without a request. */
  second_factor_reset_until: v.nullable(isoTime),
  created_at: isoTime,
});
export type User = v.InferOutput<typeof userResult>;

export const readUser = call('GET /users/info', {
  who: 'customer',
  summary: 'The signed-in customer.',
  request: noFields,
  result: userResult,
});
