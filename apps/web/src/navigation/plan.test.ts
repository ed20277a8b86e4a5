import { describe, expect, test } from 'vitest';
import { afterLogin, plan } from './plan.ts';

const HOME = '/pages/index/index';
const COINS = '/pages/coinList/index';
const OPTION = '/pages/Option/Option?code=BTC';
const RECORDS = '/pages/Option/orderRecord/orderRecord';

describe('with a session', () => {
  test('navigate opens on top, redirect takes the place, relaunch forgets', () => {
    expect(plan({ kind: 'navigate', to: OPTION }, [HOME], true)).toEqual({
      address: OPTION,
      memory: [HOME, OPTION],
      replaces: false,
    });
    expect(plan({ kind: 'redirect', to: RECORDS }, [HOME, OPTION], true)).toEqual({
      address: RECORDS,
      memory: [HOME, RECORDS],
      replaces: true,
    });
    expect(plan({ kind: 'relaunch', to: HOME }, [HOME, OPTION], true)).toEqual({
      address: HOME,
      memory: [HOME],
      replaces: true,
    });
  });

  test('a tab is switched to, whatever was above the tabs is left', () => {
    expect(plan({ kind: 'switchTab', to: COINS }, [HOME, OPTION], true).memory).toEqual([HOME, COINS]);
    expect(plan({ kind: 'navigate', to: COINS }, [HOME, OPTION], true).memory).toEqual([HOME, COINS]);
  });

  test('back goes to the last remembered page, else home', () => {
    expect(plan({ kind: 'back', to: '' }, [COINS, OPTION], true)).toEqual({
      address: COINS,
      memory: [COINS],
      replaces: true,
    });
    expect(plan({ kind: 'back', to: '' }, [OPTION], true).address).toBe(HOME);
  });

  test('back passes by where one signed in', () => {
    const memory = [COINS, '/pages/login/login?from=x', '/pages/login/regist', RECORDS];
    expect(plan({ kind: 'back', to: '' }, memory, true)).toEqual({ address: COINS, memory: [COINS], replaces: true });
  });
});

describe('without a session', () => {
  const login = `/pages/login/login?from=${encodeURIComponent(OPTION)}`;

  test.each(['navigate', 'redirect', 'switchTab', 'relaunch'] as const)(
    '%s to a page that needs one leads to login with from',
    (kind) => {
      expect(plan({ kind, to: OPTION }, [HOME], false).address).toBe(login);
    },
  );

  test.each(['/pages/Lock-up/Lock-up', '/pages/mine/mine', '/pages/index/share'])('%s is exempt', (to) => {
    expect(plan({ kind: 'navigate', to }, [HOME], false).address).toBe(to);
  });

  test('the caller may say otherwise', () => {
    expect(plan({ kind: 'navigate', to: OPTION, needsSession: false }, [HOME], false).address).toBe(OPTION);
    expect(plan({ kind: 'navigate', to: COINS, needsSession: true }, [HOME], false).address).toContain(
      '/pages/login/login',
    );
  });

  test('back does not return to a page that was left by signing out', () => {
    expect(plan({ kind: 'back', to: '' }, [HOME, OPTION, RECORDS], false).address).toBe(HOME);
  });
});

describe('after signing in', () => {
  test('returns to where the visitor came from', () => {
    expect(afterLogin(`/pages/login/login?from=${encodeURIComponent(OPTION)}`)).toBe(OPTION);
  });
  test.each([
    '',
    '?from=',
    '?from=https%3A%2F%2Fevil.example',
    '?from=%2F%2Fevil.example',
    '?from=%2Fpages%2Flogin%2Flogin',
  ])('from %s leads home', (query) => expect(afterLogin(`/pages/login/login${query}`)).toBe(HOME));
});
