import { connect } from 'node:net';
import { buyOption } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { describe, expect, it, vi } from 'vitest';
import { handle } from './index.ts';
import { countSockets, openEdgePerTest, sendRaw } from './testing.ts';

const edge = openEdgePerTest();
const { open, ask } = edge;

let handled = 0;
const buy = handle(buyOption, async () => {
  handled += 1;
  return accept({} as never);
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
    const before = handled;
    const { reported } = await open([buy]);
    const usedBefore = process.cpuUsage();
    const answer = await ask('POST', '/api/coin/order/add', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', token: 'token-1' },
      body: new Uint8Array(body),
    });
    expect(process.cpuUsage(usedBefore).user / 1_000).toBeLessThan(1_000);
    expect([200, 400]).toContain(answer.status);
    expect([answer.body.ret, answer.body.data.code]).toEqual([0, 'malformed_request']);
    expect(handled).toBe(before);
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
    const said = await sendRaw(bytes, url);
    expect(said).toMatch(wanted);
    expect(said).toContain('"ret":0');
  });

  it('disconnects slow senders', async () => {
    const { url } = await open([buy], { timeouts: { headersMs: 150, requestMs: 300, checkMs: 50 } });
    expect(await sendRaw('GET /api/health HTTP/1.1\r\nhost: x\r\nx-slow: ', url)).toMatch(/^HTTP\/1\.1 408/);
    const body =
      'POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 50\r\n\r\ncode=';
    expect(await sendRaw(body, url)).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('disconnects clients that break the protocol', () => {
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
    // While half closed, the server accepts more bytes; once fully closed, it answers further bytes with a reset.
    const talking = setInterval(() => socket.write('x'), 10);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(talking);
  });
});

it('disconnects a client that sends requests and does not read the answers', async () => {
  const { url } = await open([], { timeouts: { unreadMs: 300, checkMs: 50 }, httpLimits: { pipelined: 1_000 } });
  const sockets = countSockets(url);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  // More than the kernel's buffers can hold.
  const asked = 200;
  socket.write('GET /api/docs/json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(asked));
  await vi.waitFor(() => expect(sockets).toEqual({ accepted: 1, open: 0 }), 120_000);
  let answers = 0;
  socket.on('data', (chunk) => (answers += chunk.toString().split('HTTP/1.1 200').length - 1));
  socket.resume();
  await new Promise((closed) => socket.once('close', closed));
  expect(answers).toBeLessThan(asked);
});
