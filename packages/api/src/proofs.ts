import * as v from 'valibot';
import { call } from './call.ts';
import { coinCode, noFields, time, wholeNumber } from './fields.ts';

export const readProofKeys = call('GET /proof/keys', {
  who: 'anyone',
  summary: 'Public keys (Ed25519, hex) of the index and of receipts.',
  request: noFields,
  result: v.object({
    keys: v.array(
      v.object({ use: v.picklist(['index', 'receipt', 'ledger']), id: v.string(), public_key: v.string(), from: time }),
    ),
  }),
});
export const readProofTicks = call('GET /proof/ticks', {
  who: 'anyone',
  summary:
    'Signed ticks of a coin from a sequence on, as they were chained (JSON texts); without the head on a page that never changes.',
  request: v.object({
    code: coinCode,
    from: v.pipe(v.string(), v.regex(/^[0-9]{1,18}$/, 'malformed')),
    limit: v.optional(wholeNumber(1, 1000)),
  }),
  result: v.object({
    items: v.array(v.object({ body: v.string(), hash: v.string(), signature: v.string(), key: v.string() })),
    head: v.nullable(v.object({ sequence: v.string(), hash: v.string() })),
  }),
});
