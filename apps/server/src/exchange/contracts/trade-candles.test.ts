import { type Candle, INTERVALS, type Interval, listCandles } from '@sathorn/api';
import { type Price, parsePrice } from '@sathorn/money';
import pg from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BusEvents } from '../../platform/bus/index.ts';
import { intervalStartOf, listCandlesHandler } from '../market/index.ts';
import { readCandleHead } from './candle-store.ts';
import { type ContractsTest, openContractsTest, type RunningContracts } from './testing-contracts.ts';
import { TradeCandles } from './trade-candles.ts';

const HOUR = 3_600_000;
const [anan, mali] = [100n, 101n];

let room: ContractsTest;
let contracts: RunningContracts;
let candles: TradeCandles;
const told: BusEvents['trades_candle'][0]['data'][] = [];

const newFollower = (): TradeCandles =>
  new TradeCandles({
    database: room.test.database,
    bus: room.bus,
    // Makes `turn` query the trades each time.
    lastTradeOf: (coin) => (coin === 'BTC' ? Number.MAX_SAFE_INTEGER : undefined),
    isSimulated: true,
    onFault: (error) => room.faults.push(error),
  });

/** A trade between two customers. */
async function trade(price: string, quantity: string): Promise<void> {
  await contracts.order(anan, { side: 'sell', type: 'limit', price, quantity });
  const bought = await contracts.order(mali, { side: 'buy', type: 'limit', price, quantity });
  expect(bought).toMatchObject({ ok: true, effect: { status: 'filled' } });
}
const bars = async (interval: Interval): Promise<Candle[]> => (await ask({ code: 'BTC', interval })).items;

async function ask(request: Record<string, unknown>): Promise<v.InferOutput<typeof listCandles.result>> {
  const handler = listCandlesHandler({ bars: async () => [] }, contracts.tradeBars);
  const answer = await handler.run({ request: { of: 'trades', ...request }, now: room.clock.now() } as never);
  if (!answer.ok) throw new Error(answer.refusal);
  return v.parse(listCandles.result, answer.effect);
}

beforeAll(async () => {
  room = await openContractsTest();
  contracts = await room.open();
  room.index.set('BTC', parsePrice('60000') as Price);
  for (const customer of [anan, mali]) {
    await room.fund(customer, 'USDT', '100000');
    await room.fund(customer, 'BTC', '10');
  }
  room.bus.on('trades_candle', ({ data }) => told.push(data));
  candles = newFollower();
});
afterAll(async () => {
  expect(room.faults).toEqual([]);
  await room.close();
});
beforeEach(() => {
  // Each test uses its own weeks.
  room.clock.ms = intervalStartOf('1w', room.clock.ms) + 14 * 24 * HOUR;
  told.length = 0;
  return async () => expect(await room.violations()).toEqual([]);
});

describe('candles of trades', () => {
  it('count every trade in each interval, and have gaps for times without trades', async () => {
    const start = room.clock.ms;
    expect(await contracts.newestTradesCandle('BTC', '1m')).toBeNull();
    room.clock.ms = start + 1_000;
    await trade('60000', '0.01');
    await trade('61000', '0.02');
    room.clock.ms = start + 59_999;
    await trade('59000', '0.03');
    room.clock.ms = start + 3 * 60_000;
    await trade('59500', '0.04');
    await candles.turn();
    expect(await bars('1m')).toEqual([
      [start, '60000.00', '61000.00', '59000.00', '59000.00', '0.06000000', 1],
      [start + 180_000, '59500.00', '59500.00', '59500.00', '59500.00', '0.04000000', 1],
    ]);
    for (const interval of INTERVALS.slice(1)) {
      const whole = [start, '60000.00', '61000.00', '59000.00', '59500.00', '0.10000000', 1];
      expect(await bars(interval)).toEqual([whole]);
      expect(await contracts.newestTradesCandle('BTC', interval)).toEqual(whole);
    }
  });

  it('are published once per turn, only the newest of each interval, and not without trades', async () => {
    await trade('60000', '0.01');
    room.clock.ms += 60_000;
    await trade('60100', '0.01');
    await candles.turn();
    expect(told.map(({ interval }) => interval).sort()).toEqual([...INTERVALS].sort());
    expect(told.find(({ interval }) => interval === '1m')).toEqual({
      code: 'BTC',
      interval: '1m',
      candle: [room.clock.ms, '60100.00', '60100.00', '60100.00', '60100.00', '0.01000000', 1],
    });
    await candles.turn();
    expect(told).toHaveLength(INTERVALS.length);
  });

  it('are continued by the next process where the last one stopped', async () => {
    await trade('60000', '0.01');
    await candles.turn();
    await trade('60200', '0.01');
    await trade('59900', '0.01');
    candles = newFollower();
    await candles.turn();
    const [bar] = (await bars('1d')).slice(-1);
    expect(bar).toEqual([room.clock.ms, '60000.00', '60200.00', '59900.00', '59900.00', '0.03000000', 1]);
  });

  it('count a trade once, however many processes count', async () => {
    for (let n = 0; n < 5; n += 1) await trade('60000', '0.01');
    const others = [newFollower(), newFollower(), newFollower()];
    await Promise.all(others.map((other) => other.turn()));
    // A process that was too late reports a fault, and reads how many trades are counted.
    for (const fault of room.faults.splice(0)) expect(String(fault)).toContain('another process counts');
    for (const other of others) await other.turn();
    expect((await bars('1h')).at(-1)?.[5]).toBe('0.05000000');
    const [newest] = (await contracts.tape('BTC', null, 1)).items;
    expect(`BTC-${await readCandleHead(room.test.database, 'BTC')}`).toBe(newest?.id);
    await candles.turn();
    for (const fault of room.faults.splice(0)) expect(String(fault)).toContain('another process counts');
  });

  it('a clock that was set back opens an earlier minute again', async () => {
    const start = room.clock.ms;
    room.clock.ms = start + 60_000;
    await trade('60000', '0.01');
    room.clock.ms = start + 59_000;
    await trade('60500', '0.01');
    room.clock.ms = start + 61_000;
    await trade('60100', '0.01');
    await candles.turn();
    expect((await bars('1m')).slice(-2)).toEqual([
      [start, '60500.00', '60500.00', '60500.00', '60500.00', '0.01000000', 1],
      [start + 60_000, '60000.00', '60100.00', '60000.00', '60100.00', '0.02000000', 1],
    ]);
  });

  it('are paged backwards without overlap or gap', async () => {
    for (let n = 0; n < 7; n += 1) {
      room.clock.ms += 60_000;
      await trade(String(60_000 + n), '0.01');
    }
    await candles.turn();
    const all = (await bars('1m')).map(([at]) => at);
    const paged: number[] = [];
    let page: string | null = '';
    while (page !== null) {
      const answer = await ask({ code: 'BTC', interval: '1m', limit: 3, page });
      paged.unshift(...answer.items.map(([at]) => at));
      page = answer.next;
    }
    expect(paged).toEqual(all);
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(await ask({ code: 'BTC', interval: '1m', before: all[0] })).toEqual({ items: [], next: null });
  });

  it.each([
    ['a volume', `UPDATE contracts.candle SET volume = volume + $1 WHERE interval = '4h'`],
    ['the house’s part of it', `UPDATE contracts.candle SET house_volume = house_volume + $1 WHERE interval = '1m'`],
    ['the fees of the house', 'UPDATE contracts.candle_head SET house_fees_coin = house_fees_coin + $1'],
    ['what is counted', 'UPDATE contracts.candle_head SET number = number + $1'],
  ])('are checked: C7 finds %s that no trade made', async (_what, statement) => {
    const owner = new pg.Client(room.test.owner);
    await owner.connect();
    await owner.query(statement, [1]);
    expect(await room.violations()).toMatchObject([{ invariant: 'C7' }]);
    await owner.query(statement, [-1]);
    await owner.end();
  });

  it('of a coin without trades are empty', async () => {
    expect(await ask({ code: 'ETH', interval: '1d' })).toEqual({ items: [], next: null });
    expect(await contracts.newestTradesCandle('ETH', '1d')).toBeNull();
  });
});
