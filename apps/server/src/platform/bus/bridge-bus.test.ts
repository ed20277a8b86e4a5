import type { OptionOrder } from '@sathorn/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BusEvents } from './bus.ts';
import { decodeEvents, encodeEvent } from './event-wire.ts';
import { type OpenedBus, openBus } from './index.ts';
import { type NatsServer, startNatsServer } from './testing.ts';

describe('an event on the wire', () => {
  it('is decoded to the value that was encoded', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.bigInt(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      fc.date({ noInvalidDate: true }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(leaf, { maxLength: 4 }).map((items) => new Set(items)),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$', 'of', 'toJSON')), tie('value'), { maxKeys: 4 }),
        fc.record({ $: fc.constantFrom('bigint', 'set', 'object', 'date'), of: tie('value') }),
      ),
    }));
    fc.assert(
      fc.property(value, (event) => {
        expect(decodeEvents(encodeEvent(event))).toEqual(event);
      }),
    );
  });

  it('is refused when its value cannot be encoded completely', () => {
    expect(() => encodeEvent({ of: new Map([[1, 2]]) })).toThrow(TypeError);
  });
});

describe('live events of several processes', () => {
  let nats: NatsServer;
  let buses: OpenedBus[];
  beforeAll(async () => {
    nats = await startNatsServer();
    buses = await Promise.all(
      [1, 2, 3].map(() =>
        openBus({
          natsUrl: nats.url,
          onFault: (error) => {
            throw error;
          },
        }),
      ),
    );
  });
  afterAll(async () => {
    for (const bus of buses) await bus.close();
    await nats.close();
  });

  type Heard = { [Name in keyof BusEvents]?: BusEvents[Name][0][] };
  const listen = (): { heard: Heard[]; stop: () => void } => {
    const names = ['funds', 'orders', 'messages', 'book', 'session_ended', 'ticked', 'tickers', 'gap'] as const;
    const heard: Heard[] = buses.map(() => ({}));
    const listeners = buses.flatMap(({ bus }, at) =>
      names.map((name) => {
        const listener = (event: unknown) => {
          const mine = heard[at] as Record<string, unknown[]>;
          mine[name] = [...(mine[name] ?? []), event];
        };
        bus.on(name, listener);
        return () => bus.off(name, listener);
      }),
    );
    return { heard, stop: () => listeners.forEach((stop) => void stop()) };
  };
  const book = (bestBid: string) =>
    ({
      code: 'BTC',
      data: { code: 'BTC', bids: [[bestBid, '1']], asks: [], sequence: '1', at: '' },
    }) satisfies BusEvents['book'][0];

  it('reach every process once, except those that each process emits only to itself', async () => {
    const { heard, stop } = listen();
    const [here] = buses;
    here?.bus.emit('funds', new Set([1n, 2n ** 60n]));
    here?.bus.emit('messages', { owner: 7n, data: { unread: 2 } });
    here?.bus.emitHere('ticked', new Date(0));
    here?.bus.emitHere('tickers', { data: [] });
    here?.bus.emit('session_ended', { sessionId: 'last' });
    await vi.waitFor(() => expect(heard.every((each) => each.session_ended?.length === 1)).toBe(true), 120_000);
    const sent = {
      funds: [new Set([1n, 2n ** 60n])],
      messages: [{ owner: 7n, data: { unread: 2 } }],
      session_ended: [{ sessionId: 'last' }],
    };
    expect(heard).toEqual([{ ...sent, ticked: [new Date(0)], tickers: [{ data: [] }] }, sent, sent]);
    stop();
  });

  it('of one turn arrive together, with owners united and only the last state of a book', async () => {
    const { heard, stop } = listen();
    const [, here] = buses;
    for (let n = 1; n <= 500; n++) {
      here?.bus.emit('funds', new Set([BigInt(n)]));
      here?.bus.emit('book', book(String(n)));
      here?.bus.emit('messages', { owner: BigInt(n), data: { unread: n } });
    }
    here?.bus.emit('session_ended', { sessionId: 'last' });
    await vi.waitFor(() => expect(heard.every((each) => each.session_ended?.length === 1)).toBe(true), 120_000);
    for (const at of [0, 2]) {
      expect(heard[at]?.funds).toEqual([new Set(Array.from({ length: 500 }, (_, n) => BigInt(n + 1)))]);
      expect(heard[at]?.book).toEqual([book('500')]);
      expect(heard[at]?.messages?.map(({ data }) => data.unread)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
    }
    expect(heard[1]?.funds).toHaveLength(500);
    stop();
  });

  it('that exceed the size of a NATS message are sent in several', async () => {
    const { heard, stop } = listen();
    const long = 'ก'.repeat(100_000);
    for (let n = 0; n < 20; n++)
      buses[0]?.bus.emit('orders', { owner: BigInt(n), data: [{ id: long } as OptionOrder] });
    buses[0]?.bus.emit('session_ended', { sessionId: 'last' });
    await vi.waitFor(() => expect(heard.every((each) => each.session_ended?.length === 1)).toBe(true), 120_000);
    expect(heard[1]?.orders?.map(({ owner }) => owner)).toEqual(Array.from({ length: 20 }, (_, n) => BigInt(n)));
    stop();
  });

  it('go on after the server was unavailable', async () => {
    const { heard, stop } = listen();
    await nats.kill();
    // This event is lost: nothing stores it.
    buses[2]?.bus.emit('messages', { owner: 1n, data: { unread: 0 } });
    await nats.start();
    // Each process emits a gap when its connection returns.
    await vi.waitFor(() => expect(heard.every((each) => each.gap?.length)).toBe(true), { timeout: 120_000 });
    expect(heard[0]?.messages).toBeUndefined();
    await vi.waitFor(
      () => {
        buses[2]?.bus.emit('messages', { owner: 1n, data: { unread: 1 } });
        expect(heard[0]?.messages?.length).toBeGreaterThan(0);
        expect(heard[1]?.messages?.length).toBeGreaterThan(0);
      },
      { timeout: 120_000 },
    );
    stop();
  });

  it('stay within the process without a URL', async () => {
    const local = await openBus({ natsUrl: null, onFault: () => undefined });
    const heard: bigint[] = [];
    local.bus.on('messages', ({ owner }) => heard.push(owner));
    local.bus.emit('messages', { owner: 3n, data: { unread: 0 } });
    expect(heard).toEqual([3n]);
    await expect(local.commands.request('nobody', 'id', null)).rejects.toThrow('no process is serving');
    await local.close();
  });
});
