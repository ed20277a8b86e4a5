import * as v from 'valibot';
import { factorCode, fingerprint, operatorShape, stepUpId } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { boundedText, choiceOf, emptyResult, fieldFault, isoTime, noFields, uuid } from './fields.ts';

/** JSON of WebAuthn, to or from the browser. The WebAuthn library checks its shape. */
const webAuthn = boundedText(2, 20_000);

const votingKeyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, fieldFault('malformed')));

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
  'bank_run.sign',
  'certification.approve',
  'deposit.match',
  'propose.certification_refusal',
  'propose.content',
  'propose.correction',
  'propose.deposit_recovery',
  'propose.dispute_answer',
  'propose.freeze_extend',
  'propose.freeze_lift',
  'propose.incident_close',
  'propose.money_dispute_answer',
  'propose.offer',
  'propose.operator_device',
  'propose.operator_invite',
  'propose.operator_role',
  'propose.operator_unfreeze',
  'propose.pause_end',
  'propose.payout_foreign',
  'propose.payout_return',
  'propose.ready_answer',
  'propose.restoration_end',
  'propose.withdrawal_failed',
  'propose.withdrawal_lost',
  'propose.withdrawal_paid',
] as const;
/** A transaction's hash too, which is longer than an id, a work name, or the kind and subject of terms. */
const subject = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[A-Za-z0-9_./-]{1,66}$/, fieldFault('id_malformed')),
);

export const startStepUp = call('POST /admin/step_up/start', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Begin to confirm one decision, of which the fingerprint was shown. Good for two minutes.',
  request: v.object({ op: choiceOf(STEP_UP_ACTS), id: subject, fingerprint }),
  result: v.object({
    step_up: uuid,
    expires_at: isoTime,
    ways: v.array(v.string()),
    options: v.nullable(v.string()),
    /** The person signs this text: a vote, a proposal, or an act. Its digest is a passkey's challenge. */
    vote: v.nullable(v.string()),
    /** Ids of the browsers' keys with which this person may sign the text. */
    device_keys: v.array(v.string()),
    /** True if the server signs for this person, as in a demo. */
    is_demo: v.boolean(),
  }),
});

export const confirmStepUp = call('POST /admin/step_up/confirm', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Confirm it with a passkey’s answer, or an authenticator’s code and, if asked for, a signature.',
  request: v.object({
    step_up: uuid,
    code: v.optional(factorCode),
    credential: v.optional(webAuthn),
    /** The signature of the text by a browser's key, and the key's id. */
    signature: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{128}$/, fieldFault('malformed')))),
    key: v.optional(votingKeyId),
  }),
  result: emptyResult,
  refusals: ['step_up_wrong', 'step_up_expired', 'login_delayed', 'vote_unsigned'],
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
  result: v.array(v.object({ id: v.string(), name: v.string(), created_at: isoTime, used_at: v.nullable(isoTime) })),
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
  request: v.object({ challenge: uuid, credential: webAuthn, name: boundedText(1, 60) }),
  result: emptyResult,
  refusals: ['step_up_wrong', 'step_up_expired'],
});

export const removePasskey = call('POST /admin/devices/remove', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Remove an own passkey, such as that of a lost device.',
  request: v.object({ id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,1400}$/)) }),
  result: emptyResult,
  refusals: ['device_unknown'],
});

export const listVotingKeys = call('GET /admin/voting_keys', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Own keys that sign votes, and whether they count yet.',
  request: noFields,
  result: v.object({
    allows_devices: v.boolean(),
    keys: v.array(
      v.object({
        id: v.string(),
        kind: v.picklist(['passkey', 'device', 'demo']),
        name: v.string(),
        made_at: isoTime,
        /** `lapsed`: nobody has registered the key, and its approval is no longer open. */
        state: v.picklist(['counts', 'waiting', 'lapsed']),
      }),
    ),
  }),
});

export const addVotingKey = call('POST /admin/voting_keys/add', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary:
    'Add a key that this browser keeps; confirmed as a step-up for `device.add`. Two administrators register it.',
  request: v.object({
    step_up: stepUpId,
    public_key: v.pipe(v.string(fieldFault('required')), v.regex(/^04[0-9a-f]{128}$/, fieldFault('malformed'))),
    name: boundedText(1, 60),
  }),
  result: v.object({ approval: v.string() }),
  refusals: ['device_keys_off', 'step_up_expired', 'step_up_wrong'],
});

export const askForVotingKey = call('POST /admin/voting_keys/ask', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Ask the administrators again to register an own key.',
  request: v.object({ id: votingKeyId }),
  result: v.object({ approval: v.string() }),
  refusals: ['device_unknown', 'nothing_changes'],
});
