import * as v from 'valibot';
import { call } from './call.ts';
import { choiceOf, emptyResult, fieldFault, isoTime, noFields } from './fields.ts';

/** Kinds of notifications that a customer may turn off. Security notices are always sent. */
export const PUSH_KINDS = ['prices', 'money', 'answers'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

const flag = choiceOf(['0', '1']);
const kinds = v.object({ prices: v.boolean(), money: v.boolean(), answers: v.boolean() });
const push = v.object({
  /** The deployment's public key (VAPID, RFC 8292), with which a browser subscribes. */
  key: v.string(),
  /** The subscription of this session; null while notifications are off on this device. */
  subscription: v.nullable(v.object({ kinds, created_at: isoTime })),
});
export type PushSettingsView = v.InferOutput<typeof push>;

const base64url = (characters: number) =>
  v.pipe(
    v.string(fieldFault('required')),
    v.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), fieldFault('malformed')),
  );

export const readPush = call('GET /users/push', {
  who: 'customer',
  summary: 'Whether this session’s device gets push notifications, which kinds, and the key to subscribe with.',
  request: noFields,
  result: push,
});

export const subscribePush = call('POST /users/push', {
  who: 'customer',
  summary:
    'Send push notifications to this browser, in the language of this call, until this session ends. Again with the same subscription: renews it and keeps the kinds.',
  request: v.object({
    /** The address of a known push service, from the browser's `PushSubscription`. */
    endpoint: v.pipe(
      v.string(fieldFault('required')),
      v.minLength(1, fieldFault('required')),
      v.maxLength(1_000, fieldFault('too_long')),
    ),
    /** The browser’s public key: an uncompressed point of P-256, base64url. */
    p256dh: base64url(87),
    /** 16 bytes, base64url. */
    auth: base64url(22),
  }),
  result: push,
  refusals: ['push_service_unknown', 'push_keys_invalid'],
});

export const switchPush = call('POST /users/push/switch', {
  who: 'customer',
  summary: 'Choose the kinds of notifications that this session’s device gets.',
  request: v.object({ prices: flag, money: flag, answers: flag }),
  result: push,
  refusals: ['push_is_off'],
});

export const stopPush = call('POST /users/push/stop', {
  who: 'customer',
  summary: 'Send no more push notifications to this session’s device.',
  request: noFields,
  result: emptyResult,
});
