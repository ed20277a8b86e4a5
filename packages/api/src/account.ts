import * as v from 'valibot';
import { call } from './call.ts';
import { userResult } from './customers.ts';
import { depositRecord } from './deposits.ts';
import { choice, currency, decimal, id, listOf, nothing, pageOf, text, time } from './fields.ts';
import { email, loginPassword, nickname, paymentPassword, phone, verificationCode } from './person-fields.ts';
import { samePasswords } from './same-passwords.ts';
import { withdrawalRecord } from './withdrawals.ts';

export const editUser = call('POST /users/edit', {
  who: 'customer',
  summary:
    'Change any of nickname, display currency, consent to be shown, phone or email. A phone or email takes the code that was sent to it, and the payment password; the login password where no payment password is set.',
  request: v.object({
    nickname: v.optional(nickname),
    currency: v.optional(currency),
    /** Whether the hall of fame and the list of wins may show this customer, masked. */
    public_wins: v.optional(choice(['true', 'false'])),
    phone: v.optional(phone),
    email: v.optional(email),
    code: v.optional(verificationCode),
    paypass: v.optional(paymentPassword),
    password: v.optional(text(1, 64)),
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
  ],
});

export const changePassword = call('POST /users/edit/userpass', {
  who: 'customer',
  summary: 'Change the login password. Other sessions end.',
  request: v.pipe(
    v.object({ old: text(1, 64), password: loginPassword, confirm: text(1, 64) }),
    v.forward(v.check(samePasswords, 'passwords_differ'), ['confirm']),
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
    v.forward(v.check(samePasswords, 'passwords_differ'), ['confirm']),
  ),
  result: nothing,
  refusals: ['paypass_wrong', 'paypass_locked', 'paypass_common', 'code_wrong'],
});

/** A sealed number: 16 bytes in base64url. */
const SEALED = '[A-Za-z0-9_-]{22}';

const accountRecord = v.object({
  id: v.string(),
  kind: v.string(),
  asset: v.string(),
  amount: decimal,
  /** Null for a deposit or a withdrawal that has not moved money yet. */
  balance_after: v.nullable(decimal),
  ref: v.nullable(v.string()),
  at: time,
  /** Only with `setup=recharge`. */
  deposit: v.optional(depositRecord),
  /** Only with `setup=withdraw`. */
  withdrawal: v.optional(withdrawalRecord),
});
export const listAccountRecords = call('GET /users/account/lists', {
  who: 'customer',
  summary:
    'What came in and went out of the available balance. With `recharge` and `withdraw`, the deposits and withdrawals themselves, those under way too, newest first.',
  request: v.object({
    setup: choice(['all', 'income', 'expenditure', 'recharge', 'withdraw']),
    /** Filters deposits and withdrawals: completed ones, or all others including failed ones. */
    status: v.optional(choice(['all', 'completed', 'undone'])),
    /** Returns only this record, or an empty list if it does not exist or belongs to another customer. */
    id: v.optional(id),
    page: pageOf(SEALED),
  }),
  result: listOf(accountRecord),
});
