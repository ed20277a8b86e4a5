import * as v from 'valibot';
import { call } from './call.ts';
import { emptyResult, fieldFault, id, isoTime, noFields } from './fields.ts';
import { FACTOR_REFUSALS, factorProof, paymentPassword } from './person-fields.ts';

export const listDeviceKeys = call('GET /users/devices', {
  who: 'customer',
  summary: 'Devices whose keys sign what this customer orders.',
  request: noFields,
  result: v.object({
    items: v.array(v.object({ id: v.string(), device: v.string(), created_at: isoTime })),
  }),
});

export const addDeviceKey = call('POST /users/devices/add', {
  who: 'customer',
  summary:
    'Register the key of this device. The first key of an account needs no confirmation; each later one takes the payment password, and the second factor where there is one. It replaces the key of the same session.',
  request: v.object({
    /** An uncompressed point of P-256, in hex. */
    public_key: v.pipe(v.string(fieldFault('required')), v.regex(/^04[0-9a-f]{128}$/, fieldFault('malformed'))),
    paypass: v.optional(paymentPassword),
    otp: v.optional(factorProof),
  }),
  result: v.object({ id: v.string(), created_at: isoTime }),
  refusals: [
    'device_key_unfit',
    'device_key_not_first',
    'too_many_device_keys',
    'paypass_wrong',
    'paypass_locked',
    ...FACTOR_REFUSALS,
  ],
});

export const removeDeviceKey = call('POST /users/devices/remove', {
  who: 'customer',
  summary: 'Remove the key of a device. From then on what it signs is refused.',
  request: v.object({ id }),
  result: emptyResult,
  refusals: ['device_key_unknown'],
});

/** The text `ordered/1` with its signature, and the key that signed it, both in hex. */
const signedOrder = v.object({ key: v.string(), public_key: v.string(), body: v.string(), signature: v.string() });
export type SignedOrder = v.InferOutput<typeof signedOrder>;

/** A request as an API key signed it (docs/keys.md). Without a public key, only the platform can verify it. */
const keyedOrder = v.object({
  key: v.string(),
  name: v.string(),
  public_key: v.nullable(v.string()),
  request: v.string(),
  form: v.string(),
  signature: v.string(),
});
export type KeyedOrder = v.InferOutput<typeof keyedOrder>;

/** What a customer ordered, as the platform has it. */
const orderedThing = v.object({
  about: v.picklist([
    'option',
    'sale',
    'order',
    'waiting',
    'recurring',
    'standing',
    'lockup',
    'liquidity',
    'withdrawal',
    'payee',
  ]),
  id: v.string(),
  at: isoTime,
  /** Null if no device of the customer signed it. */
  signed: v.nullable(signedOrder),
  /** The API key that ordered it; null if none did. */
  by_key: v.nullable(v.object({ id: v.string(), name: v.string() })),
});
export type OrderedThing = v.InferOutput<typeof orderedThing>;

export const listOrdered = call('GET /users/ordered', {
  who: 'customer',
  summary:
    'What this customer ordered since the first key of a device, at most 30 days back: how much of it neither a device signed nor an API key ordered, and the newest hundred.',
  request: noFields,
  result: v.object({
    /** Ids of the keys that count now. */
    keys: v.array(v.string()),
    /** Null if the account never had a key. */
    since: v.nullable(isoTime),
    unsigned: v.number(),
    items: v.array(orderedThing),
  }),
});

export const listOrderMarks = call('GET /users/ordered/marks', {
  who: 'customer',
  summary:
    'Which keys signed these orders, withdrawals and payees: ids, comma separated, at most 50. What none signed is absent. An order by an API key has the request that the key signed.',
  request: v.object({
    ids: v.pipe(
      v.string(fieldFault('required')),
      v.maxLength(2_000, fieldFault('too_long')),
      v.regex(/^[A-Za-z0-9_-]{1,64}(?:,[A-Za-z0-9_-]{1,64}){0,49}$/, fieldFault('malformed')),
      v.transform((ids) => ids.split(',')),
    ),
  }),
  result: v.object({
    items: v.array(v.object({ id: v.string(), signed: v.nullable(signedOrder), keyed: v.nullable(keyedOrder) })),
  }),
});
