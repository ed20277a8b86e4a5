import * as v from 'valibot';
import { areSamePasswords } from './are-same-passwords.ts';
import { call } from './call.ts';
import { userResult } from './customers.ts';
import { boundedText, choiceOf, currency, emptyResult, fieldFault } from './fields.ts';
import {
  agreement,
  deviceKey,
  email,
  factorProof,
  inviteCode,
  loginName,
  loginPassword,
  paymentPassword,
  phone,
  username,
  verificationCode,
} from './person-fields.ts';

export const sessionResult = v.object({ token: v.string(), user: userResult });
/** A contact by phone needs the phone number, and one by email the email address. */
interface Contact {
  readonly mode: 'phone' | 'email';
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}
const hasPhone = <T extends Contact>({ mode, phone: given }: T): boolean => mode !== 'phone' || given !== undefined;
const hasEmail = <T extends Contact>({ mode, email: given }: T): boolean => mode !== 'email' || given !== undefined;
const registrationContact = {
  mode: choiceOf(['phone', 'email']),
  phone: v.optional(phone),
  email: v.optional(email),
  code: verificationCode,
  invite_code: v.optional(inviteCode),
};
const CONTACT_REFUSALS = [
  'code_wrong',
  'contact_taken',
  'invite_code_unknown',
  'invite_code_required',
  'area_not_served',
] as const;

export const registerCustomer = call('POST /users/register', {
  who: 'anyone',
  summary: 'Sign up by phone or email, with a verification code and an invitation code.',
  request: v.pipe(
    v.object({
      ...registrationContact,
      password: loginPassword,
      paypass: paymentPassword,
      username,
      currency,
      agree: agreement,
      device: v.optional(deviceKey),
    }),
    v.forward(v.check(hasPhone, 'required'), ['phone']),
    v.forward(v.check(hasEmail, 'required'), ['email']),
  ),
  result: sessionResult,
  refusals: [...CONTACT_REFUSALS, 'username_taken', 'password_common', 'paypass_common'],
});

export const checkRegistration = call('POST /users/register/check', {
  who: 'anyone',
  summary: 'Whether a sign-up can go on with this contact, code and invitation. Costs one of the code’s tries.',
  request: v.pipe(
    v.object(registrationContact),
    v.forward(v.check(hasPhone, 'required'), ['phone']),
    v.forward(v.check(hasEmail, 'required'), ['email']),
  ),
  result: emptyResult,
  refusals: CONTACT_REFUSALS,
});

export const loginCustomer = call('POST /users/login', {
  who: 'anyone',
  summary: 'Open a session. `username` may be the username, phone or email.',
  request: v.object({
    username: loginName,
    password: boundedText(1, 64),
    /** The kind of `username`. It is optional, because the server recognises the kind. */
    mode: v.optional(choiceOf(['username', 'phone', 'email'])),
    /** The app's form requires it. */
    agree: v.optional(agreement),
    /** An authenticator code or a recovery code, for customers with a second factor. */
    otp: v.optional(v.pipe(factorProof, v.maxLength(24, fieldFault('too_long')))),
    device: v.optional(deviceKey),
  }),
  result: sessionResult,
  refusals: [
    'credentials_wrong',
    'second_factor_required',
    'second_factor_wrong',
    'second_factor_delayed',
    'login_delayed',
    'account_frozen',
    'frozen_by_you',
    'frozen_needs_proof',
  ],
});

export const forgetPassword = call('POST /users/forget', {
  who: 'anyone',
  summary: 'Set a new login password with a verification code. Ends every session.',
  request: v.pipe(
    v.object({
      mode: choiceOf(['phone', 'email']),
      phone: v.optional(phone),
      email: v.optional(email),
      code: verificationCode,
      password: loginPassword,
      confirm: boundedText(1, 64),
    }),
    v.forward(v.check(hasPhone, 'required'), ['phone']),
    v.forward(v.check(hasEmail, 'required'), ['email']),
    v.forward(v.check(areSamePasswords, 'passwords_differ'), ['confirm']),
  ),
  result: emptyResult,
  refusals: ['code_wrong', 'password_common'],
});

const wait = v.object({ wait: v.number() });
const codePurpose = choiceOf(['register', 'forget', 'edit']);
export const sendSmsCode = call('GET /users/sms', {
  who: 'anyone',
  summary:
    'Send a verification code by SMS; answers the same whether the number is known or not. `wait` is in seconds.',
  request: v.object({ userphone: phone, must: codePurpose }),
  result: wait,
  refusals: ['code_too_soon', 'area_not_served', 'code_budget_spent'],
});
export const sendEmailCode = call('GET /users/email/get', {
  who: 'anyone',
  summary: 'Send a verification code by email; answers the same whether the address is known or not.',
  request: v.object({ email, must: v.optional(codePurpose, 'register') }),
  result: wait,
  refusals: ['code_too_soon', 'code_budget_spent'],
});
