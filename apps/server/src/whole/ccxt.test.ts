import { generateKeyPairSync } from 'node:crypto';
import { Sathorn } from '@sathorn/ccxt';
import {
  AuthenticationError,
  BadSymbol,
  InsufficientFunds,
  InvalidOrder,
  type Order,
  OrderNotFound,
  PermissionDenied,
  type Trade,
} from 'ccxt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { openKeyMaker } from './testing-own-keys.ts';
import { openTestPlatform, type TestPlatform } from './testing-platform.ts';

const SYMBOL = 'BTC/USDT';

/** What ccxt promises of an order. */
function expectOrder(order: Order): void {
  expect(order.symbol).toBe(SYMBOL);
  expect(order.datetime).toBe(new Date(order.timestamp ?? 0).toISOString());
  expect(order.amount).toBeCloseTo((order.filled ?? 0) + (order.remaining ?? 0), 10);
  expect(order.cost).toBeCloseTo((order.filled ?? 0) * (order.average ?? 0), 2);
  expect(['open', 'closed', 'canceled']).toContain(order.status);
}

function expectTrade(trade: Trade): void {
  expect(trade.symbol).toBe(SYMBOL);
  expect(trade.datetime).toBe(new Date(trade.timestamp ?? 0).toISOString());
  expect(trade.cost).toBeCloseTo((trade.amount ?? 0) * (trade.price ?? 0), 2);
  expect(['buy', 'sell']).toContain(trade.side);
}

describe('the exchange for ccxt', () => {
  let platform: TestPlatform;
  let exchange: Sathorn;
  let reader: Sathorn;
  let index = 0;

  const open = (apiKey: string, secret: string): Sathorn => {
    const { url } = platform;
    return new Sathorn({ urls: { api: { rest: url, ws: `${url.replace('http', 'ws')}/api/stream` } }, apiKey, secret });
  };
  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'ccxt', ROLES: 'edge,index,matcher,settler' });
    const token = await platform.signIn(DEMO_CUSTOMER, 'a phone');
    const make = await openKeyMaker(platform, { token, paypass: DEMO_CUSTOMER.paypass });
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const own = await make({
      name: 'grid',
      scopes: 'read,trade',
      public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    });
    exchange = open(own.id, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const shown = await make({ name: 'prices', scopes: 'read' });
    reader = open(shown.id, shown.secret ?? '');
    const levels = async () => expect((await exchange.fetchOrderBook(SYMBOL)).asks.length).toBeGreaterThan(0);
    await vi.waitFor(levels, 120_000);
    index = (await exchange.fetchOrderBook(SYMBOL)).asks[0]?.[0] ?? 0;
  });
  afterAll(async () => {
    await Promise.all([exchange?.close(), reader?.close()]);
    await platform?.close();
    expect(platform?.faults).toEqual([]);
  });

  it('reads markets, tickers, book, trades and candles without a key', async () => {
    const visitor = open('', '');
    const markets = await visitor.loadMarkets();
    expect(markets[SYMBOL]).toMatchObject({ id: 'BTC_USDT', base: 'BTC', quote: 'USDT', spot: true, active: true });
    expect(markets[SYMBOL]?.precision.price).toBeGreaterThan(0);
    const book = await visitor.fetchOrderBook(SYMBOL, 3);
    expect([book.bids.length, book.asks.length]).toEqual([3, 3]);
    expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] ?? 0);
    const ticker = await visitor.fetchTicker(SYMBOL);
    expect(ticker).toMatchObject({ symbol: SYMBOL, bid: expect.any(Number), ask: expect.any(Number) });
    expect(Object.keys(await visitor.fetchTickers())).toContain('ETH/USDT');
    await expect(visitor.fetchOrderBook('NOPE/USDT')).rejects.toThrow(BadSymbol);
    await expect(visitor.fetchBalance()).rejects.toThrow(AuthenticationError);
  });

  it('places, lists and cancels an order that rests', async () => {
    const placed = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, index * 0.9, { postOnly: true });
    expectOrder(placed);
    expect(placed).toMatchObject({ status: 'open', type: 'limit', side: 'buy', filled: 0, timeInForce: 'PO' });
    expect((await exchange.fetchOpenOrders(SYMBOL)).map((each) => each.id)).toContain(placed.id);
    const id = placed.id ?? '';
    expect(await exchange.fetchOrder(id)).toMatchObject({ id: placed.id, status: 'open' });
    expect(await exchange.cancelOrder(id)).toMatchObject({ id: placed.id, status: 'canceled' });
    expect((await exchange.fetchOpenOrders(SYMBOL)).map((each) => each.id)).not.toContain(placed.id);
    await expect(exchange.cancelOrder(id)).rejects.toThrow(OrderNotFound);
    const many = [0.9, 0.89, 0.88].map((share) => exchange.createLimitBuyOrder(SYMBOL, 0.01, index * share));
    await Promise.all(many);
    expect(await exchange.cancelAllOrders(SYMBOL)).toHaveLength(3);
  });

  it('places, changes and cancels orders that wait for the index', async () => {
    const symbol = SYMBOL;
    expect(exchange.has).toMatchObject({ createStopLossOrder: true, createTakeProfitOrder: true, editOrder: true });
    await exchange.createMarketBuyOrderWithCost(symbol, 2_000);
    const stop = await exchange.createOrder(symbol, 'market', 'sell', 0.005, undefined, { stopLossPrice: index * 0.7 });
    expect(stop).toMatchObject({ status: 'open', type: 'market', side: 'sell', amount: 0.005 });
    expect(stop.triggerPrice).toBeCloseTo(index * 0.7, 1);
    const take = await exchange.createOrder(symbol, 'limit', 'sell', 0.005, index * 1.3, {
      takeProfitPrice: index * 1.3,
    });
    expect(take.takeProfitPrice).toBeCloseTo(index * 1.3, 1);
    const above = { triggerPrice: index * 1.2, triggerDirection: 'ascending' };
    const generic = await exchange.createOrder(symbol, 'limit', 'sell', 0.005, index * 1.2, above);
    expect(generic.info).toMatchObject({ trigger: 'take_profit', trigger_when: 'above' });
    const reached = { stopLossPrice: index * 1.5 };
    await expect(exchange.createOrder(symbol, 'market', 'sell', 0.005, undefined, reached)).rejects.toThrow(
      InvalidOrder,
    );
    const listed = await exchange.fetchOpenOrders(symbol, undefined, undefined, { trigger: true });
    expect(listed.map(({ id }) => id)).toEqual([stop.id, take.id, generic.id]);
    const moved = await exchange.editOrder(stop.id ?? '', symbol, 'market', 'sell', 0.002, undefined, {
      stopLossPrice: index * 0.6,
    });
    expect(moved).toMatchObject({ status: 'open', amount: 0.002, info: { replaces: stop.id } });
    expect(await exchange.cancelOrder(moved.id ?? '', symbol, { trigger: true })).toMatchObject({ status: 'canceled' });
    expect(await exchange.fetchOrder(moved.id ?? '', symbol, { trigger: true })).toMatchObject({ status: 'canceled' });
    expect(await exchange.cancelAllOrders('ETH/USDT')).toEqual([]);
    expect((await exchange.cancelAllOrders(symbol)).map(({ id }) => id)).toEqual([take.id, generic.id]);
  });

  it('changes an order in its place, or at another price', async () => {
    const placed = await exchange.createLimitBuyOrder(SYMBOL, 0.01, index * 0.9);
    const smaller = await exchange.editOrder(placed.id ?? '', SYMBOL, 'limit', 'buy', 0.004);
    expectOrder(smaller);
    expect(smaller).toMatchObject({ id: placed.id, amount: 0.004, remaining: 0.004 });
    const moved = await exchange.editOrder(placed.id ?? '', SYMBOL, 'limit', 'buy', 0.004, index * 0.88);
    expect(moved).toMatchObject({ status: 'open', amount: 0.004, info: { replaces: placed.id } });
    expect(await exchange.fetchOrder(placed.id ?? '')).toMatchObject({ status: 'canceled' });
    await expect(exchange.editOrder(moved.id ?? '', SYMBOL, 'limit', 'buy', 0.5)).rejects.toThrow(InvalidOrder);
    await exchange.cancelAllOrders(SYMBOL);
  });

  it('buys at the market, and tells the fill, the balances, the trades and the candles', async () => {
    const before = await exchange.fetchBalance();
    expect(before.USDT?.total).toBeCloseTo((before.USDT?.free ?? 0) + (before.USDT?.used ?? 0), 6);
    const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.02);
    expectOrder(bought);
    expect(bought).toMatchObject({ status: 'closed', filled: 0.02, remaining: 0 });
    const spent = await exchange.createMarketBuyOrderWithCost(SYMBOL, 100);
    expect(spent.cost).toBeLessThanOrEqual(100);
    expect(spent.cost).toBeGreaterThan(95);
    const mine = await exchange.fetchMyTrades(SYMBOL);
    mine.forEach(expectTrade);
    const own = mine.filter(({ order }) => order === bought.id);
    expect(own.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBeCloseTo(0.02, 8);
    expect(own[0]?.fee).toMatchObject({ currency: 'BTC', cost: expect.any(Number) });
    expect((await exchange.fetchClosedOrders(SYMBOL)).map(({ id }) => id)).toContain(bought.id);
    const trades = await exchange.fetchTrades(SYMBOL);
    trades.forEach(expectTrade);
    expect(trades.length).toBeGreaterThan(0);
    const after = await exchange.fetchBalance();
    expect((after.BTC?.total ?? 0) - (before.BTC?.total ?? 0)).toBeGreaterThan(0.019);
    await expect.poll(async () => (await exchange.fetchOHLCV(SYMBOL, '1m')).length).toBeGreaterThan(0);
    const [candle] = await exchange.fetchOHLCV(SYMBOL, '1m');
    expect(candle).toHaveLength(6);
    expect(candle?.[2]).toBeGreaterThanOrEqual(candle?.[3] ?? Number.POSITIVE_INFINITY);
  });

  it('gives the same order for the same client’s id, and one order only', async () => {
    const price = index * 0.9;
    const params = { clientOrderId: 'my-order-0001' };
    const first = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, price, params);
    const again = await exchange.createOrder(SYMBOL, 'limit', 'buy', 0.01, price, params);
    expect(again.id).toBe(first.id);
    expect(await exchange.cancelAllOrders(SYMBOL)).toHaveLength(1);
  });

  it('throws ccxt’s errors', async () => {
    await expect(exchange.createOrder(SYMBOL, 'limit', 'sell', 9, index * 1.001)).rejects.toThrow(InsufficientFunds);
    await expect(exchange.createOrder(SYMBOL, 'limit', 'buy', 0.00001, index * 0.9)).rejects.toThrow(InvalidOrder);
    await expect(exchange.fetchOrder('BTC-999999999')).rejects.toThrow(OrderNotFound);
    await expect(reader.createOrder(SYMBOL, 'market', 'buy', 0.01)).rejects.toThrow(PermissionDenied);
    await expect(open('A'.repeat(22), 'secret').fetchBalance()).rejects.toThrow(AuthenticationError);
    const forged = open(reader.apiKey ?? '', '0'.repeat(64));
    await expect(forged.fetchBalance()).rejects.toThrow(AuthenticationError);
  });

  it('watches book, trades, orders and balances', async () => {
    const book = await exchange.watchOrderBook(SYMBOL, 5);
    expect([book.bids.length, book.asks.length]).toEqual([5, 5]);
    await exchange.watchTrades(SYMBOL);
    const next = exchange.watchTrades(SYMBOL);
    const changed = exchange.watchOrders(SYMBOL);
    const balance = await exchange.watchBalance();
    expect(balance.USDT?.free).toBeGreaterThan(0);
    const bought = await exchange.createOrder(SYMBOL, 'market', 'buy', 0.01);
    expect((await next).length).toBeGreaterThan(0);
    expect((await changed).map(({ id }) => id)).toContain(bought.id);
  });

  it('buys an option, and reads it with its receipt', async () => {
    const bought = await exchange.buyOption(SYMBOL, 'up', '10', 300);
    expect(bought).toMatchObject({ status: 'holding', direction: 'up', terms: { body: expect.any(String) } });
    expect((await exchange.fetchOpenOptionOrders()).map(({ id }) => id)).toContain(bought.id);
    expect(await exchange.fetchOptionOrder(bought.id)).toMatchObject({ id: bought.id });
  });
});
