import type { BookView } from '@sathorn/api';
import { type CoinCode, parseMoney, parsePrice, price } from '@sathorn/money';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bus, openBus } from '../bus/index.ts';
import { startNatsServer } from '../bus/testing.ts';
import { HeardBooks, TELL_EVERY_MS } from './book-view.ts';
import { CoinBook, type NewOrder, type TradeRow } from './coin-book.ts';
import { ChangesTeller } from './tell-changes.ts';

describe('updates of a book', () => {
  const startMs = Date.parse('2026-12-01T03:00:00Z');
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
  let [book, heard, told, nowMs] = [new CoinBook('BTC'), new HeardBooks(), [] as BookView[], startMs];
  let teller: ChangesTeller;
  let isOurs = true;

  beforeEach(() => {
    isOurs = true;
    vi.useFakeTimers();
    ending = new AbortController();
    [book, heard, told, nowMs] = [new CoinBook('BTC'), new HeardBooks(), [], startMs];
    book.restore({ sequence: 0, trades: 0 }, []);
    const clock = { now: () => new Date(nowMs) };
    const bus = new Bus();
    bus.on('book', ({ data: view }) => {
      told.push(view);
      heard.hear(view, clock.now());
    });
    const bookOf = (coin: CoinCode) => (coin === 'BTC' ? book : undefined);
    teller = new ChangesTeller({ bus, clock, bookOf, heard });
    void teller.run(ending.signal, () => isOurs);
  });
  afterEach(() => {
    ending.abort();
    vi.useRealTimers();
  });

  it('contain only committed changes, published as soon as they are', () => {
    expect(book.place(order)).toMatchObject({ ok: true });
    vi.advanceTimersByTime(2 * TELL_EVERY_MS);
    expect(told).toEqual([]);
    book.rollback();
    vi.advanceTimersByTime(TELL_EVERY_MS);
    expect(told.at(-1)).toMatchObject({ sequence: '0', bids: [] });

    book.place(order);
    vi.advanceTimersByTime(TELL_EVERY_MS);
    expect(told.at(-1)).toMatchObject({ sequence: '0' });
    const changes = book.changes();
    book.commit();
    teller.tell(changes === null ? [] : [changes]);
    expect(told.at(-1)).toMatchObject({ sequence: '1', bids: [['50000.00', '0.01000000']] });
  });

  it('include a book that has just ended, also when all books are due and none is left', () => {
    vi.advanceTimersByTime(TELL_EVERY_MS - 1);
    book.place(order);
    const changes = book.changes();
    book.commit();
    teller.tell(changes === null ? [] : [changes]);
    isOurs = false;
    ending.abort();
    expect(told.at(-1)).toMatchObject({ sequence: '1' });
  });

  it('are not published by a process that has received a later state: another matches the coin now', () => {
    heard.hear({ code: 'BTC', bids: [], asks: [], sequence: '1', at: '' }, new Date(nowMs));
    vi.advanceTimersByTime(2 * TELL_EVERY_MS);
    expect(told).toEqual([]);
    // Once the other process has been silent for long enough, this process's own book is published again.
    nowMs += 7_000;
    vi.advanceTimersByTime(TELL_EVERY_MS);
    expect(told).toMatchObject([{ sequence: '0' }]);
  });

  it('are stale after a while without any, also by a clock that was set back', () => {
    expect(heard.isStale('BTC', new Date(nowMs))).toBe(true);
    heard.hear({ code: 'BTC', bids: [], asks: [], sequence: '1', at: '' }, new Date(nowMs));
    const stale = [6_000, 6_001, -3_600_000].map((ms) => heard.isStale('BTC', new Date(nowMs + ms)));
    expect(stale).toEqual([false, true, true]);
  });
});

describe('the trades of a batch', () => {
  it('reach other processes however many they are', async () => {
    const nats = await startNatsServer();
    const faults: unknown[] = [];
    const open = () => openBus({ natsUrl: nats.url, onFault: (error) => faults.push(error) });
    const [here, there] = [await open(), await open()];
    const heard: string[] = [];
    there.bus.on('trades', ({ data }) => heard.push(...data.map(({ id }) => id)));
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
      atMs: Date.parse('2026-12-01T03:00:00Z'),
    };
    const newTrades = Array.from({ length: 9_000 }, (_, n) => ({ ...trade, number: 1_000_001 + n }));
    const clock = { now: () => new Date(trade.atMs) };
    const teller = new ChangesTeller({ bus: here.bus, clock, bookOf: () => undefined, heard: new HeardBooks() });
    teller.tell([{ coin: 'BTC', before: 0, sequence: 1, trades: 1_009_000, inserted: [], updated: [], newTrades }]);
    await vi.waitFor(() => expect(heard.at(-1)).toBe('BTC-1009000'), 5_000);
    expect(heard).toHaveLength(9_000);
    for (const { close } of [here, there]) await close();
    await nats.close();
    expect(faults).toEqual([]);
  });
});
