import { parseMoney } from '@sathorn/money';
import * as v from 'valibot';
import { call, OPERATOR_ROLES } from './call.ts';
import { amountText, assetCode, boundedText, decimalText, fieldFault, isoTime, noFields } from './fields.ts';

/** Exists in demo mode only, served under `/demo` beside `/api`. A live deployment does not have these routes. */
export const fundDemo = call('POST /demo/fund', {
  who: 'customer',
  summary: 'Give test money from the funded demo account.',
  movesMoney: true,
  request: v.pipe(
    v.object({ asset: assetCode, amount: amountText }),
    v.forward(
      v.check(({ asset, amount }) => parseMoney(asset, amount) !== undefined, fieldFault('amount_malformed')),
      ['amount'],
    ),
  ),
  result: v.object({ asset: v.string(), amount: decimalText, available: decimalText }),
  refusals: [
    'amount_not_positive',
    'exceeds_demo_limit',
    'exceeds_practice_balance',
    'demo_fund_empty',
    'self_excluded',
    'time_out',
  ],
});
export const readOutbox = call('GET /demo/outbox', {
  who: 'anyone',
  isPlain: true,
  summary: 'What would have been sent by SMS and mail, as JSON to one phone or email; all of it as a page only.',
  request: v.object({ to: v.optional(boundedText(1, 254)) }),
  result: v.array(
    v.object({ to: v.string(), kind: v.string(), text: v.string(), code: v.nullable(v.string()), at: isoTime }),
  ),
});
export const listDemoOperators = call('GET /demo/operators', {
  who: 'anyone',
  summary: 'How to get into the console of a demonstration: names, roles, passwords and current codes.',
  request: noFields,
  result: v.array(
    v.object({
      work_name: v.string(),
      roles: v.array(v.picklist(OPERATOR_ROLES)),
      password: v.string(),
      code: v.string(),
      seconds_left: v.number(),
    }),
  ),
});
