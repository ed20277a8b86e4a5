import { seenText, typedCode, typedEmail, typedName, typedNumber, typedWord } from '@sathorn/identity';
import * as v from 'valibot';
import { fault, typed } from './fields.ts';

export const loginPassword = v.pipe(
  v.string(fault('required')),
  v.regex(/^[A-Za-z0-9]{6,12}$/, fault('password_format')),
);
export const paymentPassword = v.pipe(typed(typedCode), v.regex(/^[0-9]{6}$/, fault('paypass_format')));
/** A proof for exactly this operation (`finishProof`), or a code of the authenticator app. */
export const factorProof = v.pipe(
  typed(typedCode),
  v.minLength(6, fault('too_short')),
  v.maxLength(64, fault('too_long')),
);
/** Refusals for a customer who has a second factor and has not proved it. */
export const FACTOR_REFUSALS = ['second_factor_required', 'second_factor_wrong', 'second_factor_delayed'] as const;
export const verificationCode = v.pipe(typed(typedCode), v.regex(/^[A-Za-z0-9]{6}$/, fault('code_malformed')));
export const phone = v.pipe(typed(typedNumber), v.regex(/^\+?[0-9]{8,15}$/, fault('phone_malformed')));
export const email = v.pipe(
  v.string(fault('required')),
  v.maxLength(254, fault('too_long')),
  v.check((text) => typedEmail(text) !== null, fault('email_malformed')),
  v.transform((text) => typedEmail(text) ?? text),
);
/** The name for a sign-in: a username, a phone number or an email address. */
export const loginName = v.pipe(typed(seenText, 254), v.minLength(1, fault('required')));
/** A full name as in a document. */
export const personName = v.pipe(
  typed(typedName),
  v.minLength(1, fault('required')),
  v.maxLength(80, fault('too_long')),
);
export const username = v.pipe(typed(typedWord), v.regex(/^[A-Za-z][A-Za-z0-9_.]{2,19}$/, fault('username_format')));
/** The server checks it further: normalised, without bidi controls, at most 24 graphemes. */
export const nickname = v.pipe(
  v.string(fault('required')),
  v.trim(),
  v.minLength(1, fault('required')),
  v.maxLength(120, fault('nickname_format')),
);
export const inviteCode = v.pipe(typed(typedCode), v.regex(/^[A-Za-z0-9]{4,16}$/, fault('invite_code_format')));
/** Random text that the app generates once and keeps, so that the server recognises the device. */
export const deviceKey = v.pipe(v.string(fault('required')), v.regex(/^[A-Za-z0-9_-]{16,64}$/, fault('malformed')));
export const agreement = v.pipe(
  v.string(fault('agreement_required')),
  v.check((value) => value === 'true' || value === '1', fault('agreement_required')),
);
