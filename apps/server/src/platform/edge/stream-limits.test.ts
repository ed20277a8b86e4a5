import type { OptionOrder } from '@sathorn/api';
import { describe, expect, it } from 'vitest';
import { connectListener, openTestStream, optionOrderOf, refusedUpgrade, StreamListener } from './testing-stream.ts';

describe('limits of the stream', () => {
  it.each(['candle:BTC:2m', 'candle:XXX:1m', 'candle:BTC:1m:x', 'tickers ', '', '__proto__', 'constructor'])(
    'rejects topic %j',
    async (topic) => {
      const listener = await connectListener(await openTestStream());
      listener.send({ op: 'subscribe', topics: [topic] });
      expect(await listener.until(({ frames }) => frames[1])).toEqual({ op: 'refused', code: 'topic_unknown', topic });
    },
  );

  it('limits the topics of one connection', async () => {
    const listener = await connectListener(await openTestStream({}, { streamLimits: { topics: 2 } }));
    listener.send({ op: 'subscribe', topics: ['tickers', 'candle:BTC:1m', 'candle:BTC:1m', 'candle:ETH:1m'] });
    const refused = await listener.until(({ frames }) => frames.find(({ op }) => op === 'refused'));
    expect(refused).toEqual({ op: 'refused', code: 'too_many_topics', topic: 'candle:ETH:1m' });
    await listener.until(({ events }) => events.length === 2);
  });

  it.each<[string, string | Buffer, number]>([
    ['no JSON', 'hello', 1007],
    ['an unknown op', '{"op":"sudo"}', 1007],
    ['topics that are no list', '{"op":"subscribe","topics":"tickers"}', 1007],
    ['100 topics', JSON.stringify({ op: 'subscribe', topics: Array(100).fill('tickers') }), 1007],
    ['deep JSON', '['.repeat(3_000), 1007],
    ['a binary frame', Buffer.from([1, 2, 3]), 1007],
    ['too much', 'x'.repeat(10_000), 1009],
  ])('disconnects a client that sends %s', async (_name, bytes, code) => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.socket.send(bytes);
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(code);
    expect(test.reported).toEqual([]);
  });

  it('reads one snapshot at a time per customer, however many connections ask', async () => {
    let underWay = 0;
    let most = 0;
    const reads = new Map<bigint, number>();
    const test = await openTestStream({
      orders: async (owner) => {
        reads.set(owner, (reads.get(owner) ?? 0) + 1);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay -= 1;
        return [optionOrderOf(`held by ${owner}`)];
      },
    });
    const connected = await Promise.all(Array.from({ length: 40 }, () => connectListener(test)));
    for (const listener of connected) {
      listener.send({ op: 'auth', token: 'token-1' });
      for (let n = 0; n < 3; n++) listener.send({ op: 'subscribe', topics: ['orders', 'orders', 'orders'] });
    }
    for (const listener of connected) await listener.until(({ events }) => events.length > 0);
    expect(most).toBe(1);
    expect(reads.get(1n)).toBeLessThan(10);
    expect(connected.every(({ events }) => JSON.stringify(events[0]?.data).includes('held by 1'))).toBe(true);
  });

  it('disconnects a client that sends too much', async () => {
    const listener = await connectListener(await openTestStream({}, { streamLimits: { framesPerSecond: 5 } }));
    for (let n = 0; n < 6; n += 1) listener.send({ op: 'ping' });
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1008);
  });

  it('limits the connections of one address, and accepts another when one has left', async () => {
    const test = await openTestStream({}, { streamLimits: { clientsPerAddress: 2 } });
    const first = await connectListener(test);
    await connectListener(test);
    expect(await refusedUpgrade(test, '/api/stream')).toBe(429);
    first.socket.close();
    await first.until(({ closedWith }) => closedWith !== null);
    await connectListener(test);
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const test = await openTestStream({}, { proxyHops: 1, streamLimits: { clientsPerAddress: 2 } });
    await connectListener(test, { 'x-forwarded-for': '2001:db8::1' });
    await connectListener(test, { 'x-forwarded-for': '2001:db8::2' });
    expect(await refusedUpgrade(test, '/api/stream', { 'x-forwarded-for': '2001:db8::3' })).toBe(429);
    await connectListener(test, { 'x-forwarded-for': '2001:db8:0:1::1' });
  });

  it('adds no follower for a client that left while its sign-in was looked up', async () => {
    let reads = 0;
    const lookedUp: (() => void)[] = [];
    const test = await openTestStream(
      {
        tickers: () => {
          reads += 1;
          return [];
        },
      },
      { sessions: { resolve: () => new Promise((resolve) => lookedUp.push(() => resolve(null))) } },
    );
    const [gone, there] = [await connectListener(test), await connectListener(test)];
    gone.send({ op: 'auth', token: 'slow' });
    gone.send({ op: 'subscribe', topics: ['tickers'] });
    while (lookedUp.length === 0) await there.settled();
    gone.socket.terminate();
    await gone.until(({ closedWith }) => closedWith !== null);
    // Waits until the server has also counted them.
    for (let n = 0; n < 3; n += 1) await there.settled();
    for (const go of lookedUp) go();
    await there.settled();
    expect(reads).toBe(0);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['another site', '/api/stream', { origin: 'https://evil.example' }, 403],
    ['another site, in the browser’s word', '/api/stream', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sandboxed frame', '/api/stream', { origin: 'null' }, 403],
    // No proxy is trusted here, so the header is ignored.
    ['a made-up host', '/api/stream', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }, 403],
    ['another path', '/api/other', {}, 404],
  ])('refuses an upgrade for %s', async (_name, path, headers, status) => {
    const test = await openTestStream();
    expect(await refusedUpgrade(test, path, headers)).toBe(status);
  });

  it('disconnects a client that does not answer the heartbeat', async () => {
    const test = await openTestStream({}, { streamLimits: { heartbeatMs: 30 } });
    const listener = new StreamListener(test.url);
    (listener.socket as unknown as { _autoPong: boolean })._autoPong = false;
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1006);
  });

  it('a slow reader gets the latest state instead of its backlog, and its backlog uses no memory of ours', async () => {
    const long = 'x'.repeat(20_000);
    const test = await openTestStream(
      { orders: async () => [optionOrderOf('the state now')] },
      { streamLimits: { unsentBytes: 100_000 } },
    );
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    const quick = await connectListener(test);
    quick.send({ op: 'auth', token: 'token-1' });
    quick.send({ op: 'subscribe', topics: ['orders'] });
    await quick.until(({ events }) => events.length === 1);

    listener.socket.pause();
    // The number of events that fills the kernel's buffers too.
    const sent = 1_500;
    for (let n = 0; n < sent; n += 1) {
      test.bus.emit('orders', { owner: 1n, data: [optionOrderOf(`${n} ${long}`)] });
      if (n % 10 === 9) {
        const heard = quick.events.length;
        await quick.until(({ events }) => events.length > heard);
      }
    }
    listener.socket.resume();
    const last = await listener.until(({ events }) => events.slice(1).find(({ snapshot }) => snapshot));
    expect(last.data).toEqual([optionOrderOf('the state now')]);
    const ordersHeard = listener.events
      .filter(({ snapshot }) => !snapshot)
      .flatMap(({ data }) => data as OptionOrder[]);
    expect(ordersHeard.length).toBeLessThan(sent);
    expect(quick.events.filter(({ snapshot }) => !snapshot).flatMap(({ data }) => data as OptionOrder[])).toHaveLength(
      sent,
    );
  });

  it('says goodbye when the server stops', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    await test.close();
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1001);
  });
});
