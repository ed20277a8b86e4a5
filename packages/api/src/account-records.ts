import * as v from 'valibot';
import { call } from './call.ts';
import { depositRecord } from './deposits.ts';
import { choiceOf, decimalText, id, isoTime, noFields, pagedListOf, pageField } from './fields.ts';
import { signedStatement } from './signed-texts.ts';
import { withdrawalRecord } from './withdrawals.ts';

export const listDailyTotals = call('GET /users/account/days', {
  who: 'customer',
  summary:
    'The total in USDT at the end of each of the last 30 days (UTC), oldest first; coins at the index’s close of that day.',
  request: noFields,
  result: v.array(v.object({ at: isoTime, total: decimalText })),
});

/** A sealed number: 16 bytes in base64url. */
const SEALED = '[A-Za-z0-9_-]{22}';

const accountRecord = v.object({
  id: v.string(),
  kind: v.string(),
  asset: v.string(),
  amount: decimalText,
  /** Null for a deposit or a withdrawal that has not moved money yet. */
  balance_after: v.nullable(decimalText),
  ref: v.nullable(v.string()),
  at: isoTime,
  /** The account's entry that the record is; absent for deposits and withdrawals. */
  entry: v.optional(v.object({ account: v.string(), n: v.string() })),
  /** Present only with `setup=recharge`. */
  deposit: v.optional(depositRecord),
  /** Present only with `setup=withdraw`. */
  withdrawal: v.optional(withdrawalRecord),
});
export const listAccountRecords = call('GET /users/account/lists', {
  who: 'customer',
  summary:
    'What came in and went out of the available balance. With `recharge` and `withdraw`, the deposits and withdrawals themselves, those under way too, newest first.',
  request: v.object({
    setup: choiceOf(['all', 'income', 'expenditure', 'recharge', 'withdraw']),
    /** Filters deposits and withdrawals: completed ones, or all others including failed ones. */
    status: v.optional(choiceOf(['all', 'completed', 'undone'])),
    /** Returns only this record, or an empty list if it does not exist or belongs to another customer. */
    id: v.optional(id),
    page: pageField(SEALED),
  }),
  result: v.object({
    ...pagedListOf(accountRecord).entries,
    /** With the first page of `all`: the signed heads of the customer's accounts, which may be some seconds behind. */
    statement: v.optional(signedStatement),
  }),
});
