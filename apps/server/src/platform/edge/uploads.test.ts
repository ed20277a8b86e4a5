import { connect } from 'node:net';
import { disputeOption, uploadPicture } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { describe, expect, it } from 'vitest';
import { handle } from './index.ts';
import { type EdgeAnswer, openEdgePerTest } from './testing.ts';

const edge = openEdgePerTest();
const { open, ask } = edge;

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
      return { status: response.status, body: (await response.json()) as EdgeAnswer['body'] };
    };
    expect((await send('/api/users/upload', 1000)).body).toMatchObject({ ret: 1, data: { id: 'a.jpg' } });
    expect((await send('/api/users/upload', 1001)).body.data.code).toBe('picture_too_large');
    expect((await send('/api/users/upload', 10, 'nobody')).body.ret).toBe(-1);
    expect((await send('/api/coin/order/dispute', 10)).status).toBe(415);
    expect(sizes).toEqual([1000]);
  });

  it('S9.7 G1: serves 52 uploads at once, a few in parallel and at most one per customer', async () => {
    const now: bigint[] = [];
    let most = 0;
    let mostOfOne = 0;
    const { url, sessions } = await open(
      [
        handle(uploadPicture, async ({ customer }) => {
          now.push(customer.id);
          most = Math.max(most, now.length);
          mostOfOne = Math.max(mostOfOne, now.filter((id) => id === customer.id).length);
          await new Promise((done) => setImmediate(done));
          now.splice(now.indexOf(customer.id), 1);
          return accept({ id: '1', url: '' });
        }),
      ],
      { limits: { uploadsAtOnce: 4 } },
    );
    for (const n of [3, 4, 5, 6]) sessions.set(`token-${n}`, { customerId: BigInt(n), sessionId: `s${n}` });
    const one = async (token: string) => {
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(5000)]), 'a.jpg');
      const response = await fetch(`${url}/api/users/upload`, { method: 'POST', headers: { token }, body: form });
      return ((await response.json()) as EdgeAnswer['body']).ret;
    };
    const rets = await Promise.all(Array.from({ length: 52 }, (_, n) => one(`token-${(n % 6) + 1}`)));
    expect(rets).toEqual(Array(52).fill(1));
    expect(most).toBeLessThanOrEqual(4);
    expect(mostOfOne).toBe(1);
  });

  it('frees the slots of clients that disconnected while they waited', async () => {
    let begun = 0;
    const { url, sessions } = await open(
      [
        handle(uploadPicture, async () => {
          begun += 1;
          return accept({ id: '1', url: '' });
        }),
      ],
      { limits: { uploadsAtOnce: 2 } },
    );
    sessions.set('token-3', { customerId: 3n, sessionId: 's3' });
    const body = '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nabc\r\n--x--\r\n';
    const head = (token: string) =>
      `POST /api/users/upload HTTP/1.1\r\nhost: x\r\ntoken: ${token}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`;
    const begin = async (token: string) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((done) => socket.write(head(token) + body.slice(0, 20), done));
      // Its answer comes after the earlier bytes on the other socket were handled.
      await ask('GET', '/api/health');
      return socket;
    };
    const holders = [await begin('token-1'), await begin('token-2')];
    for (const waiting of [await begin('token-1'), await begin('token-2'), await begin('token-3')]) {
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
    expect(((await (await late).json()) as EdgeAnswer['body']).ret).toBe(1);
  });

  describe('on slow lines', () => {
    const EVERY_MS = 25;
    const limits = { uploadsAtOnce: 4, uploadMs: 500 };
    const keep = handle(uploadPicture, async ({ file }) => accept({ id: String(file?.bytes.length), url: '' }));

    /** Sends a picture of `size` bytes in pieces of `atATime` bytes. */
    function sendSlowly(url: string, token: string, size: number, atATime: number) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      const start = '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n';
      const end = '\r\n--x--\r\n';
      socket.write(
        `POST /api/users/upload HTTP/1.1\r\nhost: x\r\ntoken: ${token}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${start.length + size + end.length}\r\n\r\n${start}`,
      );
      let left = size;
      const timer = setInterval(() => {
        const now = Math.min(left, atATime);
        left -= now;
        socket.write(Buffer.alloc(now));
        if (left > 0) return;
        clearInterval(timer);
        socket.write(end);
      }, EVERY_MS);
      let said = '';
      const closed = new Promise<void>((done) => {
        socket.on('error', () => undefined);
        socket.on('close', () => {
          clearInterval(timer);
          done();
        });
      });
      const answered = new Promise<string>((done) => {
        socket.on('data', (chunk) => {
          said += chunk.toString();
          done(said);
        });
        void closed.then(() => done(said));
      });
      return { answered, closed, socket };
    }

    it('disconnects a client that sends a byte now and then, even if the client never closes', async () => {
      const { url } = await open([keep], { limits, timeouts: { checkMs: 50 } });
      const drip = sendSlowly(url, 'token-1', 100_000, 1);
      expect(await drip.answered).toMatch(/^HTTP\/1\.1 408/);
      await drip.closed;
    });

    it('lets a slow connection finish within its time', async () => {
      const { url } = await open([keep], { limits: { ...limits, uploadMs: 20_000 }, timeouts: { checkMs: 50 } });
      // About 5 kB per second, as precisely as timers allow.
      const phone = sendSlowly(url, 'token-1', 8_000, 125);
      expect(await phone.answered).toMatch(/"ret":1.*"id":"8000"/s);
      phone.socket.destroy();
    });

    it('serves a customer although four accounts with slow pictures occupy every slot', async () => {
      const { url, sessions } = await open([keep], { limits, timeouts: { checkMs: 50 } });
      for (const n of [3, 4, 5, 6]) sessions.set(`token-${n}`, { customerId: BigInt(n), sessionId: `s${n}` });
      const slow = [3, 4, 5, 6].map((n) => sendSlowly(url, `token-${n}`, 10_000_000, 100));
      for (const { socket } of slow) await new Promise((sent) => socket.write('', sent));
      await ask('GET', '/api/health');
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(50_000)]), 'a.jpg');
      const response = await fetch(`${url}/api/users/upload`, {
        method: 'POST',
        headers: { token: 'token-1' },
        body: form,
      });
      expect(((await response.json()) as EdgeAnswer['body']).data).toMatchObject({ id: '50000' });
      for (const { socket } of slow) socket.destroy();
    });
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
