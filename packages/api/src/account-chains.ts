import * as v from 'valibot';
import { call } from './call.ts';
import { fieldFault, noFields, wholeNumber } from './fields.ts';
import { signedStatement } from './signed-texts.ts';

export const readStatementHead = call('GET /users/account/statement', {
  who: 'customer',
  summary:
    'The signed heads of all accounts of the customer: number, hash, total and held of each newest entry (`statement/1`). The same text as long as nothing moves.',
  request: noFields,
  result: signedStatement,
});

/** Entries per page. */
export const ENTRIES_MAX = 500;

const accountEntry = v.object({
  n: v.string(),
  seq: v.string(),
  journal: v.string(),
  kind: v.picklist(['single', 'hold', 'post', 'void']),
  resolves: v.nullable(v.string()),
  amount: v.string(),
  held: v.string(),
  total: v.string(),
  purpose: v.string(),
  at: v.string(),
});

export const listAccountEntries = call('GET /users/account/entries', {
  who: 'customer',
  summary:
    'Entries of one account of the customer from a number on, oldest first, and the hash of the entry before the first (`entry/1`). Empty beyond the end, or for an account that does not exist.',
  request: v.object({
    account: v.pipe(v.string(), v.regex(/^[a-z][a-z_]{0,39}$/, fieldFault('malformed'))),
    asset: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]{0,14}$/, fieldFault('malformed'))),
    from: v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('malformed'))),
    limit: v.optional(wholeNumber(1, ENTRIES_MAX)),
  }),
  result: v.object({ prev: v.string(), items: v.array(accountEntry) }),
});
