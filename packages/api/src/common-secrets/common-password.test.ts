import { describe, expect, it } from 'vitest';
import { COMMON_PASSWORDS, isCommonPassword } from './common-password.ts';
import { isKeyboardWalk } from './keyboard-walk.ts';

it('the list has over a thousand passwords that the policy would allow, and no duplicates', () => {
  const allowed = [...COMMON_PASSWORDS].filter((word) => /^[a-z0-9]{6,12}$/.test(word));
  expect(allowed.length).toBeGreaterThan(2_500);
  expect([...COMMON_PASSWORDS].every((word) => /^[a-z0-9]+$/.test(word))).toBe(true);
});

describe('refused for every customer', () => {
  it.each([
    [
      'the first of every list',
      ['123456', 'password', '12345678', 'qwerty', 'abc123', 'iloveyou', 'admin123', 'Passw0rd', '1q2w3e4r', '5201314'],
    ],
    ['words in another case', ['DRAGON', 'Monkey', 'SuperMan', 'iLoveYou']],
    [
      'words with digits around them',
      ['dragon1', 'monkey99', '123monkey', 'sunshine2024', 'somchai1990', 'somchai2533', 'love7391', '88money88'],
    ],
    ['words with digits for letters', ['p4ssw0rd', 'dr4g0n', '5un5h1ne', 'm0nk3y', 'sup3rm4n', 'f00tball1']],
    ['words twice or backwards', ['lovelove', 'dadadada', 'nogard', 'drowssap']],
    ['repeats', ['aaaaaa', '111111111', 'abababab', 'xyzxyzxyz', 'a1a1a1a1', 'q9zq9zq9z', 'aabbaabb']],
    ['few characters', ['aabbaabbab', '1212121122', 'zzzzzzzz9']],
    [
      'sequences',
      ['abcdef', 'fedcba', '987654', 'abc123', 'xyz789', 'abcd1234', '123abc', '13579', '02468'].filter(
        (p) => p.length > 5,
      ),
    ],
    [
      'keyboard walks',
      [
        'qwerty',
        'asdfgh',
        'zxcvbn',
        '1qaz2wsx',
        'qazwsx',
        'zaq12wsx',
        'qweasd',
        'poiuyt',
        'lkjhgf',
        'qwe123',
        '147258',
        '159357',
        'azerty',
      ],
    ],
    ['braids', ['a1b2c3', 'q1w2e3r4', '1a2b3c4d', 'z1x2c3']],
    ['dates', ['250890', '19900825', '25081990', '08251990', '25082533', '25330825', '900825']],
  ])('%s', (_what, passwords) => {
    expect(passwords.filter((password) => !isCommonPassword(password, null))).toEqual([]);
  });
});

describe('refused because of the customer’s own data', () => {
  const context = { username: 'Nok.Suay', phone: '+66812345678', email: 'n.chaiwong@example.org', brand: 'Sathorn' };
  it.each([
    'noksuay7',
    'x7NOKSUAYx',
    'yauskon5',
    'n0ksu4y77',
    'chaiwong91q',
    'sathorn4me',
    'S4th0rn9x',
    '812345678',
    '66812345678',
    'q345678',
    '345678zq',
    'xexample7',
  ])('%s', (password) => {
    expect(isCommonPassword(password, context)).toBe(true);
  });
  it('detects a part of a long name', () =>
    expect(isCommonPassword('jaiyen', { ...context, username: 'jaiyenyen77' })).toBe(true));
});

it.each([
  'k7Wm2xPq',
  'h4Vb9tRz',
  'Trk83vqLm',
  'zqpw7x',
  'bQ4nT8',
  '7fK2mW9xT4aZ',
  'correctHorse',
  'Gx5uLp0e',
  '583920174',
  'purpleTrain7',
])('accepted: %s', (password) => {
  expect(
    isCommonPassword(password, { username: 'somboon', phone: '+66812345678', email: null, brand: 'Sathorn' }),
  ).toBe(false);
});

it('a walk consists of sequences of at least three characters', () => {
  expect(['qwerty', 'qaz', 'abcxyz', '111', '123qwe'].map(isKeyboardWalk)).toEqual([true, true, true, true, true]);
  expect(['qw', 'qwx', 'qwex', 'abcxy'].map(isKeyboardWalk)).toEqual([false, false, false, false]);
});
