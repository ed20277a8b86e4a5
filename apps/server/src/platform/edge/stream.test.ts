import type { BookView, OptionOrder, TradeView } from '@sathorn/api';
import { describe, expect, it } from 'vitest';
import { connectListener, openTestStream, optionOrderOf, tickerOf } from './testing-stream.ts';

describe('following', () => {
  it('sends a snapshot first, then what changes', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'subscribe', topics: ['tickers', 'candle:BTC:1m', 'candle:BTC:1w'] });
    await listener.until(({ events }) => events.length >= 2);
    expect(listener.events).toEqual([
      { topic: 'tickers', data: [tickerOf('BTC', '1.00'), tickerOf('ETH', '2.00')], snapshot: true },
      {
        topic: 'candle:BTC:1m',
        data: { code: 'BTC', interval: '1m', candle: [1, '1', '1', '1', '1', '3', 0] },
        snapshot: true,
      },
    ]);

    test.bus.emit('tickers', { data: [tickerOf('BTC', '1.01')] });
    test.bus.emit('candle', {
      code: 'BTC',
      interval: '1m',
      data: { code: 'BTC', interval: '1m', candle: [1, '1', '2', '1', '2', '4', 0] },
    });
    test.bus.emit('candle', {
      code: 'ETH',
      interval: '1m',
      data: { code: 'ETH', interval: '1m', candle: [1, '9', '9', '9', '9', '9', 0] },
    });
    await listener.until(({ events }) => events.length >= 4);
    expect(listener.events.slice(2)).toEqual([
      { topic: 'tickers', data: [tickerOf('BTC', '1.01')] },
      { topic: 'candle:BTC:1m', data: { code: 'BTC', interval: '1m', candle: [1, '1', '2', '1', '2', '4', 0] } },
    ]);
  });

  it('sends the latest of each state and every order in one frame', async () => {
    let balance = 0;
    let reads = 0;
    const test = await openTestStream({
      balances: async () => {
        reads += 1;
        return [{ asset: 'USDT', available: String(balance), held: '0' }];
      },
    });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['tickers', 'orders', 'balances'] });
    await listener.until(({ events }) => events.length >= 3);
    expect(reads).toBe(1);
    const before = listener.frames.length;

    for (let n = 1; n <= 50; n += 1) {
      test.bus.emit('tickers', { data: [tickerOf('BTC', `${n}.00`)] });
      test.bus.emit('orders', { owner: 1n, data: [optionOrderOf(`o${n}`)] });
      balance = n;
      test.bus.emit('funds', new Set([1n, 2n]));
    }
    test.bus.emit('orders', { owner: 2n, data: [optionOrderOf('of a stranger')] });
    await listener.until(({ events }) => events.slice(3).some(({ topic }) => topic === 'balances'));
    await listener.settled();
    const frames = listener.frames.slice(before).filter(({ op }) => op === 'event');
    expect(frames.length).toBeLessThanOrEqual(2);
    expect(reads).toBe(2);
    const events = Object.fromEntries(listener.events.slice(3).map(({ topic, data }) => [topic, data]));
    expect(events.tickers).toEqual([tickerOf('BTC', '50.00')]);
    expect((events.orders as OptionOrder[]).map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, n) => `o${n + 1}`),
    );
    expect(events.balances).toEqual([{ asset: 'USDT', available: '50', held: '0' }]);
  });

  it('sends the latest book and every trade', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'subscribe', topics: ['book:BTC', 'trades:BTC'] });
    await listener.until(({ events }) => events.length >= 1);
    const bookOf = (sequence: string): BookView => ({ code: 'BTC', bids: [], asks: [], sequence, at: '' });
    const tradeOf = (id: string): TradeView => ({ id, price: '1', quantity: '1', side: 'buy', house: false, at: '' });
    test.bus.emit('book', { code: 'BTC', data: bookOf('1') });
    test.bus.emit('trades', { code: 'BTC', data: [tradeOf('1'), tradeOf('2')] });
    test.bus.emit('book', { code: 'BTC', data: bookOf('2') });
    test.bus.emit('trades', { code: 'BTC', data: [tradeOf('3')] });
    test.bus.emit('trades', { code: 'ETH', data: [tradeOf('4')] });
    await listener.until(({ events }) => events.length >= 3);
    expect(listener.events.slice(1)).toEqual([
      { topic: 'book:BTC', data: bookOf('2') },
      { topic: 'trades:BTC', data: [tradeOf('1'), tradeOf('2'), tradeOf('3')] },
    ]);
  });

  it('sends the newest of many trades as the state of the trade list', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
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
    test.bus.emit('trades', { code: 'BTC', data: trades.slice(0, 50) });
    await listener.until(({ events }) => events.length === 2);
    for (let n = 50; n < 9_000; n += 1_000) test.bus.emit('trades', { code: 'BTC', data: trades.slice(n, n + 1_000) });
    await listener.until(({ events }) => events.length === 3);
    test.bus.emit('trades', { code: 'BTC', data: [tradeOf(9_002)] });
    await listener.until(({ events }) => events.length === 4);
    expect(listener.events.slice(1)).toEqual([
      { topic: 'trades:BTC', data: trades.slice(0, 50) },
      { topic: 'trades:BTC', data: trades.slice(-50).toReversed(), snapshot: true },
      { topic: 'trades:BTC', data: [tradeOf(9_002)] },
    ]);
  });

  it('resumes with a snapshot, on a new connection and on the same one', async () => {
    let price = '1.00';
    const test = await openTestStream({ tickers: () => [tickerOf('BTC', price)] });
    const first = await connectListener(test);
    first.send({ op: 'subscribe', topics: ['tickers'] });
    await first.until(({ events }) => events.length === 1);
    first.socket.terminate();
    price = '7.00';
    test.bus.emit('tickers', { data: [tickerOf('BTC', price)] });
    const second = await connectListener(test);
    second.send({ op: 'subscribe', topics: ['tickers'] });
    const state = { topic: 'tickers', data: [tickerOf('BTC', '7.00')], snapshot: true };
    expect(await second.until(({ events }) => events[0])).toEqual(state);
    const heard = second.events.length;
    second.send({ op: 'subscribe', topics: ['tickers'] });
    expect(await second.until(({ events }) => events.slice(heard).find(({ snapshot }) => snapshot))).toEqual(state);
  });

  it('reads a public snapshot once for all clients that connect together', async () => {
    let reads = 0;
    const test = await openTestStream({
      tickers: async () => {
        reads += 1;
        return [tickerOf('BTC', '1.00')];
      },
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => connectListener(test)));
    for (const listener of all) listener.send({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(all.map((listener) => listener.until(({ events }) => events.length === 1)));
    expect(reads).toBe(1);
  });

  it('reads a snapshot again when an event overtakes it', async () => {
    let reads = 0;
    const holder: { release?: () => void } = {};
    const test = await openTestStream({
      orders: async () => {
        reads += 1;
        const id = `read ${reads}`;
        if (reads === 1) await new Promise<void>((go) => (holder.release = go));
        return [optionOrderOf(id)];
      },
    });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.some(({ topic }) => topic === 'tickers'));
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('newer')] });
    test.bus.emit('tickers', { data: [tickerOf('BTC', '2.00')] });
    await listener.until(({ events }) => events.some(({ snapshot, topic }) => topic === 'tickers' && !snapshot));
    holder.release?.();
    const found = await listener.until(({ events }) => events.find(({ topic }) => topic === 'orders'));
    expect(found).toEqual({ topic: 'orders', data: [optionOrderOf('read 2')], snapshot: true });
  });

  it('loses no event of a topic that is followed again', async () => {
    let reads = 0;
    const holder: { release?: () => void } = {};
    const test = await openTestStream({
      orders: async () => {
        reads += 1;
        if (reads === 2) await new Promise<void>((go) => (holder.release = go));
        return [optionOrderOf(`read ${reads}`)];
      },
    });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await expect.poll(() => reads).toBe(2);
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('of the moment')] });
    await listener.until(({ events }) => events.length === 2);
    holder.release?.();
    await listener.until(({ events }) => events.length === 3);
    expect(listener.events.slice(1)).toEqual([
      { topic: 'orders', data: [optionOrderOf('of the moment')] },
      { topic: 'orders', data: [optionOrderOf('read 3')], snapshot: true },
    ]);
  });

  it('sends new snapshots after a gap', async () => {
    let [price, holding] = ['1.00', 'first'];
    const test = await openTestStream({
      tickers: () => [tickerOf('BTC', price)],
      orders: async () => [optionOrderOf(holding)],
    });
    const [here, stranger] = [await connectListener(test), await connectListener(test)];
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
      { topic: 'tickers', data: [tickerOf('BTC', '7.00')], snapshot: true },
      { topic: 'orders', data: [optionOrderOf('untold')], snapshot: true },
    ];
    expect(here.events.slice(2)).toEqual(expect.arrayContaining(anew));
    expect(stranger.events[1]).toEqual(anew[0]);
    // Events continue after the snapshot.
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('next')] });
    await here.until(({ events }) =>
      events.some(({ topic, data }) => topic === 'orders' && JSON.stringify(data).includes('next')),
    );
  });

  it('reads a snapshot again when a gap falls into the reading', async () => {
    const reads: PromiseWithResolvers<OptionOrder[]>[] = [];
    const test = await openTestStream({
      orders: () => {
        const read = Promise.withResolvers<OptionOrder[]>();
        reads.push(read);
        return read.promise;
      },
    });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.settled();
    test.bus.emit('gap', new Date());
    // A gap takes effect with the next frame.
    await new Promise((resolve) => setTimeout(resolve, 60));
    reads[0]?.resolve([optionOrderOf('old')]);
    while (reads.length < 2) await new Promise(setImmediate);
    reads[1]?.resolve([optionOrderOf('new')]);
    await listener.until(({ events }) => events.length > 0);
    expect(listener.events).toEqual([{ topic: 'orders', data: [optionOrderOf('new')], snapshot: true }]);
  });

  it('stops on request', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'subscribe', topics: ['tickers', 'candle:BTC:1m'] });
    await listener.until(({ events }) => events.length === 2);
    listener.send({ op: 'unsubscribe', topics: ['tickers', 'never:followed'] });
    await listener.settled();
    test.bus.emit('tickers', { data: [tickerOf('BTC', '9.00')] });
    test.bus.emit('candle', {
      code: 'BTC',
      interval: '1m',
      data: { code: 'BTC', interval: '1m', candle: [2, '1', '1', '1', '1', '1', 0] },
    });
    await listener.until(({ events }) => events.length === 3);
    expect(listener.events[2]?.topic).toBe('candle:BTC:1m');
  });

  it('reports a snapshot that can’t be read, and continues', async () => {
    const test = await openTestStream({
      orders: async () => {
        throw new Error('database is away');
      },
    });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.some(({ topic }) => topic === 'tickers'));
    expect(test.reported).toHaveLength(1);
  });
});

describe('customers', () => {
  it('need a session for customer topics, and get only their own', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
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
    expect(found.data).toEqual([optionOrderOf('held by 2')]);
  });

  it('read notices in their own language, also those that arrive live', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1', lang: 'ar', presentation: 'digits=native;zone=asia/dubai' });
    listener.send({ op: 'subscribe', topics: ['messages'] });
    await listener.until(({ events }) => events.length === 1);
    test.bus.emit('messages', { owner: 1n, data: { unread: 2 } });
    await listener.until(({ events }) => events.length === 2);
    expect(listener.events.map(({ data }) => (data as { latest: { title: string } }).latest.title)).toEqual([
      'title in ar,native,Asia/Dubai',
      'title in ar,native,Asia/Dubai',
    ]);
  });

  it('lose their topics when the session ends, and keep the public ones', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders', 'tickers'] });
    await listener.until(({ events }) => events.length === 2);
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('just before the end')] });
    test.bus.emit('session_ended', { sessionId: 's1' });
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('after the end')] });
    test.bus.emit('tickers', { data: [tickerOf('BTC', '3.00')] });
    await listener.until(({ frames }) => frames.some(({ op }) => op === 'refused'));
    await listener.until(({ events }) => events.length >= 3);
    await listener.settled();
    const after = listener.events.slice(2);
    expect(after.every(({ topic }) => topic === 'tickers')).toBe(true);
  });

  it('lose them too when a session ends elsewhere', async () => {
    const test = await openTestStream({}, { streamLimits: { heartbeatMs: 50 } });
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    test.sessions.delete('token-1');
    await listener.until(({ frames }) =>
      frames.some((frame) => frame.op === 'refused' && frame.code === 'session_required'),
    );
  });

  it('are kept apart when one connection changes its customer', async () => {
    const test = await openTestStream();
    const listener = await connectListener(test);
    listener.send({ op: 'auth', token: 'token-1' });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 1);
    listener.send({ op: 'auth', token: 'token-2' });
    await listener.settled();
    test.bus.emit('orders', { owner: 1n, data: [optionOrderOf('of the one before')] });
    listener.send({ op: 'subscribe', topics: ['orders'] });
    await listener.until(({ events }) => events.length === 2);
    expect(listener.events[1]).toEqual({ topic: 'orders', data: [optionOrderOf('held by 2')], snapshot: true });
  });
});
