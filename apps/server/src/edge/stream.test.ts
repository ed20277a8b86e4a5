import { once } from 'node:events';
import type { BookView, OptionOrder, ServerFrame, Ticker, TradeView } from '@sathorn/api';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { EdgeOptions } from './open-edge.ts';
import type { Snapshots } from './stream-topics.ts';
import { openTestEdge, type TestEdge } from './testing.ts';

type Event = Extract<ServerFrame, { op: 'event' }>['events'][number];

/** A client that keeps what it hears. */
class Listener {
  readonly socket: WebSocket;
  readonly frames: ServerFrame[] = [];
  closedWith: number | null = null;
  #woken: (() => void)[] = [];

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/api/stream`, { headers });
    this.socket.on('message', (bytes: Buffer) => {
      this.frames.push(JSON.parse(bytes.toString()) as ServerFrame);
      this.#wake();
    });
    this.socket.on('close', (code) => {
      this.closedWith = code;
      this.#wake();
    });
    this.socket.on('error', () => this.#wake());
  }

  #wake(): void {
    for (const go of this.#woken.splice(0)) go();
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  get events(): Event[] {
    return this.frames.flatMap((frame) => (frame.op === 'event' ? frame.events : []));
  }

  /** Waits for what is looked for; the test's own time-out ends the wait. */
  async until<Found>(look: (listener: this) => Found | undefined | null | false): Promise<Found> {
    for (;;) {
      const found = look(this);
      if (found) return found;
      await new Promise<void>((go) => this.#woken.push(go));
    }
  }

  /** Answers to everything sent before this have come when it resolves. */
  async settled(): Promise<void> {
    const before = this.frames.filter(({ op }) => op === 'pong').length;
    this.send({ op: 'ping' });
    await this.until(({ frames }) => frames.filter(({ op }) => op === 'pong').length > before);
  }
}

const ticker = (code: string, price: string): Ticker => ({
  code,
  price,
  change_24h: '0',
  sequence: '1',
  at: '2026-11-21T08:00:00.000Z',
  stale: false,
});
const orderOf = (id: string, status: OptionOrder['status'] = 'holding') => ({ id, status }) as OptionOrder;

let edge: TestEdge | undefined;
const listeners: Listener[] = [];
afterEach(async () => {
  for (const { socket } of listeners.splice(0)) socket.terminate();
  await edge?.close();
  edge = undefined;
});

async function open(snapshots: Partial<Snapshots> = {}, options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  edge = await openTestEdge({
    snapshots: {
      tickers: () => [ticker('BTC', '1.00'), ticker('ETH', '2.00')],
      candle: (code, interval) => (interval === '1w' ? null : [1, '1', '1', '1', '1', code.length.toString(), 0]),
      tradesCandle: () => null,
      book: () => null,
      trades: async () => [],
      contracts: async () => [],
      orders: async (owner) => [orderOf(`held by ${owner}`)],
      balances: async () => [{ asset: 'USDT', available: '1.000000', held: '0.000000' }],
      messages: async (_owner, { language, digits, timeZone }) => ({
        unread: 1,
        latest: {
          id: 'm',
          title: `title in ${[language, digits, timeZone].filter(Boolean).join()}`,
          content: '',
          status: 'unread',
          at: '2026-11-21T08:00:00.000Z',
        },
      }),
      ...snapshots,
    },
    ...options,
    streamLimits: { frameEveryMs: 20, ...options.streamLimits },
  });
  return edge;
}

async function connect(test: TestEdge, headers: Record<string, string> = {}): Promise<Listener> {
  const listener = new Listener(test.url, headers);
  listeners.push(listener);
  await listener.until(({ frames }) => frames[0]?.op === 'hello');
  return listener;
}

/** The HTTP status that an upgrade was refused with. */
async function refusedUpgrade(test: TestEdge, path: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`${test.url.replace('http', 'ws')}${path}`, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}

describe('following', () => {
  it('sends a snapshot first, then what changes', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'subscribe', topics: ['tickers', 'candle:BTC:1m', 'candle:BTC:1w'] });
    await listener.until(({ events }) => events.length >= 2);
    expect(listener.events).toEqual([
      { topic: 'tickers', data: [ticker('BTC', '1.00'), ticker('ETH', '2.00')], snapshot: true },
      {
        topic: 'candle:BTC:1m',
        data: { code: 'BTC', interval: '1m', candle: [1, '1', '1', '1', '1', '3', 0] },
        snapshot: true,
      },
    ]);

    test.bus.emit('tickers', [ticker('BTC', '1.01')]);
    test.bus.emit('candle', { code: 'BTC', interval: '1m', candle: [1, '1', '2', '1', '2', '4', 0] });
    test.bus.emit('candle', { code: 'ETH', interval: '1m', candle: [1, '9', '9', '9', '9', '9', 0] });
    await listener.until(({ events }) => events.length >= 4);
    expect(listener.events.slice(2)).toEqual([
      { topic: 'tickers', data: [ticker('BTC', '1.01')] },
      { topic: 'candle:BTC:1m', data: { code: 'BTC', interval: '1m', candle: [1, '1', '2', '1', '2', '4', 0] } },
    ]);
  });

  it('sends of a state the latest in one frame, and every order', async () => {
    let balance = 0;
    let reads = 0;
    const test = await open({
      balances: async () => {
        reads += 1;
        return [{ asset: 'USDT', available: String(balance), held: '0' }];
      },
    });
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['tickers', 'orders', 'balances'] });
    await listener.until(({ events }) => events.length >= 3);
    expect(reads).toBe(1);
    const before = listener.frames.length;

    for (let n = 1; n <= 50; n += 1) {
      test.bus.emit('tickers', [ticker('BTC', `${n}.00`)]);
      test.bus.emit('order', { owner: 1n, order: orderOf(`o${n}`) });
      balance = n;
      test.bus.emit('funds', new Set([1n, 2n]));
    }
    test.bus.emit('order', { owner: 2n, order: orderOf('of a stranger') });
    await listener.until(({ events }) => events.slice(3).some(({ topic }) => topic === 'balances'));
    await listener.settled();
    const frames = listener.frames.slice(before).filter(({ op }) => op === 'event');
    expect(frames.length).toBeLessThanOrEqual(2);
    expect(reads).toBe(2);
    const events = Object.fromEntries(listener.events.slice(3).map(({ topic, data }) => [topic, data]));
    expect(events.tickers).toEqual([ticker('BTC', '50.00')]);
    expect((events.orders as OptionOrder[]).map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, n) => `o${n + 1}`),
    );
    expect(events.balances).toEqual([{ asset: 'USDT', available: '50', held: '0' }]);
  });

  it('sends the latest book and every trade', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'subscribe', topics: ['book:BTC', 'trades:BTC'] });
    await listener.until(({ events }) => events.length >= 1);
    const bookOf = (sequence: string): BookView => ({ code: 'BTC', bids: [], asks: [], sequence, at: '' });
    const tradeOf = (id: string): TradeView => ({ id, price: '1', quantity: '1', side: 'buy', house: false, at: '' });
    test.bus.emit('book', bookOf('1'));
    test.bus.emit('trades', { code: 'BTC', trades: [tradeOf('1'), tradeOf('2')] });
    test.bus.emit('book', bookOf('2'));
    test.bus.emit('trades', { code: 'BTC', trades: [tradeOf('3')] });
    test.bus.emit('trades', { code: 'ETH', trades: [tradeOf('4')] });
    await listener.until(({ events }) => events.length >= 3);
    expect(listener.events.slice(1)).toEqual([
      { topic: 'book:BTC', data: bookOf('2') },
      { topic: 'trades:BTC', data: [tradeOf('1'), tradeOf('2'), tradeOf('3')] },
    ]);
  });

  it('sends the newest of many trades as the state of the tape', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'subscribe', topics: ['trades:BTC'] });
    await listener.until(({ events }) => events.length === 1);
    const tradeOf = (n: number): TradeView => ({
      id: `BTC-${n}`,
      price: '1',
      quantity: '1',
      side: 'buy',
      house: false,
      at: '',
    });
    const trades = Array.from({ length: 9_001 }, (_, n) => tradeOf(n + 1));
    test.bus.emit('trades', { code: 'BTC', trades: trades.slice(0, 50) });
    await listener.until(({ events }) => events.length === 2);
    for (let n = 50; n < 9_000; n += 1_000)
      test.bus.emit('trades', { code: 'BTC', trades: trades.slice(n, n + 1_000) });
    await listener.until(({ events }) => events.length === 3);
    test.bus.emit('trades', { code: 'BTC', trades: [tradeOf(9_002)] });
    await listener.until(({ events }) => events.length === 4);
    expect(listener.events.slice(1)).toEqual([
      { topic: 'trades:BTC', data: trades.slice(0, 50) },
      { topic: 'trades:BTC', data: trades.slice(-50).toReversed(), snapshot: true },
      { topic: 'trades:BTC', data: [tradeOf(9_002)] },
    ]);
  });

  it('resumes with a snapshot, on a new connection as on this one', async () => {
    let price = '1.00';
    const test = await open({ tickers: () => [ticker('BTC', price)] });
    const first = await connect(test);
    first.send({ op: 'subscribe', topics: ['tickers'] });
    await first.until(({ events }) => events.length === 1);
    first.socket.terminate();
    price = '7.00';
    test.bus.emit('tickers', [ticker('BTC', price)]);
    const second = await connect(test);
    second.send({ op: 'subscribe', topics: ['tickers'] });
    const state = { topic: 'tickers', data: [ticker('BTC', '7.00')], snapshot: true };
    expect(await second.until(({ events }) => events[0])).toEqual(state);
    const heard = second.events.length;
    second.send({ op: 'subscribe', topics: ['tickers'] });
    expect(await second.until(({ events }) => events.slice(heard).find(({ snapshot }) => snapshot))).toEqual(state);
  });

  it('reads a public snapshot once for all who come together', async () => {
    let reads = 0;
    const test = await open({
      tickers: async () => {
        reads += 1;
        return [ticker('BTC', '1.00')];
      },
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => connect(test)));
    for (const listener of all) listener.send({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(all.map((listener) => listener.until(({ events }) => events.length === 1)));
    expect(reads).toBe(1);
  });

  it('reads a snapshot again when an event overtakes it', async () => {
    let reads = 0;
    const holder: { release?: () => void } = {};
    const test = await open({
      orders: async () => {
        reads += 1;
        const id = `read ${reads}`;
        if (reads === 1) await new Promise<void>((go) => (holder.release = go));
        return [orderOf(id)];
      },
    });
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.some(({ topic }) => topic === 'tickers'));
    test.bus.emit('order', { owner: 1n, order: orderOf('newer') });
    test.bus.emit('tickers', [ticker('BTC', '2.00')]);
    await listener.until(({ events }) => events.some(({ snapshot, topic }) => topic === 'tickers' && !snapshot));
    holder.release?.();
    const found = await listener.until(({ events }) => events.find(({ topic }) => topic === 'orders'));
    expect(found).toEqual({ topic: 'orders', data: [orderOf('read 2')], snapshot: true });
  });

  it('begins anew with what is true when something may have gone untold', async () => {
    let [price, holding] = ['1.00', 'first'];
    const test = await open({
      tickers: () => [ticker('BTC', price)],
      orders: async () => [orderOf(holding)],
    });
    const [here, stranger] = [await connect(test), await connect(test)];
    here.send({ op: 'auth', token: 'token-1' });
    here.send({ op: 'subscribe', topics: ['tickers', 'orders'] });
    stranger.send({ op: 'subscribe', topics: ['tickers'] });
    await here.until(({ events }) => events.length === 2);
    await stranger.until(({ events }) => events.length === 1);
    [price, holding] = ['7.00', 'untold'];
    test.bus.emit('gap', new Date());
    await here.until(({ events }) => events.length === 4);
    await stranger.until(({ events }) => events.length === 2);
    const anew = [
      { topic: 'tickers', data: [ticker('BTC', '7.00')], snapshot: true },
      { topic: 'orders', data: [orderOf('untold')], snapshot: true },
    ];
    expect(here.events.slice(2)).toEqual(expect.arrayContaining(anew));
    expect(stranger.events[1]).toEqual(anew[0]);
    // And goes on with events.
    test.bus.emit('order', { owner: 1n, order: orderOf('next') });
    await here.until(({ events }) =>
      events.some(({ topic, data }) => topic === 'orders' && JSON.stringify(data).includes('next')),
    );
  });

  it('reads again what was being read when something went untold', async () => {
    const reads: PromiseWithResolvers<OptionOrder[]>[] = [];
    const test = await open({
      orders: () => {
        const read = Promise.withResolvers<OptionOrder[]>();
        reads.push(read);
        return read.promise;
      },
    });
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.settled();
    test.bus.emit('gap', new Date());
    // A gap is heard at the next frame.
    await new Promise((resolve) => setTimeout(resolve, 60));
    reads[0]?.resolve([orderOf('old')]);
    while (reads.length < 2) await new Promise(setImmediate);
    reads[1]?.resolve([orderOf('new')]);
    await listener.until(({ events }) => events.length > 0);
    expect(listener.events).toEqual([{ topic: 'orders', data: [orderOf('new')], snapshot: true }]);
  });

  it('stops when asked', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'subscribe', topics: ['tickers', 'candle:BTC:1m'] });
    await listener.until(({ events }) => events.length === 2);
    listener.send({ op: 'unsubscribe', topics: ['tickers', 'never:followed'] });
    await listener.settled();
    test.bus.emit('tickers', [ticker('BTC', '9.00')]);
    test.bus.emit('candle', { code: 'BTC', interval: '1m', candle: [2, '1', '1', '1', '1', '1', 0] });
    await listener.until(({ events }) => events.length === 3);
    expect(listener.events[2]?.topic).toBe('candle:BTC:1m');
  });

  it('reports a snapshot that can’t be read, and goes on', async () => {
    const test = await open({
      orders: async () => {
        throw new Error('database is away');
      },
    });
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.some(({ topic }) => topic === 'tickers'));
    expect(test.reported).toHaveLength(1);
  });
});

describe('customers', () => {
  it('need a session for what is theirs, and get only that', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'subscribe', topics: ['orders'] });
    listener.send({ op: 'auth', token: 'made-up' });
    await listener.until(({ frames }) => frames.length === 3);
    expect(listener.frames.slice(1)).toEqual([
      { op: 'refused', code: 'session_required', topic: 'orders' },
      { op: 'refused', code: 'session_required' },
    ]);
    listener.send({ op: 'auth', token: 'token-2' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    const found = await listener.until(({ events }) => events[0]);
    expect(found.data).toEqual([orderOf('held by 2')]);
  });

  it('read notices in their own language, also when one comes', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1', lang: 'ar', presentation: 'digits=native;zone=asia/dubai' });
    listener.send({ op: 'subscribe', topics: ['messages'] });
    await listener.until(({ events }) => events.length === 1);
    test.bus.emit('message', { owner: 1n, unread: 2 });
    await listener.until(({ events }) => events.length === 2);
    expect(listener.events.map(({ data }) => (data as { latest: { title: string } }).latest.title)).toEqual([
      'title in ar,native,Asia/Dubai',
      'title in ar,native,Asia/Dubai',
    ]);
  });

  it('lose their topics when the session ends, and keep the public ones', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.length === 2);
    test.bus.emit('order', { owner: 1n, order: orderOf('just before the end') });
    test.bus.emit('session_ended', { sessionId: 's1' });
    test.bus.emit('order', { owner: 1n, order: orderOf('after the end') });
    test.bus.emit('tickers', [ticker('BTC', '3.00')]);
    await listener.until(({ frames }) => frames.some(({ op }) => op === 'refused'));
    await listener.until(({ events }) => events.length >= 3);
    await listener.settled();
    const after = listener.events.slice(2);
    expect(after.every(({ topic }) => topic === 'tickers')).toBe(true);
  });

  it('lose them too when a session ends elsewhere', async () => {
    const test = await open({}, { streamLimits: { heartbeatMs: 50 } });
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    test.sessions.delete('token-1');
    await listener.until(({ frames }) =>
      frames.some((frame) => frame.op === 'refused' && frame.code === 'session_required'),
    );
  });

  it('are told apart when one connection changes its customer', async () => {
    const test = await open();
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    listener.send({ op: 'auth', token: 'token-2' });
    await listener.settled();
    test.bus.emit('order', { owner: 1n, order: orderOf('of the one before') });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 2);
    expect(listener.events[1]).toEqual({ topic: 'orders', data: [orderOf('held by 2')], snapshot: true });
  });
});

describe('limits', () => {
  it.each(['candle:BTC:2m', 'candle:XXX:1m', 'candle:BTC:1m:x', 'tickers ', '', '__proto__', 'constructor'])(
    'knows no topic %j',
    async (topic) => {
      const listener = await connect(await open());
      listener.send({ op: 'subscribe', topics: [topic] });
      expect(await listener.until(({ frames }) => frames[1])).toEqual({ op: 'refused', code: 'topic_unknown', topic });
    },
  );

  it('follows so many topics and no more', async () => {
    const listener = await connect(await open({}, { streamLimits: { topics: 2 } }));
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
  ])('lets go who sends %s', async (_name, bytes, code) => {
    const test = await open();
    const listener = await connect(test);
    listener.socket.send(bytes);
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(code);
    expect(test.reported).toEqual([]);
  });

  it('asks the rooms one question at a time for a customer, however many connections of theirs ask', async () => {
    let underWay = 0;
    let most = 0;
    const reads = new Map<bigint, number>();
    const test = await open({
      orders: async (owner) => {
        reads.set(owner, (reads.get(owner) ?? 0) + 1);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay -= 1;
        return [orderOf(`held by ${owner}`)];
      },
    });
    const connected = await Promise.all(Array.from({ length: 40 }, () => connect(test)));
    for (const listener of connected) {
      listener.send({ op: 'auth', token: 'token-1' });
      for (let n = 0; n < 3; n++) listener.send({ op: 'subscribe', topics: ['orders', 'orders', 'orders'] });
    }
    for (const listener of connected) await listener.until(({ events }) => events.length > 0);
    expect(most).toBe(1);
    expect(reads.get(1n)).toBeLessThan(10);
    expect(connected.every(({ events }) => JSON.stringify(events[0]?.data).includes('held by 1'))).toBe(true);
  });

  it('lets go who talks too much', async () => {
    const listener = await connect(await open({}, { streamLimits: { framesPerSecond: 5 } }));
    for (let n = 0; n < 6; n += 1) listener.send({ op: 'ping' });
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1008);
  });

  it('opens so many for one address, and again when one has left', async () => {
    const test = await open({}, { streamLimits: { clientsPerAddress: 2 } });
    const first = await connect(test);
    await connect(test);
    expect(await refusedUpgrade(test, '/api/stream')).toBe(429);
    first.socket.close();
    await first.until(({ closedWith }) => closedWith !== null);
    await connect(test);
  });

  it('counts the addresses of one IPv6 line as one', async () => {
    const test = await open({}, { proxyHops: 1, streamLimits: { clientsPerAddress: 2 } });
    await connect(test, { 'x-forwarded-for': '2001:db8::1' });
    await connect(test, { 'x-forwarded-for': '2001:db8::2' });
    expect(await refusedUpgrade(test, '/api/stream', { 'x-forwarded-for': '2001:db8::3' })).toBe(429);
    await connect(test, { 'x-forwarded-for': '2001:db8:0:1::1' });
  });

  it('does not follow anything for who left while a sign-in before it was looked up', async () => {
    let reads = 0;
    const lookedUp: (() => void)[] = [];
    const test = await open(
      {
        tickers: () => {
          reads += 1;
          return [];
        },
      },
      { sessions: { resolve: () => new Promise((resolve) => lookedUp.push(() => resolve(null))) } },
    );
    const [gone, there] = [await connect(test), await connect(test)];
    gone.send({ op: 'auth', token: 'slow' });
    gone.send({ op: 'subscribe', topics: ['tickers'] });
    while (lookedUp.length === 0) await there.settled();
    gone.socket.terminate();
    await gone.until(({ closedWith }) => closedWith !== null);
    // Until the server has heard of it too.
    for (let n = 0; n < 3; n += 1) await there.settled();
    for (const go of lookedUp) go();
    await there.settled();
    expect(reads).toBe(0);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['another site', '/api/stream', { origin: 'https://evil.example' }, 403],
    ['another site, in the browser’s word', '/api/stream', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sandboxed frame', '/api/stream', { origin: 'null' }, 403],
    // Nobody's proxy says so here.
    ['a made-up host', '/api/stream', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }, 403],
    ['another path', '/api/other', {}, 404],
  ])('refuses an upgrade for %s', async (_name, path, headers, status) => {
    const test = await open();
    expect(await refusedUpgrade(test, path, headers)).toBe(status);
  });

  it('lets go who does not answer its heartbeat', async () => {
    const test = await open({}, { streamLimits: { heartbeatMs: 30 } });
    const listener = new Listener(test.url);
    listeners.push(listener);
    (listener.socket as unknown as { _autoPong: boolean })._autoPong = false;
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1006);
  });

  it('a slow reader gets the latest state instead of its backlog, and no memory of ours', async () => {
    const long = 'x'.repeat(20_000);
    const test = await open(
      { orders: async () => [orderOf('the state now')] },
      { streamLimits: { unsentBytes: 100_000 } },
    );
    const listener = await connect(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    const quick = await connect(test);
    quick.send({ op: 'auth', token: 'token-1' });
    quick.send({ op: 'subscribe', topics: ['orders'] });
    await quick.until(({ events }) => events.length === 1);

    listener.socket.pause();
    // Enough to fill the kernel's buffers on the way as well.
    const sent = 1_500;
    for (let n = 0; n < sent; n += 1) {
      test.bus.emit('order', { owner: 1n, order: orderOf(`${n} ${long}`) });
      if (n % 10 === 9) {
        const heard = quick.events.length;
        await quick.until(({ events }) => events.length > heard);
      }
    }
    listener.socket.resume();
    const last = await listener.until(({ events }) => events.slice(1).find(({ snapshot }) => snapshot));
    expect(last.data).toEqual([orderOf('the state now')]);
    const ordersHeard = listener.events
      .filter(({ snapshot }) => !snapshot)
      .flatMap(({ data }) => data as OptionOrder[]);
    expect(ordersHeard.length).toBeLessThan(sent);
    expect(quick.events.filter(({ snapshot }) => !snapshot).flatMap(({ data }) => data as OptionOrder[])).toHaveLength(
      sent,
    );
  });

  it('says goodbye when the server stops', async () => {
    const test = await open();
    const listener = await connect(test);
    await test.close();
    edge = undefined;
    await listener.until(({ closedWith }) => closedWith !== null);
    expect(listener.closedWith).toBe(1001);
  });
});
