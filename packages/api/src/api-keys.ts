import { readIpRange, readPublicKeyText, writeIpRange } from '@sathorn/identity';
import * as v from 'valibot';
import { call } from './call.ts';
import { emptyResult, fieldFault, id, isoTime, noFields, remarkText, wholeNumber } from './fields.ts';
import { KEY_SCOPES, type KeyScope } from './key-scopes.ts';
import { FACTOR_REFUSALS, factorProof, paymentPassword } from './person-fields.ts';

/** The headers of a request that an API key signs (docs/keys.md). */
export const KEY_HEADERS = {
  key: 'Api-Key',
  time: 'Api-Time',
  nonce: 'Api-Nonce',
  signature: 'Api-Signature',
} as const;

/** Refusals that the edge makes for a request with `Api-Key`. */
export const KEY_REFUSALS = [
  'api_key_unknown',
  'api_key_revoked',
  'api_key_ended',
  'api_key_scope',
  'api_key_address',
  'api_key_malformed',
  'api_key_time',
  'api_key_signature',
  'api_key_replayed',
] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];

export const KEY_NAME_MAX = 40;
export const KEY_ADDRESSES_MAX = 20;
export const KEY_DAYS_MAX = 365;
/** How long a key is good for unless its customer chooses otherwise. */
export const KEY_DAYS = 90;

const scopes = v.pipe(
  v.string(fieldFault('required')),
  v.minLength(1, fieldFault('required')),
  v.maxLength(40, fieldFault('too_long')),
  v.rawTransform<string, KeyScope[]>(({ dataset, addIssue, NEVER }) => {
    const wanted = dataset.value.split(',');
    const known = KEY_SCOPES.filter((scope) => wanted.includes(scope));
    if (known.length === wanted.length) return known;
    addIssue({ message: fieldFault('choice_unknown') });
    return NEVER;
  }),
);

/** Addresses and ranges with commas, blanks or lines between them, in the spelling in which they are kept. */
const addresses = v.pipe(
  v.string(),
  v.maxLength(1_200, fieldFault('too_long')),
  v.rawTransform<string, string[]>(({ dataset, addIssue, NEVER }) => {
    const ranges = dataset.value.split(/[\s,;]+/).flatMap((text) => (text === '' ? [] : [readIpRange(text)]));
    const written = [...new Set(ranges.map((range) => range && writeIpRange(range)))];
    if (written.length <= KEY_ADDRESSES_MAX && written.every((text) => text !== null)) return written;
    addIssue({ message: fieldFault(written.length > KEY_ADDRESSES_MAX ? 'too_long' : 'malformed') });
    return NEVER;
  }),
);

/** An Ed25519 key as PEM, base64 or hex; its 32 bytes in hex for the handler. */
const publicKey = v.pipe(
  v.string(),
  v.maxLength(400, fieldFault('too_long')),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const read = readPublicKeyText(dataset.value);
    if (read !== null) return read;
    addIssue({ message: fieldFault('malformed') });
    return NEVER;
  }),
);

const KEY_STATES = ['active', 'ended', 'customer', 'password', 'freeze', 'factor'] as const;

const apiKey = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.picklist(KEY_SCOPES)),
  /** Empty where any address may use the key. */
  addresses: v.array(v.string()),
  signs: v.picklist(['ed25519', 'hmac']),
  created_at: isoTime,
  ends_at: isoTime,
  /** `ended` is past its end; the others say what revoked it: its customer, a new password, a freeze, a lost factor. */
  state: v.picklist(KEY_STATES),
  used_at: v.nullable(isoTime),
  used_address: v.nullable(v.string()),
  /** Requests that were its own; refused ones don't count. */
  uses: v.number(),
});
export type ApiKey = v.InferOutput<typeof apiKey>;

export const listApiKeys = call('GET /users/keys', {
  who: 'customer',
  summary:
    'API keys of this customer, with those that ended in the last 30 days, and the requests that were refused to them.',
  request: noFields,
  result: v.object({
    items: v.array(apiKey),
    /** Refused requests of the last 30 days, newest first: equal ones from one address within an hour are one row. */
    refused: v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        refusal: v.picklist([...KEY_REFUSALS, 'too_many_requests']),
        /** Empty where a flood came from many addresses. */
        address: v.string(),
        first_at: isoTime,
        last_at: isoTime,
        count: v.number(),
      }),
    ),
  }),
});

export const addApiKey = call('POST /users/keys/add', {
  who: 'customer',
  summary:
    'Make an API key. It takes the payment password and the second factor. With a public key (Ed25519) the customer signs with the private half; without one the answer has a secret for HMAC-SHA-256, which is shown once.',
  request: v.object({
    name: remarkText(KEY_NAME_MAX),
    /** `read`, `trade`, or both with a comma. */
    scopes,
    addresses: v.optional(addresses, ''),
    days: v.optional(wholeNumber(1, KEY_DAYS_MAX), String(KEY_DAYS)),
    public_key: v.optional(publicKey),
    paypass: paymentPassword,
    otp: v.optional(factorProof),
  }),
  result: v.object({ key: apiKey, secret: v.nullable(v.string()) }),
  refusals: [
    'second_factor_off',
    'api_key_unfit',
    'too_many_api_keys',
    'account_frozen',
    'paypass_wrong',
    'paypass_locked',
    ...FACTOR_REFUSALS,
  ],
});

export const removeApiKey = call('POST /users/keys/remove', {
  who: 'customer',
  summary: 'Remove an API key. Its next request is refused.',
  request: v.object({ id }),
  result: emptyResult,
  refusals: ['api_key_unknown'],
});
