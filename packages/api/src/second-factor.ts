import * as v from 'valibot';
import { antiPhishingWord } from './anti-phishing.ts';
import { call } from './call.ts';
import {
  boundedText,
  choiceOf,
  emptyResult,
  fieldFault,
  id,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  remarkText,
} from './fields.ts';
import { deviceKey, FACTOR_REFUSALS, factorProof, loginName, paymentPassword } from './person-fields.ts';
import { sessionResult } from './sign-in.ts';

/** An authenticator code, or a recovery code. */
const otp = v.pipe(factorProof, v.maxLength(24, fieldFault('too_long')));
/** Changes for which a customer with a second factor must prove it. */
const GUARDED_CHANGES = [
  'passkey_add',
  'passkey_remove',
  'authenticator_start',
  'authenticator_stop',
  'recovery_codes',
  'login_password',
  'payment_password',
  'contact',
  'anti_phishing_word',
  'device_key',
  'api_key',
] as const;
export type GuardedChange = (typeof GUARDED_CHANGES)[number];
/** The subject of a proof for a change of something that a customer has only once, or whose new value is secret. */
export const OWN_SUBJECT = 'own';
/** The browser's passkey answer, as JSON. */
const credential = boundedText(2, 16_000);
/** JSON for the browser's passkey API. */
const options = v.string();
const challenge = v.object({ id: v.string(), options, expires_at: isoTime });

export const readSecondFactor = call('GET /users/second', {
  who: 'customer',
  summary: 'What guards this account: authenticator app, recovery codes, passkeys, and when passwords were changed.',
  request: noFields,
  result: v.object({
    authenticator_since: v.nullable(isoTime),
    recovery_codes: v.number(),
    recovery_codes_of: v.number(),
    passkeys: v.array(
      v.object({ id: v.string(), name: v.string(), created_at: isoTime, used_at: v.nullable(isoTime) }),
    ),
    password_changed_at: isoTime,
    paypass_changed_at: v.nullable(isoTime),
    /** The end of the delay of withdrawals after a change of credentials; null if there is none. */
    withdrawals_wait_until: v.nullable(isoTime),
    /** A request to remove the second factor, made with the login password; null if there is none. */
    reset: v.nullable(v.object({ asked_at: isoTime, due_at: isoTime, device: v.string(), address: v.string() })),
  }),
});

export const askFactorReset = call('POST /users/second/reset', {
  who: 'anyone',
  summary:
    'Ask to remove a second factor that is lost together with its recovery codes. It takes seven days and two people, the owner is notified at once, and any open session or the anti-phishing word stops it. Asked again, it answers with the same times.',
  request: v.object({ username: loginName, password: boundedText(1, 64), device: v.optional(deviceKey) }),
  result: v.object({ asked_at: isoTime, due_at: isoTime, is_new: v.boolean() }),
  refusals: ['credentials_wrong', 'login_delayed', 'second_factor_off', 'account_frozen', 'reset_rests'],
});

export const stopFactorReset = call('POST /users/second/reset/stop', {
  who: 'customer',
  summary: 'Stop the removal of the second factor. Any open session may.',
  request: noFields,
  result: emptyResult,
  refusals: ['reset_unknown'],
});

export const stopFactorResetByWord = call('POST /users/second/reset/word', {
  who: 'anyone',
  summary:
    'Stop the removal of a second factor with the anti-phishing word. A wrong word, an unknown name and no reset are refused alike.',
  request: v.object({ username: loginName, word: antiPhishingWord }),
  result: emptyResult,
  refusals: ['reset_word_wrong', 'login_delayed'],
});

export const startSecondFactor = call('POST /users/second/start', {
  who: 'customer',
  summary: 'Begin with an authenticator app: its key, as text and as the content of a QR code.',
  request: v.object({ paypass: paymentPassword, otp: v.optional(factorProof) }),
  result: v.object({ key: v.string(), uri: v.string() }),
  refusals: ['second_factor_on', 'paypass_wrong', 'paypass_locked', ...FACTOR_REFUSALS],
});

export const confirmSecondFactor = call('POST /users/second/confirm', {
  who: 'customer',
  summary:
    'Turn the authenticator app on with its first code. The recovery codes are shown once. An app that was begun before the last change of factors has to be begun again.',
  request: v.object({ otp }),
  result: v.object({ recovery_codes: v.array(v.string()) }),
  refusals: ['second_factor_on', 'second_factor_off', 'second_factor_wrong', 'second_factor_delayed'],
});

export const stopSecondFactor = call('POST /users/second/stop', {
  who: 'customer',
  summary: 'Turn the authenticator app off. Withdrawals wait for 24 hours. Takes a recovery code too.',
  request: v.object({ otp: factorProof, paypass: paymentPassword }),
  result: emptyResult,
  refusals: ['second_factor_off', 'paypass_wrong', 'paypass_locked', ...FACTOR_REFUSALS],
});

export const renewRecoveryCodes = call('POST /users/second/codes', {
  who: 'customer',
  summary: 'New recovery codes; the old ones are void.',
  request: v.object({ otp: factorProof }),
  result: v.object({ recovery_codes: v.array(v.string()) }),
  refusals: ['second_factor_off', ...FACTOR_REFUSALS],
});

export const startProof = call('POST /users/second/step/start', {
  who: 'customer',
  summary:
    'Ask for a second factor for one operation: `subject` is what is shown (for a withdrawal its quote, for a wallet chain and address, for a return the ids of deposit and wallet, for a contact the new one, for a passkey that is removed its id, for the word the new one, otherwise `own`). Good for 120 seconds.',
  request: v.object({
    operation: choiceOf(['withdrawal', 'payee', 'return', ...GUARDED_CHANGES]),
    subject: boundedText(1, 1_400),
  }),
  result: v.object({
    ...challenge.entries,
    authenticator: v.boolean(),
    passkey: v.boolean(),
  }),
  refusals: ['second_factor_off'],
});

export const finishProof = call('POST /users/second/step/finish', {
  who: 'customer',
  summary: 'Answer with a code or a passkey. The proof counts once, for that operation only.',
  request: v.object({ id, otp: v.optional(otp), credential: v.optional(credential) }),
  result: v.object({ proof: v.string(), expires_at: isoTime }),
  refusals: ['challenge_expired', 'second_factor_wrong', 'second_factor_delayed', 'passkey_refused'],
});

export const startOwnPasskey = call('POST /users/passkey/register/start', {
  who: 'customer',
  summary: 'Begin to add a passkey.',
  request: v.object({ paypass: paymentPassword, otp: v.optional(factorProof) }),
  result: challenge,
  refusals: ['paypass_wrong', 'paypass_locked', 'too_many_passkeys', ...FACTOR_REFUSALS],
});

export const finishOwnPasskey = call('POST /users/passkey/register/finish', {
  who: 'customer',
  summary:
    'Keep the passkey that the browser made. One that was begun before the last change of factors has to be begun again.',
  request: v.object({ id, credential, name: remarkText(60) }),
  result: emptyResult,
  refusals: ['challenge_expired', 'passkey_refused', 'too_many_passkeys'],
});

export const removeOwnPasskey = call('POST /users/passkey/remove', {
  who: 'customer',
  summary: 'Remove a passkey. Withdrawals wait for 24 hours.',
  request: v.object({ passkey: boundedText(16, 1_400), paypass: paymentPassword, otp: v.optional(factorProof) }),
  result: emptyResult,
  refusals: ['passkey_unknown', 'paypass_wrong', 'paypass_locked', ...FACTOR_REFUSALS],
});

export const startPasskeySignIn = call('POST /users/passkey/login/start', {
  who: 'anyone',
  summary: 'Begin to sign in with a passkey.',
  request: noFields,
  result: challenge,
});

export const finishPasskeySignIn = call('POST /users/passkey/login/finish', {
  who: 'anyone',
  summary: 'Sign in with a passkey.',
  request: v.object({ id, credential, device: v.optional(deviceKey) }),
  result: sessionResult,
  refusals: ['challenge_expired', 'passkey_refused', 'account_frozen', 'frozen_by_you', 'frozen_needs_proof'],
});

export const listSignIns = call('GET /users/logins', {
  who: 'customer',
  summary: 'Where and how this account was signed in, and tries that failed.',
  request: v.object({ page: pageField('[A-Za-z0-9_-]{22}') }),
  result: pagedListOf(
    v.object({
      id: v.string(),
      at: isoTime,
      device: v.string(),
      address: v.string(),
      factor: v.picklist(['password', 'authenticator', 'recovery_code', 'passkey', 'registration']),
      new_device: v.boolean(),
      failure: v.nullable(v.picklist(['password_wrong', 'second_factor_wrong', 'frozen'])),
    }),
  ),
});

export const freezeAccount = call('POST /users/freeze', {
  who: 'customer',
  summary:
    'Freeze the own account at once: every session ends, nobody signs in, no money leaves. It can be opened again by its owner after 24 hours.',
  request: v.object({ paypass: paymentPassword }),
  result: v.object({ until: isoTime }),
  refusals: ['paypass_wrong', 'paypass_locked'],
});
