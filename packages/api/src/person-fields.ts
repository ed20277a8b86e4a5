import {
  normaliseCode,
  normaliseEmail,
  normaliseName,
  normaliseNumber,
  normaliseText,
  normaliseWord,
} from '@sathorn/identity';
import * as v from 'valibot';
import { fieldFault, typedText } from './fields.ts';

export const loginPassword = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[A-Za-z0-9]{6,12}$/, fieldFault('password_format')),
);
export const paymentPassword = v.pipe(typedText(normaliseCode), v.regex(/^[0-9]{6}$/, fieldFault('paypass_format')));
/** A proof for exactly this operation (`finishProof`), or a code of the authenticator app. */
export const factorProof = v.pipe(
  typedText(normaliseCode),
  v.minLength(6, fieldFault('too_short')),
  v.maxLength(64, fieldFault('too_long')),
);
/** Refusals for a customer who has a second factor and has not proved it. */
export const FACTOR_REFUSALS = ['second_factor_required', 'second_factor_wrong', 'second_factor_delayed'] as const;
export const verificationCode = v.pipe(
  typedText(normaliseCode),
  v.regex(/^[A-Za-z0-9]{6}$/, fieldFault('code_malformed')),
);
export const phone = v.pipe(typedText(normaliseNumber), v.regex(/^\+?[0-9]{8,15}$/, fieldFault('phone_malformed')));
export const email = v.pipe(
  v.string(fieldFault('required')),
  v.maxLength(254, fieldFault('too_long')),
  v.check((text) => normaliseEmail(text) !== null, fieldFault('email_malformed')),
  v.transform((text) => normaliseEmail(text) ?? text),
);
/** The name for a sign-in: a username, a phone number or an email address. */
export const loginName = v.pipe(typedText(normaliseText, 254), v.minLength(1, fieldFault('required')));
/** A full name as in a document. */
export const personName = v.pipe(
  typedText(normaliseName),
  v.minLength(1, fieldFault('required')),
  v.maxLength(80, fieldFault('too_long')),
);
export const username = v.pipe(
  typedText(normaliseWord),
  v.regex(/^[A-Za-z][A-Za-z0-9_.]{2,19}$/, fieldFault('username_format')),
);
/** The server checks it further: normalised, without bidi controls, at most 24 graphemes. */
export const nickname = v.pipe(
  v.string(fieldFault('required')),
  v.trim(),
  v.minLength(1, fieldFault('required')),
  v.maxLength(120, fieldFault('nickname_format')),
);
export const inviteCode = v.pipe(
  typedText(normaliseCode),
  v.regex(/^[A-Za-z0-9]{4,16}$/, fieldFault('invite_code_format')),
);
/** Random text that the app generates once and keeps, so that the server recognises the device. */
export const deviceKey = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[A-Za-z0-9_-]{16,64}$/, fieldFault('malformed')),
);
export const agreement = v.pipe(
  v.string(fieldFault('agreement_required')),
  v.check((value) => value === 'true' || value === '1', fieldFault('agreement_required')),
);
