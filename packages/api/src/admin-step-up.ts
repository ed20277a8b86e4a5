import * as v from 'valibot';
import { factorCode, fingerprint, operatorShape } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { choice, id, noFields, nothing, text, time } from './fields.ts';

/** JSON of WebAuthn, to or from the browser. The WebAuthn library checks its shape. */
const webAuthn = text(2, 20_000);
const uuid = v.pipe(v.string(), v.uuid());

/** The acts that can be confirmed, each for one subject. */
export const STEP_UP_ACTS = [
  'approval.approve',
  'approval.reject',
  'customer.freeze',
  'customer.unfreeze',
  'device.add',
  'content.publish',
  'operator.freeze',
  'operator.remove',
  'balance.attest',
] as const;

export const startStepUp = call('POST /admin/step_up/start', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Begin to confirm one decision, of which the fingerprint was shown. Good for two minutes.',
  request: v.object({ op: choice(STEP_UP_ACTS), id, fingerprint }),
  result: v.object({ step_up: uuid, expires_at: time, ways: v.array(v.string()), options: v.nullable(v.string()) }),
});

export const confirmStepUp = call('POST /admin/step_up/confirm', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Confirm it with a code of the authenticator, or with a passkey’s answer.',
  request: v.object({ step_up: uuid, code: v.optional(factorCode), credential: v.optional(webAuthn) }),
  result: nothing,
  refusals: ['step_up_wrong', 'step_up_expired', 'login_delayed'],
});

export const startPasskeyLogin = call('POST /admin/login/start', {
  who: 'anyone',
  summary: 'Begin to sign in with a passkey: the question for the browser. It is the same for every name.',
  request: noFields,
  result: v.object({ challenge: uuid, options: v.string() }),
});

export const finishPasskeyLogin = call('POST /admin/login/finish', {
  who: 'anyone',
  summary: 'Sign in with a passkey.',
  request: v.object({ challenge: uuid, credential: webAuthn }),
  result: v.object({ token: v.string(), operator: operatorShape, idle_seconds: v.number() }),
  refusals: ['credentials_wrong'],
});

export const listPasskeys = call('GET /admin/devices', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Own passkeys.',
  request: noFields,
  result: v.array(v.object({ id: v.string(), name: v.string(), created_at: time, used_at: v.nullable(time) })),
});

export const startPasskey = call('POST /admin/devices/start', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Begin to add a passkey; confirmed with the authenticator as a step-up for `device.add`.',
  request: v.object({ step_up: uuid }),
  result: v.object({ challenge: uuid, options: v.string() }),
  refusals: ['step_up_expired'],
});

export const finishPasskey = call('POST /admin/devices/finish', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Add the passkey that the browser made.',
  request: v.object({ challenge: uuid, credential: webAuthn, name: text(1, 60) }),
  result: nothing,
  refusals: ['step_up_wrong', 'step_up_expired'],
});

export const removePasskey = call('POST /admin/devices/remove', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Remove an own passkey, such as that of a lost device.',
  request: v.object({ id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,1400}$/)) }),
  result: nothing,
  refusals: ['device_unknown'],
});
