import { describe, expect, it } from 'vitest';
import { findExactCustomer } from './find-exact-customer.ts';

const LISTED = [
  { id: '7062192163', username: 'nicha2' },
  { id: '7062192162', username: 'Nicha' },
];

describe('the customer of a form', () => {
  it.each([
    ['is found by number', '7062192162', 'Nicha'],
    ['is found by user name, in any letter case and among longer names', ' nicha ', 'Nicha'],
    ['is not guessed from the beginning of a name', 'nich', undefined],
    ['is not guessed from the beginning of a number', '706219216', undefined],
    ['is nobody if nothing was typed', '', undefined],
  ])('%s', (_what, typed, username) => {
    expect(findExactCustomer(LISTED, typed)?.username).toBe(username);
  });
});
