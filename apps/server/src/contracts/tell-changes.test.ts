import { setTimeout as pause } from 'node:timers/promises';
import { type Price, parsePrice } from '@sathorn/money';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBus } from '../bus/index.ts';
import { startNatsServer } from '../bus/testing.ts';
import { HeardBooks } from './book-view.ts';
import type { TradeRow } from './coin-book.ts';
import { ChangesTeller } from './tell-changes.ts';
import { type ContractsTest, openContractsTest, type RunningContracts } from './testing-contracts.ts';

const ANAN = 1n;
const buyAt = (price: string) => ({ side: 'buy', type: 'limit', price, quantity: '0.01' }) as const;

describe('what is told of a book', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  const bids = () => contracts.book('BTC')?.bids.map(([price]) => price);

  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    contracts = await room.open();
    await room.fund(ANAN, 'USDT', '100000');
  });
  afterAll(async () => {
    expect(room.faults).toEqual([]);
    await room.close();
  });

  it('is only what is committed, and all of that as soon as it is', async () => {
    await contracts.order(ANAN, buyAt('50000'));
    await vi.waitFor(() => expect(bids()).toEqual(['50000.00']));
    const client = new pg.Client(room.test.owner);
    await client.connect();
    const told: string[] = [];
    const hear = ({ code, sequence }: { code: string; sequence: string }): void => {
      if (code === 'BTC') told.push(sequence);
    };
    try {
      // Whatever is decided now can't be written, until a lock that is not had takes it back.
      await client.query('BEGIN; LOCK TABLE contracts.orders IN SHARE MODE');
      room.bus.on('book', hear);
      const placed = contracts.order(ANAN, buyAt('51000'));
      await pause(2_500);
      expect(bids()).toEqual(['50000.00']);
      expect(told).toEqual([]);
      await client.query('ROLLBACK');
      expect(await placed).toMatchObject({ ok: true });
      await vi.waitFor(() => expect(bids()).toEqual(['51000.00', '50000.00']));
    } finally {
      room.bus.off('book', hear);
      await client.end();
    }
  });

  it('is told by nobody who has heard of a later state: another matches the coin now', async () => {
    const own = contracts.book('BTC');
    if (own === null) throw new Error();
    const later = { ...own, bids: [], sequence: String(Number(own.sequence) + 1) };
    room.bus.emit('book', later);
    // Longer than it stays silent for when nothing changes.
    await pause(2_500);
    expect(contracts.book('BTC')).toEqual(later);
    // When nothing more was heard of the other, what this one has is true again.
    room.clock.ms += 7_000;
    await vi.waitFor(() => expect(contracts.book('BTC')?.sequence).toBe(own.sequence), 5_000);
  });

  it('is stale when nothing is heard for a while, also by a clock that was set back', () => {
    const heard = new HeardBooks();
    const at = Date.parse('2026-12-01T03:00:00Z');
    expect(heard.isStale('BTC', new Date(at))).toBe(true);
    heard.hear({ code: 'BTC', bids: [], asks: [], sequence: '1', at: '' }, new Date(at));
    expect([6_000, 6_001, -3_600_000].map((ms) => heard.isStale('BTC', new Date(at + ms)))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('the trades of a batch', () => {
  it('reach other processes however many they are', async () => {
    const nats = await startNatsServer();
    const faults: unknown[] = [];
    const open = () => openBus({ natsUrl: nats.url, onFault: (error) => faults.push(error) });
    const [here, there] = [await open(), await open()];
    const heard: string[] = [];
    there.bus.on('trades', ({ trades }) => heard.push(...trades.map(({ id }) => id)));
    const trade: TradeRow = {
      coin: 'BTC',
      number: 0,
      price: 60_000_000_000n,
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
