import * as v from 'valibot';
import { call } from './call.ts';
import {
  agreement,
  choice,
  currency,
  decimal,
  deviceKey,
  email,
  id,
  inviteCode,
  listOf,
  loginPassword,
  nickname,
  noFields,
  nothing,
  page,
  paymentPassword,
  phone,
  text,
  time,
  username,
  verificationCode,
} from './fields.ts';

const certificationState = v.picklist(['none', 'review', 'verified', 'rejected']);

export const userResult = v.object({
  id: v.string(),
  username: v.string(),
  phone: v.nullable(v.string()),
  email: v.nullable(v.string()),
  nickname: v.string(),
  avatar: v.nullable(v.string()),
  currency,
  invite_code: v.string(),
  invite_allowed: v.boolean(),
  vip_level: v.number(),
  /** Available USDT. */
  balance: decimal,
  /** All USDT of the customer's accounts: available, held, lock-up, liquidity. */
  total: decimal,
  held: decimal,
  /** USDT hosted for a term, and flexibly; with available and held they make the total. */
  lockup: decimal,
  liquidity: decimal,
  score: decimal,
  certification: v.object({
    primary: certificationState,
    advanced: certificationState,
    reason: v.nullable(v.string()),
  }),
  has_paypass: v.boolean(),
  second_factor: v.boolean(),
  created_at: time,
});
export type User = v.InferOutput<typeof userResult>;

const sessionResult = v.object({ token: v.string(), user: userResult });
const differ = 'passwords_differ';
const samePasswords = <T extends { password: string; confirm: string }>(input: T): boolean =>
  input.password === input.confirm;

export const registerCustomer = call('POST /users/register', {
  who: 'anyone',
  summary: 'Sign up by phone or email, with a verification code and an invitation code.',
  request: v.pipe(
    v.object({
      mode: choice(['phone', 'email']),
      phone: v.optional(phone),
      email: v.optional(email),
      code: verificationCode,
      password: loginPassword,
      paypass: paymentPassword,
      username,
      currency,
      invite_code: v.optional(inviteCode),
      agree: agreement,
      device: v.optional(deviceKey),
    }),
    v.forward(
      v.check((r) => r.mode !== 'phone' || r.phone !== undefined, 'required'),
      ['phone'],
    ),
    v.forward(
      v.check((r) => r.mode !== 'email' || r.email !== undefined, 'required'),
      ['email'],
    ),
  ),
  result: sessionResult,
  refusals: [
    'code_wrong',
    'username_taken',
    'contact_taken',
    'invite_code_unknown',
    'invite_code_required',
    'password_common',
    'paypass_common',
    'area_not_served',
  ],
});

export const loginCustomer = call('POST /users/login', {
  who: 'anyone',
  summary: 'Open a session. `username` may be the username, phone or email.',
  request: v.object({
    username: text(1, 254),
    password: text(1, 64),
    otp: v.optional(text(6, 16)),
    device: v.optional(deviceKey),
  }),
  result: sessionResult,
  refusals: ['credentials_wrong', 'second_factor_required', 'login_delayed', 'account_frozen'],
});

export const logoutCustomer = call('POST /users/logout', {
  who: 'customer',
  summary: 'End this session.',
  request: noFields,
  result: nothing,
});

export const forgetPassword = call('POST /users/forget', {
  who: 'anyone',
  summary: 'Set a new login password with a verification code. Ends every session.',
  request: v.pipe(
    v.object({
      mode: choice(['phone', 'email']),
      phone: v.optional(phone),
      email: v.optional(email),
      code: verificationCode,
      password: loginPassword,
      confirm: text(1, 64),
    }),
    v.forward(
      v.check((r) => r.mode !== 'phone' || r.phone !== undefined, 'required'),
      ['phone'],
    ),
    v.forward(
      v.check((r) => r.mode !== 'email' || r.email !== undefined, 'required'),
      ['email'],
    ),
    v.forward(v.check(samePasswords, differ), ['confirm']),
  ),
  result: nothing,
  refusals: ['code_wrong', 'password_common'],
});

const wait = v.object({ wait: v.number() });
const codePurpose = choice(['register', 'forget', 'edit']);
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
  request: v.object({ email, must: codePurpose }),
  result: wait,
  refusals: ['code_too_soon', 'code_budget_spent'],
});

export const readUser = call('GET /users/info', {
  who: 'customer',
  summary: 'The signed-in customer.',
  request: noFields,
  result: userResult,
});

export const editUser = call('POST /users/edit', {
  who: 'customer',
  summary: 'Change any of nickname, display currency, phone (with code), email (with code).',
  request: v.object({
    nickname: v.optional(nickname),
    currency: v.optional(currency),
    phone: v.optional(phone),
    email: v.optional(email),
    code: v.optional(verificationCode),
  }),
  result: userResult,
  refusals: ['code_wrong', 'contact_taken', 'nothing_to_change', 'nickname_refused'],
});

export const editAvatar = call('POST /users/edit/avatar', {
  who: 'customer',
  summary: 'Use an uploaded picture as avatar.',
  request: v.object({ userimg: id }),
  result: v.object({ avatar: v.string() }),
  refusals: ['picture_unknown'],
});

export const uploadPicture = call('POST /users/upload', {
  who: 'customer',
  summary: 'Upload a picture (multipart, field `image`); it is re-encoded and stripped of metadata.',
  takesFile: true,
  request: noFields,
  result: v.object({ id: v.string(), url: v.string() }),
  refusals: ['picture_missing', 'picture_unreadable', 'picture_too_large', 'picture_quota_used'],
});

export const changePassword = call('POST /users/edit/userpass', {
  who: 'customer',
  summary: 'Change the login password. Other sessions end.',
  request: v.pipe(
    v.object({ old: text(1, 64), password: loginPassword, confirm: text(1, 64) }),
    v.forward(v.check(samePasswords, differ), ['confirm']),
  ),
  result: nothing,
  refusals: ['password_wrong', 'password_common', 'password_unchanged', 'login_delayed'],
});

export const changePaymentPassword = call('POST /users/edit/paypass', {
  who: 'customer',
  summary: 'Change the payment password with the old one, or set or reset it with a verification code.',
  request: v.pipe(
    v.object({
      old: v.optional(paymentPassword),
      code: v.optional(verificationCode),
      password: paymentPassword,
      confirm: text(1, 64),
    }),
    v.forward(
      v.check((r) => r.old !== undefined || r.code !== undefined, 'required'),
      ['old'],
    ),
    v.forward(v.check(samePasswords, differ), ['confirm']),
  ),
  result: nothing,
  refusals: ['paypass_wrong', 'paypass_locked', 'paypass_common', 'code_wrong'],
});

export const listSessions = call('GET /users/sessions', {
  who: 'customer',
  summary: 'Open sessions of this customer.',
  request: noFields,
  result: v.object({
    items: v.array(
      v.object({
        id: v.string(),
        device: v.string(),
        address: v.string(),
        current: v.boolean(),
        created_at: time,
        used_at: time,
      }),
    ),
  }),
});
export const endSession = call('POST /users/sessions/end', {
  who: 'customer',
  summary: 'End one session.',
  request: v.object({ id }),
  result: nothing,
  refusals: ['session_unknown'],
});

const accountRecord = v.object({
  id: v.string(),
  kind: v.string(),
  asset: v.string(),
  amount: decimal,
  balance_after: decimal,
  ref: v.nullable(v.string()),
  at: time,
});
export const listAccountRecords = call('GET /users/account/lists', {
  who: 'customer',
  summary: 'What came in and went out of the available balance.',
  request: v.object({ setup: choice(['all', 'income', 'expenditure', 'recharge', 'withdraw']), page }),
  result: listOf(accountRecord),
});
