import assert from 'node:assert';
import { connect } from 'node:net';
import {
  buyOption,
  CALLS,
  disputeOption,
  loginCustomer,
  logoutCustomer,
  PLANNED_CALLS,
  readConfig,
  readOption,
  readOutbox,
  uploadPicture,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { LANGUAGES } from '@sathorn/text';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CommandFault } from '../bus/index.ts';
import { type CallContext, type Handler, handle } from './index.ts';
import type { EdgeOptions } from './open-edge.ts';
import { openTestEdge, type TestEdge } from './testing.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PURCHASE = 'code=BTC&direction=up&quantity=10&duration=30';

let edge: TestEdge | undefined;
afterEach(async () => {
  await edge?.close();
  edge = undefined;
});

async function open(handlers: Handler[], options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  edge = await openTestEdge({ handlers, ...options });
  return edge;
}

interface Answer {
  status: number;
  headers: Headers;
  body: {
    ret: number;
    msg: string;
    data: { code?: string; fields?: Record<string, string>; params?: Record<string, string> } & Record<string, unknown>;
  };
}

async function ask(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {},
): Promise<Answer> {
  const response = await fetch(`${edge?.url}${path}`, {
    method,
    headers: options.headers ?? {},
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Writes raw bytes and gives back all that comes until the server ends, or nothing for a while. */
function speak(bytes: string | Buffer, url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
  });
}

const seen: CallContext<typeof buyOption>[] = [];
const order = (context: CallContext<typeof buyOption>) => {
  seen.push(context);
  return accept({ stake: context.request.quantity.units.toString() } as never);
};
const buy = handle(buyOption, async (context) => order(context));

describe('a call', () => {
  it('reaches its handler with parsed fields, the customer, the time and where it came from', async () => {
    const { clock } = await open([buy]);
    const { status, body } = await ask('POST', '/api/coin/order/add', {
      headers: {
        ...FORM,
        token: 'token-1',
        lang: 'en',
        'user-agent': 'Firefox\u00a0150',
        'idempotency-key': 'key-0001',
      },
      body: `${PURCHASE}&unknown=1&__proto__=x`,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ret: 1, msg: 'Success', data: { stake: '10000000' } });
    const context = seen.at(-1);
    assert(context);
    expect(context.request).toMatchObject({ code: 'BTC', direction: 'up', duration: 30 });
    expect(context.request).not.toHaveProperty('unknown');
    expect(context.customer).toEqual({ id: 1n, sessionId: 's1' });
    expect(context.now).toEqual(clock.now());
    expect(context.client.address).toBe('127.0.0.1');
    expect(context.file).toBeNull();
  });

  it('answers nobody but a session, with ret -1', async () => {
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

  it('knows who asks where anyone may, and forgives a token that is none', async () => {
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

  it('needs no body where it takes no fields', async () => {
    await open([handle(logoutCustomer, async () => accept({}))]);
    expect((await ask('POST', '/api/users/logout', { headers: { token: 'token-1' } })).body.ret).toBe(1);
    expect(
      (await ask('POST', '/api/users/logout', { headers: { ...FORM, token: 'token-1' }, body: '' })).body.ret,
    ).toBe(1);
  });
});

describe('what breaks', () => {
  it('answers a bug with 500 and a fault with 503, reports both whole and tells nothing', async () => {
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

describe('what reaches no call', () => {
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
    // fetch tidies paths up; this one is sent as it is.
    if (path.includes('..')) {
      const said = await speak(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, edge?.url ?? '');
      expect(said).toMatch(/^HTTP\/1\.1 (404|400)/);
      return;
    }
    const answer = await ask(method, path, { headers, ...body });
    expect([answer.status, answer.body.ret, answer.body.data.code]).toEqual([status, 0, code]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });

  it('answers every planned call with 501 in an envelope, to anyone, in six languages', async () => {
    await open([]);
    for (const route of PLANNED_CALLS) {
      const [method = '', path = ''] = route.split(' ');
      const { status, body } = await ask(method, `/api${path}`, { headers: { lang: 'en' } });
      expect([status, body.ret, body.data.code, body.msg], route).toEqual([501, 0, 'not_built_yet', 'Not Implemented']);
    }
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
      expect(body.ret ?? 1, path).toBe(call.who === 'customer' ? -1 : (body.ret ?? 1));
    }
  });

  it('413 for a body too large, read or promised', async () => {
    const { url } = await open([buy]);
    const { status, body } = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1' },
      body: `code=${'x'.repeat(70_000)}`,
    });
    expect([status, body.data.code]).toEqual([413, 'too_large']);
    const promised = await speak(
      `POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 52428800\r\n\r\n`,
      url,
    );
    expect(promised).toMatch(/^HTTP\/1\.1 413/);
  });

  it('refuses two handlers for one call', async () => {
    await expect(openTestEdge({ handlers: [buy, buy] })).rejects.toThrow('two handlers');
  });
});

describe('F4: malformed requests', () => {
  const forms: [string, Buffer][] = [
    ['bad UTF-8 bytes', Buffer.from([0x63, 0x6f, 0x64, 0x65, 0x3d, 0xff, 0xfe])],
    ['an escaped NUL', Buffer.from('code=BTC%00&direction=up&quantity=1&duration=30')],
    ['a raw NUL', Buffer.from('code=BTC\0&direction=up&quantity=1&duration=30')],
    ['half an escape', Buffer.from('code=%E0%A4%A&direction=%')],
    ['a surrogate in escapes', Buffer.from('code=%ED%A0%80')],
    ['10 kB of a key', Buffer.from(`${'k'.repeat(10_000)}=1`)],
    ['deep brackets', Buffer.from(`a${'[b]'.repeat(5_000)}=1`)],
    ['deep brackets over a field', Buffer.from(`quantity${'[]'.repeat(5_000)}=1`)],
    ['__proto__ and constructor', Buffer.from('__proto__=1&constructor=2&__proto__[x]=3&constructor.prototype.y=4')],
    ['20,000 pairs', Buffer.from('a=1&'.repeat(15_000))],
    ['ampersands', Buffer.from('&'.repeat(60_000))],
    ['equals signs', Buffer.from('='.repeat(60_000))],
    ['JSON as a form', Buffer.from('{"code":"BTC","quantity":{"$gt":0}}')],
    ['SQL', Buffer.from("code=BTC';DROP TABLE x--&direction=up&quantity=1&duration=30")],
    ['a truncated form', Buffer.from('code=BTC&direction=u')],
  ];
  it.each(forms)('%s: one clean answer, no handler, no report', async (_name, body) => {
    const before = seen.length;
    const { reported } = await open([buy]);
    const startedAt = performance.now();
    const answer = await ask('POST', '/api/coin/order/add', {
      headers: { ...FORM, token: 'token-1' },
      body: new Uint8Array(body),
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect([200, 400]).toContain(answer.status);
    expect([answer.body.ret, answer.body.data.code]).toEqual([0, 'malformed_request']);
    expect(seen).toHaveLength(before);
    expect(reported).toEqual([]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    ['no HTTP at all', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n', /^HTTP\/1\.1 (400|505)/],
    ['headers too large', `GET /api/health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
    [
      'two lengths',
      'POST /api/users/logout HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      /^HTTP\/1\.1 400/,
    ],
    [
      'length and chunks',
      'POST /api/users/logout HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
  ])('raw: %s', async (_name, bytes, wanted) => {
    const { url } = await open([buy]);
    const said = await speak(bytes, url);
    expect(said).toMatch(wanted);
    expect(said).toContain('"ret":0');
  });

  it('lets slow senders go', async () => {
    const { url } = await open([buy], { timeouts: { headersMs: 150, requestMs: 300, checkMs: 50 } });
    expect(await speak('GET /api/health HTTP/1.1\r\nhost: x\r\nx-slow: ', url)).toMatch(/^HTTP\/1\.1 408/);
    const body =
      'POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 50\r\n\r\ncode=';
    expect(await speak(body, url)).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('hangs up on who does not', () => {
  const head = 'POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-length: 50\r\n';
  it.each([
    ['a head that does not end', 'GET /api/health HTTP/1.1\r\nhost: x\r\nx-slow: ', 408],
    ['a body that does not end', `${head}content-type: application/x-www-form-urlencoded\r\n\r\ncode=`, 408],
    [
      'an upgrade to nothing',
      'GET /api/no HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      404,
    ],
  ])('after %s', async (_name, bytes, status) => {
    const { url } = await open([buy], { timeouts: { headersMs: 150, requestMs: 300, checkMs: 50 } });
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await new Promise((ended) => socket.once('end', ended));
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    // Half closed, it takes whatever comes; closed, the next bytes are answered by a reset.
    const talking = setInterval(() => socket.write('x'), 10);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(talking);
  });
});

it('lets go who asks and does not listen', async () => {
  const { url } = await open([], { timeouts: { keepAliveMs: 300, checkMs: 50 } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  // More than the kernel's buffers on the way take.
  const asked = 200;
  socket.write('GET /api/docs/json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(asked));
  // Both ends are in this process: of the two, ours is left.
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  await vi.waitFor(() => expect(sockets()).toBe(2), 20_000);
  await vi.waitFor(() => expect(sockets()).toBe(1), 20_000);
  let answers = 0;
  socket.on('data', (chunk) => (answers += chunk.toString().split('HTTP/1.1 200').length - 1));
  socket.resume();
  await new Promise((closed) => socket.once('close', closed));
  expect(answers).toBeLessThan(asked);
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

  it('derives one without a key, and says so', async () => {
    const { clock } = await open([buy]);
    const first = await intentOf({});
    expect(first.answer.headers.get('idempotency-derived')).toBe('true; window=10');
    expect((await intentOf({})).intent).toEqual(first.intent);
    clock.advance(10_000);
    expect((await intentOf({})).intent?.id).not.toBe(first.intent?.id);
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

  it('F10: a made-up X-Forwarded-For or token gives no fresh allowance', async () => {
    await open([about], { limits: { requestsPerAddress: 3 } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1)
      statuses.push((await read({ 'x-forwarded-for': `203.0.113.${n}`, token: `made-up-${n}` })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('behind a proxy of ours, each address has its own', async () => {
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
    ['an origin that is allowed', { origin: 'https://app.example' }, 200],
  ])('%s', async (_name, headers, status) => {
    await open([handle(readConfig, async () => accept({ about: '' }))], { allowedOrigins: ['https://app.example'] });
    const { url } = edge ?? { url: '' };
    // fetch sets these headers itself; they are spoken by hand.
    const lines = Object.entries({ host: 'app', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const said = await speak(`GET /api/other/config?act=about HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, url);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(said.toLowerCase()).not.toContain('access-control-allow');
  });

  it('our own origin is the host that was asked', async () => {
    await open([handle(readConfig, async () => accept({ about: '' }))]);
    const said = await speak(
      'GET /api/other/config?act=about HTTP/1.1\r\nhost: app.example:3000\r\norigin: http://app.example:3000\r\nconnection: close\r\n\r\n',
      edge?.url ?? '',
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

  it('gives a program what went to one contact only: everybody’s codes are on the page', async () => {
    await open([outbox]);
    for (const path of ['/demo/outbox', '/demo/outbox?to='])
      expect((await ask('GET', path)).body).toMatchObject({
        ret: 0,
        data: { code: 'malformed_request', fields: { to: expect.any(String) } },
      });
  });

  it('are not there in a live deployment', async () => {
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
  it('is well when everything is, and says what is not', async () => {
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

  it('shows metrics to this machine, not to whom a proxy forwards, or to the bearer of the token', async () => {
    const { url } = await open([buy]);
    await ask('POST', '/api/coin/order/add', { headers: { ...FORM, token: 'token-1' }, body: PURCHASE });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('sathorn_answers_total{route="POST /coin/order/add",status="200"} 1');
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(404);
    await edge?.close();
    const secret = await open([], { metricsToken: 'let-me-in' });
    expect((await fetch(`${secret.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${secret.url}/metrics`, { headers: { authorization: 'Bearer let-me-in' } })).status).toBe(200);
  });
});

describe('uploads', () => {
  it('come as multipart to the calls that take one, and only there', async () => {
    const sizes: number[] = [];
    const { url } = await open(
      [
        handle(uploadPicture, async ({ file }) => {
          sizes.push(file?.bytes.length ?? -1);
          return accept({ id: file?.name ?? '', url: '' });
        }),
        handle(disputeOption, async () => accept({ id: '', deadline: '' })),
      ],
      { limits: { pictureBytes: 1000 } },
    );
    const send = async (path: string, bytes: number, token = 'token-1') => {
      const form = new FormData();
      form.append('note', 'x');
      form.append('image', new Blob([new Uint8Array(bytes)]), 'a.jpg');
      const response = await fetch(`${url}${path}`, { method: 'POST', headers: { token }, body: form });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    };
    expect((await send('/api/users/upload', 1000)).body).toMatchObject({ ret: 1, data: { id: 'a.jpg' } });
    expect((await send('/api/users/upload', 1001)).body.data.code).toBe('picture_too_large');
    expect((await send('/api/users/upload', 10, 'nobody')).body.ret).toBe(-1);
    expect((await send('/api/coin/order/dispute', 10)).status).toBe(415);
    expect(sizes).toEqual([1000]);
  });

  it('G1: 52 at once are all served, a few at a time', async () => {
    let now = 0;
    let most = 0;
    const { url } = await open(
      [
        handle(uploadPicture, async () => {
          now += 1;
          most = Math.max(most, now);
          await new Promise((done) => setImmediate(done));
          now -= 1;
          return accept({ id: '1', url: '' });
        }),
      ],
      { limits: { uploadsAtOnce: 4, uploadsAtOncePerCustomer: 3 } },
    );
    const one = async (token: string) => {
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(5000)]), 'a.jpg');
      const response = await fetch(`${url}/api/users/upload`, { method: 'POST', headers: { token }, body: form });
      return ((await response.json()) as Answer['body']).ret;
    };
    const rets = await Promise.all(Array.from({ length: 52 }, (_, n) => one(n % 2 ? 'token-1' : 'token-2')));
    expect(rets).toEqual(Array(52).fill(1));
    expect(most).toBeLessThanOrEqual(4);
  });

  it('gives back the turns of those who hung up while they waited for one', async () => {
    let begun = 0;
    const { url } = await open(
      [
        handle(uploadPicture, async () => {
          begun += 1;
          return accept({ id: '1', url: '' });
        }),
      ],
      { limits: { uploadsAtOnce: 2, uploadsAtOncePerCustomer: 2 } },
    );
    const body = '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nabc\r\n--x--\r\n';
    const head = `POST /api/users/upload HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`;
    const begin = async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((done) => socket.write(head + body.slice(0, 20), done));
      // Answered after what came before it on another socket was looked at.
      await ask('GET', '/api/health');
      return socket;
    };
    const holders = [await begin(), await begin()];
    for (const waiting of [await begin(), await begin()]) {
      waiting.destroy();
      await ask('GET', '/api/health');
    }
    for (const holder of holders) {
      holder.write(body.slice(20));
      await new Promise((done) => holder.once('data', done));
      holder.destroy();
    }
    expect(begun).toBe(2);
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(10)]), 'a.jpg');
    const late = fetch(`${url}/api/users/upload`, { method: 'POST', headers: { token: 'token-2' }, body: form });
    expect(((await (await late).json()) as Answer['body']).ret).toBe(1);
  });

  it.each([
    [
      'a truncated body',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
    ],
    ['no boundary', 'multipart/form-data', 'abc'],
    ['a wrong boundary', 'multipart/form-data; boundary=y', '--x\r\n\r\nabc'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
  ])('answers %s', async (_name, contentType, body) => {
    const { reported } = await open([
      handle(uploadPicture, async ({ file }) =>
        file === null ? refuse('picture_missing') : accept({ id: '1', url: '' }),
      ),
    ]);
    const answer = await ask('POST', '/api/users/upload', {
      headers: { token: 'token-1', 'content-type': contentType },
      body,
    });
    expect(answer.body.ret).toBe(0);
    expect(answer.status).toBeLessThan(500);
    expect(reported).toEqual([]);
  });
});
