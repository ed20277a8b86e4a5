import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, noFields } from './fields.ts';
import { signInState } from './rewards.ts';

/** Fees as shares of the received amount, and the daily withdrawal limit in USDT. */
const benefits = v.object({ maker: decimalText, taker: decimalText, withdrawal_daily_max: decimalText });

export const listLevels = call('GET /users/ranks', {
  who: 'customer',
  summary:
    'VIP levels by completed deposits in USDT. `value` is where a level ends; where it begins is the value before, 20 for the first. The last doesn’t end: its value is where it begins.',
  request: noFields,
  result: v.array(v.object({ level: v.number(), name: v.string(), value: decimalText, benefits })),
});

export const readLevel = call('GET /task/level', {
  who: 'customer',
  summary:
    'The customer’s VIP level, the net inflow that counts for it, and where the next level begins; and the daily sign-in. `sign` is null where it is not offered.',
  request: noFields,
  result: v.object({
    level: v.number(),
    /** Deposits minus withdrawals, in USDT: the smallest sum during the last `held_days`. It determines the level. */
    deposited: decimalText,
    /** Later deposits, which count after they have stayed for `held_days`. */
    waiting: decimalText,
    held_days: v.number(),
    /** Null on the last level. */
    next_value: v.nullable(decimalText),
    benefits,
    sign: v.nullable(signInState),
  }),
});
