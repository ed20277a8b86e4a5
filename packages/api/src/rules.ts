import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, fieldFault, isoTime } from './fields.ts';

/** The text that will replace this one, the time, and a sentence that announces it; null if none is approved. */
export const nextRules = v.nullable(v.object({ from: isoTime, note: v.string(), content: v.string() }));
export type NextRules = NonNullable<v.InferOutput<typeof nextRules>>;

export const readRules = call('GET /content/rules', {
  who: 'anyone',
  summary:
    'The terms of a product in the caller’s language, and the hash that receipts name; by hash, the English text that it is the hash of.',
  request: v.object({
    of: choiceOf(['options', 'agreement', 'liquidity', 'lockup']),
    /** SHA-256 in hex. Returns the English text with this hash, whether it is in force or not. */
    hash: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, fieldFault('malformed')))),
  }),
  result: v.object({
    content: v.string(),
    hash: v.string(),
    next: nextRules,
  }),
  refusals: ['rules_unknown'],
});
