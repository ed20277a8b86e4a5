import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, noFields } from './fields.ts';

export const readOptionTotals = call('GET /coin/order/total', {
  who: 'customer',
  summary: 'Totals of this customer’s option orders, in USDT; counts are plain numbers.',
  request: noFields,
  result: v.object({
    holding: v.number(),
    staked: decimalText,
    won: v.number(),
    lost: v.number(),
    /** Gains minus fees and losses: in total, and since midnight in the brand's time zone. */
    profit: decimalText,
    today: decimalText,
  }),
});
