import * as v from 'valibot';
import { factorCode, operatorShape, workName } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { boundedText, emptyResult, isoTime, noFields } from './fields.ts';

const ALL = OPERATOR_ROLES;
const session = v.object({ token: v.string(), operator: operatorShape, idle_seconds: v.number() });

export const loginOperator = call('POST /admin/login', {
  who: 'anyone',
  summary: 'Open a session of the console with password and authenticator (or a recovery code).',
  request: v.object({ username: workName, password: boundedText(1, 200), code: factorCode }),
  result: session,
  refusals: ['credentials_wrong', 'login_delayed'],
});

export const startEnrolment = call('POST /admin/enrol/start', {
  who: 'anyone',
  summary: 'Begin as an operator: the one-time secret of the invitation gives the key of an authenticator.',
  request: v.object({ username: workName, secret: boundedText(1, 64) }),
  result: v.object({ key: v.string(), uri: v.string() }),
  refusals: ['enrolment_wrong', 'login_delayed'],
});

export const finishEnrolment = call('POST /admin/enrol/finish', {
  who: 'anyone',
  summary: 'Set the password and confirm the authenticator; the recovery codes are shown once.',
  request: v.object({
    username: workName,
    secret: boundedText(1, 64),
    password: boundedText(12, 200),
    code: factorCode,
  }),
  result: v.object({ ...session.entries, recovery_codes: v.array(v.string()) }),
  refusals: ['enrolment_wrong', 'code_wrong', 'password_common', 'login_delayed'],
});

export const readOperator = call('GET /admin/me', {
  who: 'operator',
  roles: ALL,
  summary: 'Who is signed in, with which roles, and until when.',
  request: noFields,
  result: v.object({ operator: operatorShape, idle_seconds: v.number(), ends_at: isoTime }),
});

export const logoutOperator = call('POST /admin/logout', {
  who: 'operator',
  roles: ALL,
  summary: 'End this session.',
  request: noFields,
  result: emptyResult,
});
