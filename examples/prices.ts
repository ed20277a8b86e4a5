/** Prints the trades and the best bid and ask of some pairs, until it is stopped. */
import { openExchange } from './open-exchange.ts';

const exchange = openExchange();
const symbols = process.argv.slice(2);
if (symbols.length === 0) symbols.push('BTC/USDT');

async function printTrades(symbol: string): Promise<void> {
  for (;;)
    for (const { datetime, side, amount, price } of await exchange.watchTrades(symbol))
      console.log(`${datetime}  ${symbol}  ${side} ${amount} at ${price}`);
}

async function printBook(symbol: string): Promise<void> {
  let before = '';
  for (;;) {
    const { bids, asks } = await exchange.watchOrderBook(symbol, 1);
    const now = `${bids[0]?.[0] ?? '–'} / ${asks[0]?.[0] ?? '–'}`;
    if (now !== before) console.log(`${new Date().toISOString()}  ${symbol}  ${now}`);
    before = now;
  }
}

await Promise.all(symbols.flatMap((symbol) => [printTrades(symbol), printBook(symbol)]));
