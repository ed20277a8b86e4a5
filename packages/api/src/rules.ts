import * as v from 'valibot';
import { call } from './call.ts';
import { choice, fault } from './fields.ts';

export const readRules = call('GET /content/rules', {
  who: 'anyone',
  summary:
    'The terms of a product in the caller’s language, and the hash that receipts name; by hash, the English text that it is the hash of.',
  request: v.object({
    of: choice(['options', 'agreement', 'liquidity', 'lockup']),
    /** SHA-256 in hex. Returns the English text with this hash, whether current or former. */
    hash: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, fault('malformed')))),
  }),
  result: v.object({ content: v.string(), hash: v.string() }),
  refusals: ['rules_unknown'],
});
