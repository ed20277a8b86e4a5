import type { FieldFault } from '@sathorn/api';
import { expect, test } from 'vitest';
import { FormState } from './form-state.ts';

interface Values {
  phone: string;
  password: string;
  confirm: string;
}
const faultsOf = ({ phone, password, confirm }: Values): Record<string, FieldFault | undefined> => ({
  phone: phone === '' ? 'required' : undefined,
  password: password.length < 6 ? 'password_format' : undefined,
  confirm: confirm === password ? undefined : 'passwords_differ',
});
const open = () => new FormState<Values>({ phone: '', password: '', confirm: '' });
const faults = (form: FormState<Values>) =>
  Object.fromEntries(
    Object.entries(form.snapshot().errors).map(([name, error]) => [
      name,
      error.by === 'form' ? error.fault : error.sentence,
    ]),
  );

test('shows no faults before the first attempt, however often a value changes', () => {
  const form = open();
  form.change('password', 'abc', faultsOf);
  form.change('password', '', faultsOf);
  expect(faults(form)).toEqual({});
});

test('an attempt checks all fields, and a later change only the fields with a fault', () => {
  const form = open();
  form.change('password', 'Rain7drop', faultsOf);
  expect(form.tryOut(faultsOf)).toBe(false);
  expect(faults(form)).toEqual({ phone: 'required', confirm: 'passwords_differ' });

  // Two equal passwords are not reported as different while the first one is typed again.
  form.change('confirm', 'Rain7drop', faultsOf);
  expect(faults(form)).toEqual({ phone: 'required' });
  form.change('password', 'Rain7dro', faultsOf);
  expect(faults(form)).toEqual({ phone: 'required' });
  form.change('phone', '08', faultsOf);
  expect(faults(form)).toEqual({});

  expect(form.tryOut(faultsOf)).toBe(false);
  expect(faults(form)).toEqual({ confirm: 'passwords_differ' });
  // The other field has been corrected.
  form.change('password', 'Rain7drop', faultsOf);
  expect(faults(form)).toEqual({});
  expect(form.tryOut(faultsOf)).toBe(true);
});

test('the server’s message about a field stays until the field is changed or sent again', () => {
  const form = open();
  const taken = { by: 'server', sentence: 'taken' } as const;
  form.setError('phone', taken);
  form.change('password', 'Rain7drop', faultsOf);
  expect(faults(form)).toEqual({ phone: 'taken' });
  form.change('phone', '08', faultsOf);
  expect(faults(form)).toEqual({});

  form.setError('phone', taken);
  form.clearErrors(['phone']);
  expect(faults(form)).toEqual({});

  form.setError('phone', taken);
  form.change('confirm', 'Rain7drop', faultsOf);
  expect(form.tryOut(faultsOf)).toBe(true);
  expect(faults(form)).toEqual({});
});

test('listeners are notified of each change, and the focus moves to a rendered field', () => {
  const form = open();
  const told: string[] = [];
  const leave = form.subscribe(() => told.push(form.snapshot().values.phone));
  form.change('phone', '0', faultsOf);
  form.change('phone', '08', faultsOf);
  leave();
  form.change('phone', '081', faultsOf);
  expect(told).toEqual(['0', '08']);

  const focused: string[] = [];
  form.place('phone', { focus: () => focused.push('phone') });
  form.focus('phone');
  form.focus('password');
  form.place('phone', null);
  form.focus('phone');
  expect(focused).toEqual(['phone']);
});

test('a step checks only its own fields', () => {
  const form = open();
  expect(form.tryOut(faultsOf, ['phone'])).toBe(false);
  expect(faults(form)).toEqual({ phone: 'required' });
  form.change('phone', '08', faultsOf);
  form.change('password', 'a', faultsOf);
  expect(faults(form)).toEqual({});
  expect(form.tryOut(faultsOf, ['phone'])).toBe(true);
  expect(form.tryOut(faultsOf)).toBe(false);
  expect(faults(form)).toEqual({ password: 'password_format', confirm: 'passwords_differ' });
});

test('a field with text is checked when it loses the focus, and the server’s message about it stays', () => {
  const form = open();
  form.judge('phone', faultsOf);
  expect(faults(form)).toEqual({});
  form.change('password', 'abc', faultsOf);
  form.judge('password', faultsOf);
  expect(faults(form)).toEqual({ password: 'password_format' });
  form.change('password', 'Rain7drop', faultsOf);
  expect(faults(form)).toEqual({});
  form.setError('password', { by: 'server', sentence: 'common' });
  form.judge('password', faultsOf);
  expect(faults(form)).toEqual({ password: 'common' });
});
