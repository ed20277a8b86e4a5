import * as v from 'valibot';
import { call } from './call.ts';
import { choice } from './fields.ts';

export const readRules = call('GET /content/rules', {
  who: 'anyone',
  summary: 'The terms of a product in the caller’s language, and the hash that receipts name.',
  request: v.object({ of: choice(['options', 'agreement']) }),
  result: v.object({ content: v.string(), hash: v.string() }),
});
