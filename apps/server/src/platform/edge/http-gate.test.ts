import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { buyOption, readConfig } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { describe, expect, it, vi } from 'vitest';
import { handle } from './index.ts';
import { countSockets, openEdgePerTest, sendRaw } from './testing.ts';

const { open } = openEdgePerTest();
const buy = handle(buyOption, async () => accept({} as never));
const about = handle(readConfig, async () => accept({ about: '' }));
const GET = 'GET /api/other/config?act=about HTTP/1.1\r\nhost: x\r\n\r\n';
const answersIn = (said: string): string[] => said.match(/HTTP\/1\.1 [0-9]{3}/g) ?? [];

/** A connection that records what it receives. */
function speaker(url: string): { socket: Socket; said: () => string; closed: Promise<void> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let said = '';
  socket.on('data', (bytes) => (said += bytes.toString()));
  socket.on('error', () => undefined);
  return { socket, said: () => said, closed: new Promise((done) => socket.once('close', () => done())) };
}

describe('requests of one connection', () => {
  it('are served one after another, in their order, and never two at once', async () => {
    let underWay = 0;
    let most = 0;
    const slow = handle(readConfig, async () => {
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return accept({ about: '' });
    });
    const { url } = await open([slow]);
    const { socket, said } = speaker(url);
    socket.write(GET.repeat(5));
    await vi.waitFor(() => expect(answersIn(said())).toHaveLength(5), 120_000);
    expect(most).toBe(1);
    socket.write(GET);
    await vi.waitFor(() => expect(answersIn(said())).toHaveLength(6), 120_000);
    socket.destroy();
  });

  it('beyond the pipelining limit are not served, and the last answer says that the connection closes', async () => {
    let served = 0;
    const counted = handle(readConfig, async () => {
      served += 1;
      return accept({ about: '' });
    });
    const { url } = await open([counted], { httpLimits: { pipelined: 4 } });
    const said = await sendRaw(GET.repeat(2_000), url);
    expect(served).toBe(5);
    expect(answersIn(said)).toEqual(Array(5).fill('HTTP/1.1 200'));
    expect(said.match(/connection: close/gi)).toHaveLength(1);
  });

  it('are read by the parser itself, and an upgrade beyond the pipelining limit is not accepted', async () => {
    const sockets: (Socket & { parser?: { _consumed: boolean } })[] = [];
    const slow = handle(readConfig, async () => {
      await new Promise(setImmediate);
      return accept({ about: '' });
    });
    const { url } = await open([slow], { httpLimits: { pipelined: 4 } });
    const meet = (message: unknown): void => {
      sockets.push((message as { socket: Socket }).socket);
    };
    subscribe('http.server.request.start', meet);
    const { socket, said } = speaker(url);
    socket.write(GET);
    await vi.waitFor(() => expect(answersIn(said())).toHaveLength(1), 120_000);
    unsubscribe('http.server.request.start', meet);
    expect(sockets.map(({ parser }) => parser?._consumed)).toEqual([true]);
    socket.destroy();
    const upgrade = 'GET /api/stream HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    const answers = answersIn(await sendRaw(`${GET.repeat(5)}${upgrade}${GET.repeat(50)}`, url));
    expect(answers).toEqual(Array(5).fill('HTTP/1.1 200'));
  });

  it('are parsed only up to the pipelining limit, on each of many connections', async () => {
    type Parsing = Socket & { readonly parser: { onIncoming(...of: readonly unknown[]): number } };
    const parsed = new Map<Socket, number>();
    const meet = (message: unknown): void => {
      const { socket } = message as { readonly socket: Parsing };
      if (parsed.has(socket)) return;
      parsed.set(socket, 1);
      const receive = socket.parser.onIncoming;
      socket.parser.onIncoming = (...of) => {
        parsed.set(socket, (parsed.get(socket) ?? 0) + 1);
        return receive(...of);
      };
    };
    const { url } = await open([about], { httpLimits: { pipelined: 4 } });
    subscribe('http.server.request.start', meet);
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(GET.repeat(2_000), url)));
    unsubscribe('http.server.request.start', meet);
    expect(parsed.size).toBe(20);
    // The parser reads the last request and drops it. A chunk of 64 kB contains 1,300 requests.
    expect(Math.max(...parsed.values())).toBeLessThanOrEqual(6);
  });
});

describe('a broken request is answered once', () => {
  const head = (type: string): string =>
    `POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
  it.each([
    ['of a type that is not read', head('application/json'), 415],
    ['of a form', head('application/x-www-form-urlencoded'), 400],
  ])('with a broken chunk %s', async (_name, bytes, status) => {
    const { url } = await open([buy]);
    for (const body of ['5\r\nhello\r\nzz\r\n\r\n', 'zz\r\n']) {
      const together = await sendRaw(`${bytes}${body}`, url);
      expect(answersIn(together)).toHaveLength(1);
      const { socket, said, closed } = speaker(url);
      socket.write(bytes);
      await new Promise((done) => setTimeout(done, 30));
      socket.write(body);
      await closed;
      expect(answersIn(said())).toEqual([`HTTP/1.1 ${status}`]);
    }
  });

  it('behind others: those are answered in order, and it gets no answer', async () => {
    const { url } = await open([about]);
    const said = await sendRaw(`${GET}${GET}NONSENSE\r\n\r\n`, url);
    expect(answersIn(said)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});

describe('a slow client', () => {
  it('gets 408 when a form takes too long, even if bytes keep trickling in', async () => {
    const { url } = await open([buy], { timeouts: { bodyMs: 300, checkMs: 50 } });
    const { socket, said, closed } = speaker(url);
    socket.write(
      'POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ntoken: token-1\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 50\r\n\r\n',
    );
    const trickle = setInterval(() => socket.write('c'), 20);
    await closed;
    clearInterval(trickle);
    expect(answersIn(said())).toEqual(['HTTP/1.1 408']);
  });

  it('is disconnected when the rest of an answered body does not arrive', async () => {
    const { url } = await open([buy], { timeouts: { unreadMs: 200, checkMs: 50 } });
    const { socket, said, closed } = speaker(url);
    socket.write(
      'POST /api/coin/order/add HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\nx',
    );
    await closed;
    expect(answersIn(said())).toEqual(['HTTP/1.1 415']);
  });

  it('to read is disconnected, and occupies the memory of at most one answer until then', async () => {
    const long = 'x'.repeat(3_000_000);
    const large = handle(readConfig, async () => accept({ about: long }));
    const { url } = await open([large], { timeouts: { unreadMs: 300, checkMs: 50 } });
    const sockets = countSockets(url);
    const before = process.memoryUsage().rss;
    const deaf = Array.from({ length: 30 }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(GET.repeat(8));
      return socket;
    });
    await vi.waitFor(() => expect(sockets).toEqual({ accepted: 30, open: 0 }), 120_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(30 * 2 * long.length + 200e6);
    for (const socket of deaf) socket.destroy();
  });
});

describe('of one address', () => {
  it('at most the limit of connections is open; another is accepted once one has closed', async () => {
    const { url } = await open([about], { httpLimits: { connectionsPerAddress: 2 } });
    const [first, second] = [speaker(url), speaker(url)];
    for (const { socket, said } of [first, second]) {
      socket.write(GET);
      await vi.waitFor(() => expect(answersIn(said())).toHaveLength(1), 120_000);
    }
    const refused = speaker(url);
    await refused.closed;
    expect(refused.said()).toMatch(/^HTTP\/1\.1 429 .*retry-after: [0-9]/s);
    first.socket.destroy();
    await first.closed;
    await vi.waitFor(async () => {
      const again = speaker(url);
      again.socket.write(GET);
      await vi.waitFor(() => expect(answersIn(again.said())).toEqual(['HTTP/1.1 200']), 2_000);
      again.socket.destroy();
    }, 120_000);
    second.socket.destroy();
  });

  it('a limited number of requests is in progress: more get 429 at once, and all together 503', async () => {
    const held: (() => void)[] = [];
    const slow = handle(readConfig, async () => {
      await new Promise<void>((go) => held.push(go));
      return accept({ about: '' });
    });
    const statuses = async (httpLimits: object, proxyHops: number): Promise<number[]> => {
      const { url } = await open([slow], { httpLimits, proxyHops });
      held.length = 0;
      const answers: Promise<Response>[] = [];
      for (let n = 0; n < 3; n += 1) {
        answers.push(
          fetch(`${url}/api/other/config?act=about`, { headers: { 'x-forwarded-for': `203.0.113.${n % 2}` } }),
        );
        if (n < 2) await vi.waitFor(() => expect(held).toHaveLength(n + 1), 120_000);
      }
      const last = await answers[2];
      expect(last?.headers.get('retry-after')).toBe('1');
      for (const go of held) go();
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses({ underWayPerAddress: 2 }, 0)).toEqual([200, 200, 429]);
    expect(await statuses({ underWay: 2 }, 1)).toEqual([200, 200, 503]);
  });
});
