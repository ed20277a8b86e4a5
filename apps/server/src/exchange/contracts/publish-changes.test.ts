import type { BookView } from '@sathorn/api';
import { type CoinCode, parseMoney, parsePrice, price } from '@sathorn/money';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bus, openBus } from '../../platform/bus/index.ts';
import { startNatsServer } from '../../platform/bus/testing.ts';
import { BOOK_REPUBLISH_EVERY_MS, ReceivedBooks } from './book-view.ts';
import { CoinBook, type NewOrder, type TradeRow } from './coin-book.ts';
import { ChangePublisher } from './publish-changes.ts';

describe('updates of a book', () => {
  const startMs = Date.parse('2036-12-01T03:00:00Z');
  const order: NewOrder = {
    customer: 1n,
    journal: 'j',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    postOnly: false,
    fees: { makerBps: 10, takerBps: 15 },
    available: 1_000_000_000n,
    atMs: startMs,
    limit: parsePrice('50000') as NewOrder['limit'],
    size: parseMoney('BTC', '0.01') as NewOrder['size'],
  };
  let ending = new AbortController();
  let [book, received, published, nowMs] = [new CoinBook('BTC'), new ReceivedBooks(), [] as BookView[], startMs];
  let publisher: ChangePublisher;
  let isOurs = true;

  beforeEach(() => {
    isOurs = true;
    vi.useFakeTimers();
    ending = new AbortController();
    [book, received, published, nowMs] = [new CoinBook('BTC'), new ReceivedBooks(), [], startMs];
    book.restore({ sequence: 0, trades: 0 }, []);
    const clock = { now: () => new Date(nowMs) };
    const bus = new Bus();
    bus.on('book', ({ data: view }) => {
      published.push(view);
      received.put(view, clock.now());
    });
    const bookOf = (coin: CoinCode) => (coin === 'BTC' ? book : undefined);
    publisher = new ChangePublisher({ bus, clock, bookOf, received });
    void publisher.run(ending.signal, () => isOurs);
  });
  afterEach(() => {
    ending.abort();
    vi.useRealTimers();
  });

  it('contain only committed changes, published as soon as they are committed', () => {
    expect(book.place(order)).toMatchObject({ ok: true });
    vi.advanceTimersByTime(2 * BOOK_REPUBLISH_EVERY_MS);
    expect(published).toEqual([]);
    book.rollback();
    vi.advanceTimersByTime(BOOK_REPUBLISH_EVERY_MS);
    expect(published.at(-1)).toMatchObject({ sequence: '0', bids: [] });

    book.place(order);
    vi.advanceTimersByTime(BOOK_REPUBLISH_EVERY_MS);
    expect(published.at(-1)).toMatchObject({ sequence: '0' });
    const changes = book.changes();
    book.commit();
    publisher.publish(changes === null ? [] : [changes]);
    expect(published.at(-1)).toMatchObject({ sequence: '1', bids: [['50000.00', '0.01000000']] });
  });

  it('include a book that has just become empty, also when all books are published again', () => {
    vi.advanceTimersByTime(BOOK_REPUBLISH_EVERY_MS - 1);
    book.place(order);
    const changes = book.changes();
    book.commit();
    publisher.publish(changes === null ? [] : [changes]);
    isOurs = false;
    ending.abort();
    expect(published.at(-1)).toMatchObject({ sequence: '1' });
  });

  it('are not published by a process that has received a later state: another matches the coin now', () => {
    received.put({ code: 'BTC', bids: [], asks: [], sequence: '1', at: '' }, new Date(nowMs));
    vi.advanceTimersByTime(2 * BOOK_REPUBLISH_EVERY_MS);
    expect(published).toEqual([]);
    // Once the other process has been silent long enough, this process's own book is published again.
    nowMs += 7_000;
    vi.advanceTimersByTime(BOOK_REPUBLISH_EVERY_MS);
    expect(published).toMatchObject([{ sequence: '0' }]);
  });

  it('become stale after a while without a new one, also if a clock was set back', () => {
    expect(received.isStale('BTC', new Date(nowMs))).toBe(true);
    received.put({ code: 'BTC', bids: [], asks: [], sequence: '1', at: '' }, new Date(nowMs));
    const stale = [6_000, 6_001, -3_600_000].map((ms) => received.isStale('BTC', new Date(nowMs + ms)));
    expect(stale).toEqual([false, true, true]);
  });
});

describe('the trades of a batch', () => {
  it('reach other processes, however many trades there are', async () => {
    const nats = await startNatsServer();
    const faults: unknown[] = [];
    const open = () => openBus({ natsUrl: nats.url, onFault: (error) => faults.push(error) });
    const [here, there] = [await open(), await open()];
    const received: string[] = [];
    there.bus.on('trades', ({ data }) => received.push(...data.map(({ id }) => id)));
    const trade: TradeRow = {
      coin: 'BTC',
      number: 0,
      price: price(60_000_000_000n),
      quantity: 2_000n,
      amount: 1_200_000n,
      takerSide: 'buy',
      makerSequence: 1,
      takerSequence: 2,
      makerCustomer: 1n,
      takerCustomer: 2n,
      makerFee: 1n,
      takerFee: 1n,
      atMs: Date.parse('2036-12-01T03:00:00Z'),
    };
    const newTrades = Array.from({ length: 9_000 }, (_, n) => ({ ...trade, number: 1_000_001 + n }));
    const clock = { now: () => new Date(trade.atMs) };
    const publisher = new ChangePublisher({
      bus: here.bus,
      clock,
      bookOf: () => undefined,
      received: new ReceivedBooks(),
    });
    publisher.publish([
      {
        coin: 'BTC',
        before: 0,
        sequence: 1,
        trades: 1_009_000,
        inserted: [],
        updated: [],
        newTrades,
        waitingInserted: [],
        waitingUpdated: [],
      },
    ]);
    await vi.waitFor(() => expect(received.at(-1)).toBe('BTC-1009000'), 120_000);
    expect(received).toHaveLength(9_000);
    for (const { close } of [here, there]) await close();
    await nats.close();
    expect(faults).toEqual([]);
  });
});
