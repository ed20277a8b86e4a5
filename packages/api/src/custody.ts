import * as v from 'valibot';
import { call } from './call.ts';
import { decimalText, isoTime, noFields } from './fields.ts';

/** Where the house's money lies on the chain, as the chain said at one block. */
const custody = v.object({
  chain: v.string(),
  /** Null while there is no treasury: then the hot wallet's key moves everything. */
  treasury: v.nullable(
    v.object({
      safe: v.string(),
      /** How many of the owners' keys a payment takes. */
      threshold: v.number(),
      owners: v.array(v.string()),
      /** True if something may act without the owners, or may stop them. */
      is_odd: v.boolean(),
      /** True if the demo's own server holds the keys. */
      is_demo: v.boolean(),
      hot: v.string(),
      /** The ceiling of the hot wallet. */
      hot_max: decimalText,
      held: v.object({ treasury: decimalText, hot: decimalText, addresses: decimalText }),
      height: v.string(),
      at: isoTime,
      /** Asks a node of the chain for threshold and owners. */
      command: v.string(),
    }),
  ),
});

export type Custody = v.InferOutput<typeof custody>;

export const readCustody = call('GET /status/custody', {
  who: 'anyone',
  summary:
    'Where the house’s money lies on the chain, how many people’s keys move it, and the command that asks a node.',
  request: noFields,
  /** Null without a chain. */
  result: v.nullable(custody),
});
