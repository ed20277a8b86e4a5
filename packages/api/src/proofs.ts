import * as v from 'valibot';
import { call } from './call.ts';
import { coinCode, isoTime, noFields, wholeNumber } from './fields.ts';
import { signedText } from './signed-texts.ts';

export const readProofKeys = call('GET /proof/keys', {
  who: 'anyone',
  summary:
    'Public keys (Ed25519, hex) of the index and of receipts; each but the first of a use with the record by which its predecessor announced it.',
  request: noFields,
  result: v.object({
    keys: v.array(
      v.object({
        use: v.picklist(['index', 'receipt', 'ledger']),
        id: v.string(),
        public_key: v.string(),
        from: isoTime,
        /** The record signed by the key itself and by its predecessor; null for the first key of a use. */
        record: v.optional(
          v.nullable(v.object({ body: v.string(), signature: v.string(), previous_signature: v.string() })),
        ),
      }),
    ),
  }),
});
/** A signed tick of the chain. */
export type ProofTick = v.InferOutput<typeof signedText>;

export const readProofTicks = call('GET /proof/ticks', {
  who: 'anyone',
  summary:
    'Signed ticks of a coin from a sequence on, as they were chained (JSON texts). Older ones have an empty signature: the next signed one covers them, and the page goes on to it. A page that never changes has no head.',
  request: v.object({
    code: coinCode,
    from: v.pipe(v.string(), v.regex(/^[0-9]{1,18}$/, 'malformed')),
    limit: v.optional(wholeNumber(1, 1000)),
  }),
  result: v.object({
    items: v.array(signedText),
    head: v.nullable(v.object({ sequence: v.string(), hash: v.string() })),
  }),
});
export const listRestorations = call('GET /proof/restorations', {
  who: 'anyone',
  summary:
    'When the database was restored from a backup, newest first: where it ends, and what had been acknowledged by then. Sequences in between were used again.',
  request: noFields,
  result: v.object({
    items: v.array(
      v.object({
        restored_at: isoTime,
        ends_at: isoTime,
        known_at: isoTime,
        transfers: v.string(),
        known_transfers: v.string(),
        ticks: v.record(v.string(), v.string()),
        known_ticks: v.record(v.string(), v.string()),
      }),
    ),
  }),
});
