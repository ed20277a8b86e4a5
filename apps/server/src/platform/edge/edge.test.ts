import assert from 'node:assert';
import {
  buyOption,
  CALLS,
  loginCustomer,
  logoutCustomer,
  readConfig,
  readOption,
  readOutbox,
  sendSmsCode,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { LANGUAGES } from '@sathorn/text';
import { describe, expect, it } from 'vitest';
import { CommandFault } from '../bus/index.ts';
import { type CallContext, handle } from './index.ts';
import { openEdgePerTest, openTestEdge, sendRaw } from './testing.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PURCHASE = 'code=BTC&direction=up&quantity=10&duration=30';

const edge = openEdgePerTest();
const { open, ask } = edge;

const seen: CallContext<typeof buyOption>[] = [];
const order = (context: CallContext<typeof buyOption>) => {
  seen.push(context);
  return accept({ stake: context.request.quantity.units.toString() } as never);
};
const buy = handle(buyOption, async (context) => order(context));

describe('a call', () => {
  it('reaches its handler with parsed fields, the customer, the time and the caller’s address', async () => {
    const { clock } = await open([buy]);
    const { status, body } = await ask('POST', '/api/coin/order/add', {
      headers: {
        ...FORM,
        token: 'token-1',
        lang: 'en',
        'user-agent': 'Firefox\u00a0150',
        'idempotency-key': 'key-0001',
      },
      body: PURCHASE,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ret: 1, msg: 'Success', data: { stake: '10000000' } });
    const context = seen.at(-1);
    assert(context);
    expect(context.request).toMatchObject({ code: 'BTC', direction: 'up', duration: 30 });
    expect(context.customer).toEqual({ id: 1n, sessionId: 's1' });
    expect(context.now).toEqual(clock.now());
    expect(context.client.address).toBe('127.0.0.1');
    expect(context.file).toBeNull();
  });

  it('F2: refuses an unknown field by its name and does nothing', async () => {
    await open([buy]);
    const before = seen.length;
    const extra = ['vip_level=9', 'balance=1000000', 'status=won', '__proto__=x', `${'a'.repeat(99)}=1`, '%ff=1'];
    for (const more of extra) {
      const { status, body } = await ask('POST', '/api/coin/order/add', {
        headers: { ...FORM, token: 'token-1', lang: 'en' },
        body: `${PURCHASE}&${more}`,
      });
      const name = /^[a-z_]+=/.test(more) && more.length < 60 && !more.startsWith('_') ? more.split('=')[0] : 'form';
      expect([status, body.ret, body.data.code], more).toEqual([200, 0, 'malformed_request']);
      expect(body.data.fields, more).toEqual({ [name ?? '']: 'There is no such field.' });
    }
    expect(seen.length).toBe(before);
  });

  it('F11: answers may not be cached or shown by another site', async () => {
    await open([buy]);
    for (const token of ['token-1', 'nobody']) {
      const { headers } = await ask('POST', '/api/coin/order/add', { headers: { ...FORM, token }, body: PURCHASE });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('answers calls without a session with ret -1', async () => {
    await open([buy]);
    for (const token of [undefined, '', 'made-up', 'x'.repeat(5000)]) {
      const headers = token === undefined ? FORM : { ...FORM, token };
      const { status, body } = await ask('POST', '/api/coin/order/add', { headers, body: PURCHASE });
      expect([status, body.ret, body.data.code]).toEqual([200, -1, 'session_required']);
    }
    const cookie = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, cookie: 'token=token-1' },
      body: PURCHASE,
    });
    expect(cookie.body.ret).toBe(-1);
  });

  it('knows the customer of a public call, and ignores an invalid token', async () => {
    const ids: unknown[] = [];
    await open([
      handle(readConfig, async ({ customer }) => {
        ids.push(customer?.id ?? null);
        return accept({ about: '' });
      }),
    ]);
    for (const token of ['token-2', 'made-up']) await ask('GET', '/api/other/config?act=about', { headers: { token } });
    expect(ids).toEqual([2n, null]);
  });

  it.each([
    ['th', 'กรุณาเข้าสู่ระบบก่อน'],
    ['en', 'Please sign in first.'],
    ['zh', '请先登录。'],
    ['zh-TW', '请先登录。'],
    ['jp', 'ログインしてください。'],
    ['ja-JP', 'ログインしてください。'],
    ['fr', 'กรุณาเข้าสู่ระบบก่อน'],
    ['', 'กรุณาเข้าสู่ระบบก่อน'],
  ])('speaks the language of lang: %s', async (lang, msg) => {
    await open([buy]);
    const { body } = await ask('POST', '/api/coin/order/add', { headers: { ...FORM, lang }, body: PURCHASE });
    expect(body.msg).toBe(msg);
  });

  it('names each faulty field in the caller’s language', async () => {
    await open([buy]);
    for (const lang of LANGUAGES) {
      const { body } = await ask('POST', '/api/coin/order/add', {
        headers: { ...FORM, token: 'token-1', lang },
        body: 'code=XXX&quantity=1e9&quantity=2',
      });
      expect(body.ret).toBe(0);
      expect(body.data.code).toBe('malformed_request');
      expect(Object.keys(body.data.fields ?? {}).sort()).toEqual(['code', 'direction', 'duration', 'quantity']);
    }
    const { body } = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1', lang: 'en' },
      body: `${PURCHASE}&quantity=9`,
    });
    expect(body.data.fields).toEqual({ quantity: 'This was sent more than once.' });
  });

  it('takes no field from the address of a POST', async () => {
    await open([buy]);
    const headers = { ...FORM, token: 'token-1' };
    expect(
      (await ask('POST', '/api/coin/order/add?quantity=9', { headers, body: PURCHASE })).body.data.fields,
    ).toHaveProperty('quantity');
    expect((await ask('POST', '/api/coin/order/add?utm=9', { headers, body: PURCHASE })).body.ret).toBe(1);
  });

  it('words a refusal with its field and its values', async () => {
    await open([
      handle(buyOption, async () => refuse('below_minimum', { field: 'quantity', params: { min: '1.000000' } })),
    ]);
    const { status, body } = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1', lang: 'en' },
      body: PURCHASE,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ret: 0,
      msg: 'The minimum is 1 USDT.',
      data: { code: 'below_minimum', fields: { quantity: 'The minimum is 1 USDT.' }, params: { min: '1.000000' } },
    });
  });

  it('needs no body if it takes no fields', async () => {
    await open([handle(logoutCustomer, async () => accept({}))]);
    expect((await ask('POST', '/api/users/logout', { headers: { token: 'token-1' } })).body.ret).toBe(1);
    expect(
      (await ask('POST', '/api/users/logout', { headers: { ...FORM, token: 'token-1' }, body: '' })).body.ret,
    ).toBe(1);
  });
});

describe('errors in a call', () => {
  it('answers a bug with 500 and a fault with 503, logs both in full and reveals nothing', async () => {
    let thrown: unknown = null;
    const { reported } = await open([
      handle(readOption, async () => {
        throw thrown;
      }),
    ]);
    const cases: [unknown, number, string][] = [
      [new assert.AssertionError({ message: 'secret in /etc/passwd' }), 500, 'internal_error'],
      [new TypeError('secret'), 500, 'internal_error'],
      ['secret', 500, 'internal_error'],
      [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
      [Object.assign(new Error('secret'), { code: '57P01' }), 503, 'unavailable'],
      [Object.assign(new Error('secret'), { code: '57014' }), 503, 'unavailable'],
      [new CommandFault('secret'), 503, 'unavailable'],
    ];
    for (const [error, status, code] of cases) {
      thrown = error;
      const answer = await ask('GET', '/api/coin/order/info?id=1', { headers: { token: 'token-1', lang: 'en' } });
      expect([answer.status, answer.body.ret, answer.body.data.code]).toEqual([status, 0, code]);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
    }
    expect(reported).toHaveLength(cases.length);
  });

  it('answers 500 for a result that can’t be written or a refusal without words', async () => {
    const results: unknown[] = [accept(1n), accept(undefined), refuse('no_such_refusal')];
    await open([handle(readOption, async () => results.shift() as never)]);
    for (let n = 0; n < 3; n += 1)
      expect((await ask('GET', '/api/coin/order/info?id=1', { headers: { token: 'token-1' } })).status).toBe(500);
  });
});

describe('requests that reach no call', () => {
  it.each<[string, string, string, Record<string, string>, number, string]>([
    ['an unknown path', 'GET', '/api/nothing', {}, 404, 'not_found'],
    ['the root of the API', 'GET', '/api', {}, 404, 'not_found'],
    ['another method', 'GET', '/api/coin/order/add', {}, 405, 'method_not_allowed'],
    ['a method nobody takes', 'DELETE', '/api/users/info', {}, 405, 'method_not_allowed'],
    ['a preflight', 'OPTIONS', '/api/users/login', { origin: 'https://evil.example' }, 405, 'method_not_allowed'],
    ['JSON', 'POST', '/api/coin/order/add', { 'content-type': 'application/json' }, 415, 'content_type_refused'],
    ['plain text', 'POST', '/api/coin/order/add', { 'content-type': 'text/plain' }, 415, 'content_type_refused'],
    [
      'an unreadable content type',
      'POST',
      '/api/coin/order/add',
      { 'content-type': ';;;' },
      415,
      'content_type_refused',
    ],
    ['the stream without an upgrade', 'GET', '/api/stream', {}, 426, 'upgrade_required'],
    ['broken escapes in the path', 'GET', '/api/%zz', {}, 400, 'malformed_request'],
    ['a path out of its folder', 'GET', '/api/../../etc/passwd', {}, 404, 'not_found'],
  ])('%s', async (_name, method, path, headers, status, code) => {
    await open([buy]);
    const body = method === 'POST' ? { body: '{"a":1}' } : {};
    // fetch normalises paths; this one must be sent unchanged.
    if (path.includes('..')) {
      const said = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, edge.url());
      expect(said).toMatch(/^HTTP\/1\.1 (404|400)/);
      return;
    }
    const answer = await ask(method, path, { headers, ...body });
    expect([answer.status, answer.body.ret, answer.body.data.code]).toEqual([status, 0, code]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });

  it('answers a call without a handler with 501 in an envelope, in six languages', async () => {
    await open([]);
    const { status, body } = await ask('GET', '/api/users/ranks', { headers: { lang: 'en' } });
    expect([status, body.ret, body.data.code, body.msg]).toEqual([501, 0, 'not_built_yet', 'Not Implemented']);
    const words = new Set<string>();
    for (const lang of LANGUAGES) words.add((await ask('GET', '/api/users/ranks', { headers: { lang } })).body.msg);
    expect(words.size).toBe(LANGUAGES.length);
  });

  it('makes a route of every call of the table', async () => {
    await open(Object.values(CALLS).map((call) => handle(call, async () => accept({}))));
    for (const call of Object.values(CALLS)) {
      const path = call.path.startsWith('/demo/') ? call.path : `/api${call.path}`;
      const { status, body } = await ask(call.method, path, {
        headers: call.method === 'POST' && !call.takesFile ? FORM : {},
      });
      expect(status, path).toBe(200);
      expect(body.ret ?? 1, path).toBe(call.who !== 'anyone' ? -1 : (body.ret ?? 1));
    }
  });

  it('413 for a body too large, read or promised', async () => {
    const { url } = await open([buy]);
    const { status, body } = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1' },
      body: `code=${'x'.repeat(70_000)}`,
    });
    expect([status, body.data.code]).toEqual([413, 'too_large']);
    const promised = await sendRaw(
      `POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 52428800\r\n\r\n`,
      url,
    );
    expect(promised).toMatch(/^HTTP\/1\.1 413/);
  });

  it('refuses two handlers for one call', async () => {
    await expect(openTestEdge({ handlers: [buy, buy] })).rejects.toThrow('two handlers');
  });
});

describe('idempotency', () => {
  const intentOf = async (headers: Record<string, string>, body = PURCHASE) => {
    const answer = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1', ...headers },
      body,
    });
    return { answer, intent: seen.at(-1)?.intent };
  };

  it('gives handlers the same intent for the same key, and another digest for another content', async () => {
    await open([buy]);
    const first = await intentOf({ 'idempotency-key': 'key-0001' });
    const again = await intentOf({ 'idempotency-key': 'key-0001' });
    const other = await intentOf({ 'idempotency-key': 'key-0001' }, PURCHASE.replace('10', '11'));
    const stranger = await intentOf({ 'idempotency-key': 'key-0001', token: 'token-2' });
    expect(again.intent).toEqual(first.intent);
    expect(other.intent?.id).toBe(first.intent?.id);
    expect(other.intent?.digest).not.toBe(first.intent?.digest);
    expect(stranger.intent?.id).not.toBe(first.intent?.id);
    expect(first.answer.headers.get('idempotency-derived')).toBeNull();
  });

  it('derives one if the request has no key, and says so', async () => {
    const { clock } = await open([buy]);
    const first = await intentOf({});
    expect(first.answer.headers.get('idempotency-derived')).toBe('true; window=10');
    expect((await intentOf({})).intent).toEqual(first.intent);
    clock.advance(10_000);
    expect((await intentOf({})).intent?.id).not.toBe(first.intent?.id);
  });

  it('treats a repeat as a retry also when the clock is set in between', async () => {
    const { clock } = await open([buy]);
    const first = await intentOf({});
    clock.step(86_400_000);
    expect((await intentOf({})).intent).toEqual(first.intent);
  });

  it.each(['short', 'has space in it', 'x'.repeat(65), 'emoji-é-key'])('refuses the key %j', async (key) => {
    await open([buy]);
    const { answer } = await intentOf({ 'idempotency-key': key });
    expect(answer.body.data.fields).toHaveProperty('Idempotency-Key');
  });
});

describe('limits', () => {
  const login = handle(loginCustomer, async () => refuse('credentials_wrong'));
  const about = handle(readConfig, async () => accept({ about: '' }));
  const sign = () => ask('POST', '/api/users/login', { headers: FORM, body: 'username=a&password=b' });
  const read = (headers: Record<string, string> = {}) => ask('GET', '/api/other/config?act=about', { headers });

  it('signing in is stricter than reading', async () => {
    await open([login, about], { limits: { signInsPerAddress: 3 } });
    for (let n = 0; n < 3; n += 1) expect((await sign()).status).toBe(200);
    const { status, headers, body } = await sign();
    expect([status, body.ret, body.data.code]).toEqual([429, 0, 'too_many_requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await read()).status).toBe(200);
  });

  it('F10: a made-up X-Forwarded-For or token gets no fresh rate limit', async () => {
    await open([about], { limits: { requestsPerAddress: 3 } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1)
      statuses.push((await read({ 'x-forwarded-for': `203.0.113.${n}`, token: `made-up-${n}` })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('behind our own proxy, each address has its own', async () => {
    await open([about], { limits: { requestsPerAddress: 2 }, proxyHops: 1 });
    const statuses: number[] = [];
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2', '198.51.100.7, 203.0.113.1'])
      statuses.push((await read({ 'x-forwarded-for': address })).status);
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
  });

  it('each session has its own', async () => {
    await open([about], { limits: { requestsPerSession: 2 } });
    const statuses: number[] = [];
    for (const token of ['token-1', 'token-1', 'token-1', 'token-2']) statuses.push((await read({ token })).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('calls that move money are counted over all sessions of a customer', async () => {
    const { sessions } = await open([buy, about], { limits: { moneyCallsPerCustomer: 2 } });
    sessions.set('token-1b', { customerId: 1n, sessionId: 's1b' });
    const spend = async (token: string) =>
      (await ask('POST', '/api/coin/order/add', { headers: { ...FORM, token }, body: PURCHASE })).status;
    expect([await spend('token-1'), await spend('token-1b'), await spend('token-1b')]).toEqual([200, 200, 429]);
    expect(await spend('token-2')).toBe(200);
    expect((await read({ token: 'token-1' })).status).toBe(200);
  });
});

describe('F7, F8: other sites', () => {
  it.each<[string, Record<string, string>, number]>([
    ['a foreign form', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a foreign picture', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 403],
    ['a sister domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['a prefetch', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }, 403],
    ['our own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['an address typed in', { 'sec-fetch-site': 'none' }, 200],
    ['a program', {}, 200],
    ['an old browser’s picture in a foreign page', { referer: 'https://evil.example/page' }, 403],
    ['an old browser’s own page', { referer: 'http://app/' }, 200],
    ['an origin that is allowed', { origin: 'https://app.example' }, 200],
    ['its own form, behind a proxy', { 'sec-fetch-site': 'same-origin', origin: 'https://told.example' }, 200],
    ['a foreign form that names our host', { 'sec-fetch-site': 'cross-site', origin: 'http://app' }, 403],
    ['a prefetch of a page that is allowed', { 'sec-purpose': 'prefetch', origin: 'https://app.example' }, 403],
  ])('%s', async (_name, headers, status) => {
    await open([handle(readConfig, async () => accept({ about: '' }))], { allowedOrigins: ['https://app.example'] });
    const url = edge.url();
    // fetch sets these headers itself, so the request is written by hand.
    const lines = Object.entries({ host: 'app', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const said = await sendRaw(`GET /api/other/config?act=about HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, url);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(said.toLowerCase()).not.toContain('access-control-allow');
  });

  it('sends no code for an old browser that hides the page it comes from', async () => {
    let codes = 0;
    const send = handle(sendSmsCode, async () => {
      codes += 1;
      return accept({ wait: 60 });
    });
    await open([send]);
    const answered = async (headers: Record<string, string>) => {
      const lines = Object.entries({ host: 'app', connection: 'close', ...headers }).map((pair) => pair.join(': '));
      const path = '/api/users/sms?userphone=0812345678&must=register';
      return (await sendRaw(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, edge.url())).slice(9, 12);
    };
    const browser = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 12_0)' };
    expect(await answered(browser)).toBe('403');
    expect(await answered({ ...browser, 'x-requested-with': 'XMLHttpRequest' })).toBe('200');
    expect(await answered({ ...browser, 'sec-fetch-site': 'same-origin' })).toBe('200');
    expect(await answered({ 'user-agent': 'curl/8.5' })).toBe('200');
    expect(codes).toBe(3);
  });

  it('takes the requested host as our own origin', async () => {
    await open([handle(readConfig, async () => accept({ about: '' }))]);
    const said = await sendRaw(
      'GET /api/other/config?act=about HTTP/1.1\r\nhost: app.example:3000\r\norigin: http://app.example:3000\r\nconnection: close\r\n\r\n',
      edge.url(),
    );
    expect(said).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('demo calls', () => {
  const outbox = handle(readOutbox, async () =>
    accept([
      { to: '<b>66812345678</b>', kind: 'sms', text: 'code <script>', code: '123456', at: '2026-11-21T08:00:00.000Z' },
    ]),
  );

  it('gives the outbox as a plain array, and as a page to a browser, escaped and without a script', async () => {
    const { url } = await open([outbox]);
    expect((await ask('GET', '/demo/outbox?to=66812345678')).body).toEqual([
      expect.objectContaining({ code: '123456' }),
    ]);
    const page = await fetch(`${url}/demo/outbox`, { headers: { accept: 'text/html,*/*', 'accept-language': 'ar' } });
    const html = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('dir="rtl"');
    expect(html).toContain('123456');
    expect(html).not.toMatch(/<script|<b>6/);
  });

  it('gives a program one contact’s messages only; everybody’s codes are on the page', async () => {
    await open([outbox]);
    for (const path of ['/demo/outbox', '/demo/outbox?to='])
      expect((await ask('GET', path)).body).toMatchObject({
        ret: 0,
        data: { code: 'malformed_request', fields: { to: expect.any(String) } },
      });
  });

  it('E11 are not there in a live deployment', async () => {
    await open([outbox], { mode: 'live' });
    for (const [method, path] of [
      ['GET', '/demo/outbox'],
      ['POST', '/demo/fund'],
      ['GET', '/demo/fund'],
    ] as const) {
      expect((await ask(method, path)).status).toBe(404);
    }
  });
});

describe('health and metrics', () => {
  it('reports ready when all parts are, and otherwise names the part that is not', async () => {
    let reason: string | null = null;
    await open([], {
      readiness: async () => {
        if (reason === 'throws') throw new RangeError('secret');
        return reason;
      },
    });
    expect((await ask('GET', '/api/health')).status).toBe(200);
    reason = 'database';
    const { status, body } = await ask('GET', '/api/health');
    expect([status, body.data.code, body.data.params]).toEqual([503, 'unavailable', { reason: 'database' }]);
    reason = 'throws';
    expect(JSON.stringify((await ask('GET', '/api/health')).body)).not.toContain('secret');
  });

  it('serves metrics to this machine or the bearer of the token, not to proxied requests', async () => {
    const { url } = await open([buy]);
    await ask('POST', '/api/coin/order/add', { headers: { ...FORM, token: 'token-1' }, body: PURCHASE });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('sathorn_answers_total{route="POST /coin/order/add",status="200"} 1');
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(404);
    await edge.close();
    const secret = await open([], { metricsToken: 'let-me-in' });
    expect((await fetch(`${secret.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${secret.url}/metrics`, { headers: { authorization: 'Bearer let-me-in' } })).status).toBe(200);
  });
});
