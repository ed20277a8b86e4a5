import * as v from 'valibot';
import { areSamePasswords } from './are-same-passwords.ts';
import { call } from './call.ts';
import { userResult } from './customers.ts';
import { boundedText, choiceOf, currency, emptyResult } from './fields.ts';
import {
  email,
  FACTOR_REFUSALS,
  factorProof,
  loginPassword,
  nickname,
  paymentPassword,
  phone,
  verificationCode,
} from './person-fields.ts';

export const editUser = call('POST /users/edit', {
  who: 'customer',
  summary:
    'Change any of nickname, display currency, consent to be shown, phone or email. A phone or email takes the code that was sent to it, and the payment password; the login password where no payment password is set; and a proof of the second factor where there is one.',
  request: v.object({
    nickname: v.optional(nickname),
    currency: v.optional(currency),
    /** True if the hall of fame and the list of wins may show this customer, masked. */
    public_wins: v.optional(choiceOf(['true', 'false'])),
    phone: v.optional(phone),
    email: v.optional(email),
    code: v.optional(verificationCode),
    paypass: v.optional(paymentPassword),
    password: v.optional(boundedText(1, 64)),
    otp: v.optional(factorProof),
  }),
  result: userResult,
  refusals: [
    'code_wrong',
    'contact_taken',
    'nothing_to_change',
    'nickname_refused',
    'paypass_wrong',
    'paypass_locked',
    'password_wrong',
    'login_delayed',
    ...FACTOR_REFUSALS,
  ],
});

export const changePassword = call('POST /users/edit/userpass', {
  who: 'customer',
  summary: 'Change the login password. Other sessions end.',
  request: v.pipe(
    v.object({
      old: boundedText(1, 64),
      password: loginPassword,
      confirm: boundedText(1, 64),
      otp: v.optional(factorProof),
    }),
    v.forward(v.check(areSamePasswords, 'passwords_differ'), ['confirm']),
  ),
  result: emptyResult,
  refusals: ['password_wrong', 'password_common', 'password_unchanged', 'login_delayed', ...FACTOR_REFUSALS],
});

export const changePaymentPassword = call('POST /users/edit/paypass', {
  who: 'customer',
  summary: 'Change the payment password with the old one, or set or reset it with a verification code.',
  request: v.pipe(
    v.object({
      old: v.optional(paymentPassword),
      code: v.optional(verificationCode),
      password: paymentPassword,
      confirm: boundedText(1, 64),
      otp: v.optional(factorProof),
    }),
    v.forward(
      v.check((r) => r.old !== undefined || r.code !== undefined, 'required'),
      ['old'],
    ),
    v.forward(v.check(areSamePasswords, 'passwords_differ'), ['confirm']),
  ),
  result: emptyResult,
  refusals: ['paypass_wrong', 'paypass_locked', 'paypass_common', 'code_wrong', ...FACTOR_REFUSALS],
});
