import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReservedUsername, usernameKeyOf } from './username-key.ts';

describe('look-alikes have one key', () => {
  it.each([
    ['somchai', 'SomChai'],
    ['somchai', 'somcha1'],
    ['Bill', 'B1lI'],
    ['oscar', '0scar'],
    ['arno', 'amo'],
    ['winner', 'vvinner'],
    ['mali_88', 'mali.88'],
    ['mali_88', 'm.a.l.i88'],
  ])('%s and %s', (one, other) => expect(usernameKeyOf(one)).toBe(usernameKeyOf(other)));

  it.each([
    ['somchai', 'somchay'],
    ['mali88', 'mali89'],
  ])('%s and %s differ', (one, other) => expect(usernameKeyOf(one)).not.toBe(usernameKeyOf(other)));
});

it('every username has a key, whatever its case and separators', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.]{2,19}$/), (username) => {
      const key = usernameKeyOf(username);
      expect(key).not.toBe('');
      expect(usernameKeyOf(username.toUpperCase())).toBe(key);
      expect(usernameKeyOf(`${username.slice(0, 1)}._${username.slice(1)}`)).toBe(key);
    }),
  );
});

it.each([
  'admin',
  'Admin_1',
  'sup.port',
  'SATH0RN',
  'sathorn_99',
  '5taff'.replace('5', 's'),
  'SathornSupport',
  'sath0rn.0fficial',
  'Help_Sathom1',
])('%s is ours', (username) => expect(isReservedUsername(username, 'Sathorn')).toBe(true));
it('the name of another brand is reserved for that brand only', () => {
  expect(['Rama8', 'rama8_staff', 'sathornfan'].map((name) => isReservedUsername(name, 'Rama8'))).toEqual([
    true,
    true,
    false,
  ]);
});
it.each(['adminah', 'supporter', 'somchai', 'sathorn_fan'])('%s is free', (username) =>
  expect(isReservedUsername(username, 'Sathorn')).toBe(false),
);
