import {
  type Call,
  listMarketCandles,
  listMarkets,
  listMarketTickers,
  listMarketTrades,
  placeContract,
  type ResultOf,
  readMarketBook,
} from '@sathorn/api';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const PAIR = { ticker_id: 'BTC_USDT' };

let platform: TestPlatform;
let fill: { price: string; quantity: string; amount: string };

/** The answer as it comes, without an envelope. */
async function ask<C extends Call>(call: C, fields: TestForm = {}): Promise<ResultOf<C>> {
  return (await platform.send(call, fields)).answer as unknown as ResultOf<C>;
}

beforeAll(async () => {
  platform = await openTestPlatform({ SIM_SEED: 'market-feed', ROLES: 'edge,index,matcher,settler' });
  const token = await platform.signIn(DEMO_CUSTOMER);
  await vi.waitFor(async () => expect((await ask(readMarketBook, PAIR)).asks.length).toBeGreaterThan(0), 120_000);
  const order = { code: 'BTC', side: 'buy', type: 'market', quantity: '0.001' };
  const { answer } = await platform.send(placeContract, order, { token });
  const { answer: read } = await platform.send('GET /coin/trans/info', { id: String(answer.data.id) }, { token });
  [fill = fill] = read.data.fills as (typeof fill)[];
});
afterAll(() => platform?.close());

it('lists pairs, tickers, the book, trades and candles as aggregators ask for them, marked as simulated', async () => {
  const markets = await ask(listMarkets);
  expect(markets).toContainEqual(expect.objectContaining({ ...PAIR, base: 'BTC', target: 'USDT', simulated: true }));

  const book = await ask(readMarketBook, { ...PAIR, depth: '10' });
  expect([book.bids.length, book.asks.length]).toEqual([5, 5]);
  expect(book.simulated).toBe(true);
  const prices = [...book.bids.toReversed(), ...book.asks].map(([price]) => Number(price));
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));

  const { buy, sell } = await ask(listMarketTrades, PAIR);
  expect(sell).toEqual([]);
  expect(buy[0]).toMatchObject({
    price: fill.price,
    base_volume: fill.quantity,
    target_volume: fill.amount,
    type: 'buy',
    house: true,
    simulated: true,
  });
  expect((await ask(listMarketTrades, { ...PAIR, house: '0' })).buy).toEqual([]);
  expect((await ask(listMarketTrades, { ...PAIR, type: 'sell' })).buy).toEqual([]);

  // Trades are counted in candles soon after them.
  const tickerOf = async () => (await ask(listMarketTickers)).find(({ base }) => base === 'BTC');
  await expect.poll(async () => (await tickerOf())?.base_volume).not.toBe('0.00000000');
  const ticker = await tickerOf();
  expect(ticker).toMatchObject({
    last_price: fill.price,
    high: fill.price,
    low: fill.price,
    base_volume: fill.quantity,
    target_volume: fill.amount,
    house_base_volume: fill.quantity,
    simulated: true,
  });
  expect(Number(ticker?.bid)).toBeLessThan(Number(ticker?.ask));
  expect((await tickerOf())?.timestamp).toBeGreaterThan(1_700_000_000_000);

  const { candles } = await ask(listMarketCandles, { ...PAIR, interval: '1m', limit: '5' });
  expect(candles).toEqual([[expect.any(Number), fill.price, fill.price, fill.price, fill.price, fill.quantity]]);
});

it('refuses an unknown pair by its field, in an envelope', async () => {
  const { answer } = await platform.send(readMarketBook, { ticker_id: 'NOPE_USDT' });
  expect(answer).toMatchObject({
    ret: 0,
    data: { code: 'malformed_request', fields: { ticker_id: expect.any(String) } },
  });
});
