import { describe, expect, it } from 'vitest';
import { pushStateOf } from './device-push.ts';
import { handlePushes, type WorkerScope } from './push-worker.ts';

describe('the service worker', () => {
  const open = (windows: { url: string; visibilityState: string; navigate?: () => Promise<unknown> }[] = []) => {
    const listeners = new Map<string, (event: never) => void>();
    const shown: [string, Record<string, unknown>][] = [];
    const went: string[] = [];
    const scope: WorkerScope = {
      location: { origin: 'https://app.example' },
      registration: { showNotification: async (title, options) => void shown.push([title, { ...options }]) },
      clients: {
        matchAll: async () =>
          windows.map((each) => {
            const client = {
              ...each,
              focus: async () => client,
              navigate: async (url: string) => {
                await each.navigate?.();
                went.push(`moved ${each.url} to ${url}`);
              },
            };
            return client;
          }),
        openWindow: async (url) => void went.push(`opened ${url}`),
      },
      addEventListener: (type, listener) => void listeners.set(type, listener),
    };
    // The build appends the function's text to the worker, so it must work without this file.
    const alone = new Function(`return ${handlePushes.toString()}`)() as typeof handlePushes;
    alone(scope, { title: 'Meridian', icon: '/meridian/icon-192.png' });
    const dispatch = async (type: string, event: object): Promise<void> => {
      const work: Promise<unknown>[] = [];
      listeners.get(type)?.({ ...event, waitUntil: (each: Promise<unknown>) => void work.push(each) } as never);
      await Promise.all(work);
    };
    return {
      shown,
      went,
      push: (json: () => unknown) => dispatch('push', { data: { json } }),
      tap: (path: unknown) =>
        dispatch('notificationclick', { notification: { data: { path }, close: () => undefined } }),
    };
  };

  it('shows a pushed message with the brand’s icon', async () => {
    const { push, shown } = open();
    await push(() => ({
      title: 'تم',
      body: 'x',
      tag: 'm1',
      path: '/pages/index/msgList',
      lang: 'ar',
      dir: 'rtl',
      at: 5,
    }));
    expect(shown).toEqual([
      [
        'تم',
        {
          body: 'x',
          tag: 'm1',
          lang: 'ar',
          dir: 'rtl',
          icon: '/meridian/icon-192.png',
          badge: '/meridian/icon-192.png',
          timestamp: 5,
          data: { path: '/pages/index/msgList' },
        },
      ],
    ]);
  });

  it.each([
    ['no text', () => null],
    ['what it cannot read', () => JSON.parse('{')],
    ['other types', () => ({ title: 5, body: {}, path: [] })],
  ])('shows a notification for %s too', async (_what, json) => {
    const { push, shown } = open();
    await push(json);
    expect(shown.map(([title]) => title)).toEqual(['Meridian']);
  });

  it.each([
    ['/pages/coinList/alerts', '/pages/coinList/alerts'],
    ['https://evil.example/', '/pages/index/msgList'],
    ['//evil.example', '/pages/index/msgList'],
    ['/pages/../../console', '/pages/index/msgList'],
    ['javascript:alert(1)', '/pages/index/msgList'],
    [null, '/pages/index/msgList'],
  ])('opens %j as %s of this app', async (path, page) => {
    const { tap, went } = open();
    await tap(path);
    expect(went).toEqual([`opened https://app.example/#${page}`]);
  });

  it('navigates the visible window, never the console, and opens a new one if that fails', async () => {
    const windows = [
      { url: 'https://app.example/console', visibilityState: 'visible' },
      { url: 'https://app.example/#/a', visibilityState: 'hidden' },
      { url: 'https://app.example/#/b', visibilityState: 'visible' },
    ];
    const { tap, went } = open(windows);
    await tap('/pages/service/index');
    expect(went).toEqual(['moved https://app.example/#/b to https://app.example/#/pages/service/index']);

    const failing = open([{ ...windows[2], navigate: () => Promise.reject(new TypeError('not controlled')) } as never]);
    await failing.tap('/pages/service/index');
    expect(failing.went).toEqual(['opened https://app.example/#/pages/service/index']);
  });
});

describe('a browser', () => {
  const facts = { userAgent: 'Android', touchPoints: 5, hasPush: true, isInstalled: false, permission: 'default' };
  const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
  it.each([
    [{}, 'ready'],
    [{ permission: 'granted' }, 'ready'],
    [{ permission: 'denied' }, 'denied'],
    [{ hasPush: false }, 'unsupported'],
    [{ hasPush: false, userAgent: 'iPhone' }, 'install'],
    [{ hasPush: false, userAgent: MAC }, 'install'],
    [{ hasPush: false, userAgent: MAC, touchPoints: 0 }, 'unsupported'],
    [{ hasPush: false, userAgent: 'iPhone', isInstalled: true }, 'unsupported'],
    [{ userAgent: 'iPhone', isInstalled: true }, 'ready'],
  ])('with %j is %s', (change, standing) => {
    expect(pushStateOf({ ...facts, ...change })).toBe(standing);
  });
});
