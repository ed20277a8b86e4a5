import { beforeEach, describe, expect, test } from 'vitest';
import { intentKeyOf, openDrafts } from './drafts.ts';
import { beginSession, endSession, rememberUser, useSession } from './session.ts';

const user = (id: string) => ({ id });
const tickets = openDrafts('ticket', { amount: '', price: '' });

beforeEach(() => {
  endSession();
  beginSession('first', user('nicha'));
  tickets.change('BTC', { amount: '100' });
});

test('each coin has its own draft, and changing a field keeps the others', () => {
  tickets.change('BTC', { price: '5' });
  expect(tickets.read('BTC')).toEqual({ amount: '100', price: '5' });
  expect(tickets.read('ETH')).toEqual({ amount: '', price: '' });
  expect(openDrafts('other', { amount: '' }).read('BTC')).toEqual({ amount: '' });
});

describe('is kept', () => {
  test('while the profile is read again', () => {
    rememberUser(user('nicha'));
    expect(tickets.read('BTC').amount).toBe('100');
  });
  test.each(['another device signed in', ''])('when the server ended the session, saying "%s"', (message) => {
    const key = intentKeyOf('BTC').keyFor('a');
    endSession(message);
    // The shell has announced the end and opens sign-in.
    useSession.setState({ endedBy: null });
    beginSession('second', user('nicha'));
    expect(tickets.read('BTC').amount).toBe('100');
    expect(intentKeyOf('BTC').keyFor('a')).toBe(key);
  });
});

describe('is deleted', () => {
  const expectNothing = () => expect(tickets.read('BTC')).toEqual({ amount: '', price: '' });

  test('when the customer signs out', () => {
    endSession();
    expectNothing();
  });
  test('when another customer signs in after the server ended the session, with its key', () => {
    const key = intentKeyOf('BTC').keyFor('a');
    endSession('ended');
    beginSession('second', user('somchai'));
    expectNothing();
    expect(intentKeyOf('BTC').keyFor('a')).not.toBe(key);
  });
  test('when another customer has signed in in another tab', () => {
    useSession.setState({ token: 'second', user: user('somchai'), endedBy: null });
    expectNothing();
  });
  test('when the new session’s customer is unknown', () => {
    useSession.setState({ token: 'second', user: null });
    expectNothing();
  });
  test('when the old session’s customer was unknown', () => {
    useSession.setState({ token: 'unknown', user: null });
    tickets.change('BTC', { amount: '7' });
    endSession('ended');
    beginSession('second', user('nicha'));
    expectNothing();
  });
});

test('a changed draft gets a new key', () => {
  const key = intentKeyOf('BTC').keyFor('a');
  expect(intentKeyOf('BTC').keyFor('b')).not.toBe(key);
  expect(intentKeyOf('ETH').keyFor('a')).not.toBe(key);
});
