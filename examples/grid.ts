/**
 * A grid: orders rest at equal steps around the price, and each fill becomes the opposite order one step away. It earns
 * a step, less the fees, each time the price crosses a step and comes back, and loses when the price leaves.
 */
import { parseArgs } from 'node:util';
import type { Order, Trade } from 'ccxt';
import { openExchange } from './open-exchange.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** The distance of two orders, in percent of the price. */
    step: { type: 'string', default: '0.2' },
    /** The number of orders on each side. */
    levels: { type: 'string', default: '4' },
    /** USDT for each order. */
    size: { type: 'string', default: '25' },
    minutes: { type: 'string', default: '10' },
  },
});
const symbol = positionals[0] ?? 'BTC/USDT';
const share = Number(values.step) / 100;
const levels = Number(values.levels);
const [base = '', quote = ''] = symbol.split('/');

const exchange = openExchange();
await exchange.loadMarkets();
const { bids, asks } = await exchange.fetchOrderBook(symbol, 1);
const middle = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2;
if (middle === 0) throw new Error(`${symbol} has no prices`);
const step = middle * share;
const amount = Number(values.size) / middle;
const began = exchange.milliseconds();

const place = (side: 'buy' | 'sell', price: number, size: number): Promise<Order> =>
  exchange.createOrder(symbol, 'limit', side, size, price);
/** A side without money for all its orders has fewer. */
const tryToPlace = (side: 'buy' | 'sell', price: number, size = amount): Promise<void> =>
  place(side, price, size).then(
    () => undefined,
    (fault: Error) => console.log(`  ${side} at ${price.toFixed(2)} was not placed: ${fault.message}`),
  );

for (let level = 1; level <= levels; level += 1)
  await Promise.all([tryToPlace('buy', middle - level * step), tryToPlace('sell', middle + level * step)]);

/** Profit of the trades so far: what came in less what went out, with the rest of the coin at the last price. */
function profitOf(trades: readonly Trade[], last: number): number {
  let [coins, money] = [0, 0];
  for (const { side, amount: filled = 0, cost = 0, fee } of trades) {
    coins += side === 'buy' ? filled : -filled;
    money += side === 'buy' ? -cost : cost;
    if (fee?.currency === base) coins -= fee.cost ?? 0;
    if (fee?.currency === quote) money -= fee.cost ?? 0;
  }
  return money + coins * last;
}

const seen = new Set<string>();
const endAt = Date.now() + Number(values.minutes) * 60_000;
while (Date.now() < endAt) {
  const trades = await exchange.fetchMyTrades(symbol, began);
  for (const { id, side, price, amount: filled = 0, fee } of trades) {
    if (id === undefined || price === undefined || seen.has(id)) continue;
    seen.add(id);
    console.log(`${new Date().toISOString()}  ${side} filled at ${price}`);
    // The fee of a buy is taken out of the coins.
    const received = filled - (fee?.currency === base ? (fee.cost ?? 0) : 0);
    await (side === 'buy' ? tryToPlace('sell', price + step, received) : tryToPlace('buy', price - step, filled));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

await exchange.cancelAllOrders(symbol);
const trades = await exchange.fetchMyTrades(symbol, began);
const last = (await exchange.fetchTicker(symbol)).last ?? middle;
console.log(`${trades.length} fills, profit ${profitOf(trades, last).toFixed(2)} ${quote} at a price of ${last}`);
