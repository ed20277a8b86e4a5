import { changePassword, loginCustomer, registerCustomer } from '@sathorn/api';
import { expect, test } from 'vitest';
import { faultyFields, withoutEmptyFields } from './faulty-fields.ts';

const registration = {
  mode: 'phone',
  phone: '+66812345678',
  code: '123456',
  password: 'abc123',
  paypass: '493027',
  username: 'nicha.p',
  currency: 'BAHT',
  invite_code: 'WELCOME',
  agree: 'true',
};

test('finds no faults in a valid form', () => {
  expect(faultyFields(registerCustomer.request, registration)).toEqual({});
});

test('S5.3 S5.4 empty fields are required; the agreement has its own message', () => {
  const empty = Object.fromEntries(Object.keys(registration).map((name) => [name, '']));
  expect(faultyFields(registerCustomer.request, { ...empty, mode: 'phone' })).toEqual({
    code: 'required',
    password: 'required',
    paypass: 'required',
    username: 'required',
    currency: 'required',
    agree: 'agreement_required',
  });
});

test('reports each field’s own fault', () => {
  expect(
    faultyFields(registerCustomer.request, {
      ...registration,
      phone: '12',
      password: 'ab',
      paypass: '12345',
      code: '1',
    }),
  ).toEqual({
    phone: 'phone_malformed',
    password: 'password_format',
    paypass: 'paypass_format',
    code: 'code_malformed',
  });
});

test('reports faults that concern several fields together with the others', () => {
  const differ = { confirm: 'passwords_differ' } as const;
  expect(faultyFields(changePassword.request, { old: '', password: 'abc123', confirm: 'abc124' }, differ)).toEqual({
    old: 'required',
    confirm: 'passwords_differ',
  });
  // The schema reports this fault only when all other fields are valid.
  expect(faultyFields(changePassword.request, { old: 'x', password: 'abc123', confirm: 'abc124' })).toEqual(differ);
});

test('the form’s own message about a field takes precedence over the schema’s', () => {
  expect(
    faultyFields(loginCustomer.request, { username: '', password: '' }, { username: 'credentials_required' }),
  ).toEqual({
    username: 'credentials_required',
    password: 'required',
  });
});

test('optional fields may stay empty', () => {
  expect(faultyFields(loginCustomer.request, { username: 'a', password: 'b', otp: '' })).toEqual({});
  expect(withoutEmptyFields({ a: '', b: undefined, c: '0' })).toEqual({ c: '0' });
});
