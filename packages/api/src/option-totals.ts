import * as v from 'valibot';
import { call } from './call.ts';
import { decimal, noFields } from './fields.ts';

export const readOptionTotals = call('GET /coin/order/total', {
  who: 'customer',
  summary: 'Totals of this customer’s option orders, in USDT; counts are plain numbers.',
  request: noFields,
  result: v.object({
    holding: v.number(),
    staked: decimal,
    won: v.number(),
    lost: v.number(),
    /** Gains less fees and losses, of all time and since midnight of the brand. */
    profit: decimal,
    today: decimal,
  }),
});
