import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { systemElapsedMs } from '../clock.ts';
import { runFlood } from '../testing-flood.ts';
import { FrameCounter } from './stream-guard.ts';
import type { TestEdge } from './testing.ts';
import { connectListener, openTestStream, refusedUpgrade, tickerOf } from './testing-stream.ts';

const MASK = Buffer.from([1, 2, 3, 4]);
/** Encodes a frame as a client does (RFC 6455, 5.2). */
function masked(opcode: number, payload: string): Buffer {
  const bytes = Buffer.from(payload).map((byte, n) => byte ^ (MASK[n % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | bytes.length]), MASK, bytes]);
}
const FRAMES: [string, Buffer][] = [
  ['texts of one byte', masked(1, 'x')],
  ['pings', masked(9, '')],
  ['pongs', masked(10, '')],
  ['pings of ours', masked(1, '{"op":"ping"}')],
];

const UPGRADE =
  'GET /api/stream HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** A raw socket connected to the stream. */
async function wireTo({ url }: TestEdge): Promise<Socket> {
  const socket = connectTo(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(UPGRADE);
  await once(socket, 'data');
  return socket;
}

/** `once` from node:events is not used, because it rejects on a reset. */
const closeOf = (socket: Socket): Promise<void> => new Promise((closed) => socket.once('close', () => closed()));

describe('L1 a flood of frames', () => {
  it.each(FRAMES)('of %s is not read beyond its first bytes, and its socket is gone at once', async (_name, frame) => {
    const test = await openTestStream();
    const socket = await wireTo(test);
    const closed = closeOf(socket);
    const began = performance.now();
    const many = Buffer.concat(Array<Buffer>(1_000).fill(frame));
    const write = (): void => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', write);
    write();
    await closed;
    // An upper bound for a busy machine; a socket that is read to its end would take minutes.
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(test.reported).toEqual([]);
    expect(await refusedUpgrade(test, '/api/stream')).toBe(429);
  });

  it.each([1, 5, 20, 50, 100])(
    'of %i connections neither stops the event loop nor the ticks',
    async (count) => {
      const test = await openTestStream({}, { elapsedMs: systemElapsedMs, streamLimits: { frameEveryMs: 100 } });
      const reader = await connectListener(test);
      reader.send({ op: 'subscribe', topics: ['tickers'] });
      await reader.until(({ events }) => events.length === 1);

      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      const before = process.threadCpuUsage();
      const heard: number[] = [performance.now()];
      reader.socket.on('message', () => heard.push(performance.now()));
      const ticking = setInterval(
        () => test.bus.emit('tickers', { data: [tickerOf('BTC', String(heard.length))] }),
        100,
      );
      await runFlood({
        url: test.url,
        connections: count,
        opening: UPGRADE,
        chunk: Buffer.concat(Array<Buffer>(5_000).fill(masked(1, 'x'))),
        forMs: 2_000,
      });
      clearInterval(ticking);
      delay.disable();

      // The attackers run in another thread but share the same two cores.
      expect(delay.max / 1e6).toBeLessThan(1_000);
      expect(heard.length).toBeGreaterThan(10);
      expect(Math.max(...heard.slice(1).map((at, n) => at - (heard[n] ?? at)))).toBeLessThan(1_500);
      const { user, system } = process.threadCpuUsage(before);
      // Without the limit, the frames of one connection would use a whole core.
      expect((user + system) / 1_000).toBeLessThan(700);
      expect(reader.closedWith).toBeNull();
    },
    20_000,
  );

  it('gets its reason, as long as it reads', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    for (let n = 0; n < 21; n += 1) listener.socket.ping();
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1008);
  });

  it('is counted over all connections of an address', async () => {
    const test = await openTestStream({}, { streamLimits: { addressShare: 0.5 } });
    const quiet = await connectListener(test);
    const listeners = await Promise.all(Array.from({ length: 3 }, () => connectListener(test)));
    for (const { socket } of listeners) for (let n = 0; n < 15; n += 1) socket.ping();
    await vi.waitFor(() => expect(listeners.some(({ closedWith }) => closedWith === 1008)).toBe(true), 120_000);
    expect(quiet.closedWith).toBeNull();
  });

  it('of bytes counts like one of frames', async () => {
    const test = await openTestStream({}, { streamLimits: { bytesPerSecond: 1_000 } });
    const listener = await connectListener(test);
    for (let n = 0; n < 10; n += 1) listener.send({ op: 'unsubscribe', topics: Array(15).fill('candle:BTC:1m') });
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1008);
  });

  it('of subscriptions counts by their topics: each is a state to be sent', async () => {
    const listener = await connectListener(await openTestStream());
    for (let n = 0; n < 4; n += 1) listener.send({ op: 'subscribe', topics: Array(32).fill('candle:BTC:1m') });
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1008);
  });

  it('keeps its address out for ten seconds, and no other address', async () => {
    const test = await openTestStream({}, { proxyHops: 1 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const listener = await connectListener(test, from('2001:db8::1'));
    for (let n = 0; n < 30; n += 1) listener.socket.ping();
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(await refusedUpgrade(test, '/api/stream', from('2001:db8::2'))).toBe(429);
    await connectListener(test, from('2001:db8:0:1::1'));
    test.clock.advance(10_000);
    await connectListener(test, from('2001:db8::1'));
  });

  it('is not read further after a frame that breaks the protocol', async () => {
    const test = await openTestStream();
    const socket = await wireTo(test);
    const closed = closeOf(socket);
    const hello = Buffer.concat([masked(1, 'hello'), ...Array<Buffer>(15).fill(masked(1, '{"op":"ping"}'))]);
    let said = '';
    socket.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')));
    socket.write(hello);
    await closed;
    // The close frame with code 1007, and no pong after it.
    expect(said).toContain('\x88\x02\x03\xef');
    expect(said).not.toContain('pong');
  });
});

it('counts the frames of a stream of bytes, however it is split', () => {
  const long = Buffer.concat([Buffer.from([0x81, 0xfe, 0x01, 0x00]), MASK, Buffer.alloc(256)]);
  const longer = Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]), MASK, Buffer.alloc(65_536)]);
  const frames = [masked(1, 'x'), long, masked(9, ''), longer, masked(1, 'yz')];
  const bytes = Buffer.concat(frames);
  for (const size of [1, 3, 7, 1_000, bytes.length]) {
    const counter = new FrameCounter();
    let counted = 0;
    for (let at = 0; at < bytes.length; at += size) counted += counter.count(bytes.subarray(at, at + size), 100);
    expect(counted).toBe(frames.length);
  }
  expect(new FrameCounter().count(Buffer.concat(Array<Buffer>(1_000).fill(masked(1, 'x'))), 20)).toBe(21);
});
