import { describe, expect, test } from 'vitest';
import { addressAfterLogin, planMove } from './plan-move.ts';
import { createScreenTable, type Screen } from './screen-table.ts';

const HOME = '/pages/index/index';
const COINS = '/pages/coinList/index';
const OPTION = '/pages/Option/Option?code=BTC';
const RECORDS = '/pages/Option/orderRecord/orderRecord';

const screen = (path: string, access: Screen['access'], bar: Screen['bar'] = 'title'): Screen => ({
  path: `/pages/${path}`,
  access,
  bar,
  title: 'tab.home',
});
const TABLE = createScreenTable(
  [
    ...['index/index', 'coinList/index', 'mine/mine'].map((path) => screen(path, 'anyone', 'tab')),
    ...['login/login', 'login/regist', 'Lock-up/Lock-up', 'index/share'].map((path) => screen(path, 'anyone')),
    ...['Option/Option', 'Option/orderRecord/orderRecord'].map((path) => screen(path, 'customer')),
  ],
  { home: HOME, login: '/pages/login/login', signIn: '/pages/login/' },
);

describe('with a session', () => {
  test('navigate opens on top, redirect replaces the page, relaunch clears the memory', () => {
    expect(planMove(TABLE, { kind: 'navigate', to: OPTION }, [HOME], true)).toEqual({
      address: OPTION,
      memory: [HOME, OPTION],
      replaces: false,
    });
    expect(planMove(TABLE, { kind: 'redirect', to: RECORDS }, [HOME, OPTION], true)).toEqual({
      address: RECORDS,
      memory: [HOME, RECORDS],
      replaces: true,
    });
    expect(planMove(TABLE, { kind: 'relaunch', to: HOME }, [HOME, OPTION], true)).toEqual({
      address: HOME,
      memory: [HOME],
      replaces: true,
    });
  });

  test('opening a tab leaves the pages above the tabs', () => {
    expect(planMove(TABLE, { kind: 'switchTab', to: COINS }, [HOME, OPTION], true).memory).toEqual([HOME, COINS]);
    expect(planMove(TABLE, { kind: 'navigate', to: COINS }, [HOME, OPTION], true).memory).toEqual([HOME, COINS]);
  });

  test('back goes to the last remembered page, or home if there is none', () => {
    expect(planMove(TABLE, { kind: 'back', to: '' }, [COINS, OPTION], true)).toEqual({
      address: COINS,
      memory: [COINS],
      replaces: true,
    });
    expect(planMove(TABLE, { kind: 'back', to: '' }, [OPTION], true).address).toBe(HOME);
  });

  test('back skips the sign-in page', () => {
    const memory = [COINS, '/pages/login/login?from=x', '/pages/login/regist', RECORDS];
    expect(planMove(TABLE, { kind: 'back', to: '' }, memory, true)).toEqual({
      address: COINS,
      memory: [COINS],
      replaces: true,
    });
  });
});

describe('without a session', () => {
  const login = `/pages/login/login?from=${encodeURIComponent(OPTION)}`;

  test.each(['navigate', 'redirect', 'switchTab', 'relaunch'] as const)(
    '%s to a page that needs one opens login with from',
    (kind) => {
      expect(planMove(TABLE, { kind, to: OPTION }, [HOME], false).address).toBe(login);
    },
  );

  test.each(['/pages/Lock-up/Lock-up', '/pages/mine/mine', '/pages/index/share'])('S4.2 %s needs no session', (to) => {
    expect(planMove(TABLE, { kind: 'navigate', to }, [HOME], false).address).toBe(to);
  });

  test('S4.3 the caller may override whether a session is needed', () => {
    expect(planMove(TABLE, { kind: 'navigate', to: OPTION, needsSession: false }, [HOME], false).address).toBe(OPTION);
    expect(planMove(TABLE, { kind: 'navigate', to: COINS, needsSession: true }, [HOME], false).address).toContain(
      '/pages/login/login',
    );
  });

  test('back does not return to a page that signing out has closed', () => {
    expect(planMove(TABLE, { kind: 'back', to: '' }, [HOME, OPTION, RECORDS], false).address).toBe(HOME);
  });
});

describe('after signing in', () => {
  test('the visitor returns to the page before', () => {
    expect(addressAfterLogin(TABLE, `/pages/login/login?from=${encodeURIComponent(OPTION)}`)).toBe(OPTION);
  });
  test.each([
    '',
    '?from=',
    '?from=https%3A%2F%2Fevil.example',
    '?from=%2F%2Fevil.example',
    '?from=%2Fpages%2Flogin%2Flogin',
  ])('from %s leads home', (query) => expect(addressAfterLogin(TABLE, `/pages/login/login${query}`)).toBe(HOME));
});
