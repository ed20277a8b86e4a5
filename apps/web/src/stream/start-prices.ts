import { type OptionOrder, readProofTicks } from '@sathorn/api';
import { COINS, formatPrice, isCoinCode, price } from '@sathorn/money';
import { create } from 'zustand';
import { callServer } from '../client/call-server.ts';
import { startPriceBy, startPriceIn } from './start-price.ts';
import { useTickers } from './tickers.ts';

/** Start prices of open orders by the published rule, by order. */
export const useStartPrices = create<Readonly<Record<string, string>>>(() => ({}));
const asked = new Set<string>();

/** Looks for the start price of each open order: in the ticks as they come, else in the chain. */
export function findStartPrices(orders: readonly OptionOrder[]): void {
  const tickers = useTickers.getState();
  const found: Record<string, string> = {};
  for (const order of orders) {
    if (order.start_price !== null || useStartPrices.getState()[order.id] !== undefined) continue;
    const ticker = tickers[order.name];
    const start = startPriceBy(order, ticker);
    if (start !== undefined) found[order.id] = start;
    else if (ticker && Date.parse(ticker.at) - Date.parse(order.start_time) > 2_000 && !asked.has(order.id)) {
      asked.add(order.id);
      // Without it the order only says that it waits for its start price.
      findInChain(order, BigInt(ticker.sequence), Date.parse(ticker.at)).catch(() => {});
    }
  }
  if (Object.keys(found).length > 0) useStartPrices.setState(found);
}

const MARGIN = 4;

async function findInChain(order: OptionOrder, newest: bigint, newestAt: number): Promise<void> {
  if (!isCoinCode(order.name)) return;
  const acceptedMs = Date.parse(order.start_time);
  // One tick a second; gaps only put the guess too early, which the margin and the check below allow for.
  const back = BigInt(Math.ceil((newestAt - acceptedMs) / 1000) + MARGIN);
  const from = newest > back ? newest - back : 1n;
  const answer = await callServer(readProofTicks, { code: order.name, from: String(from), limit: String(3 * MARGIN) });
  if (!answer.ok) return;
  const { readTick } = await import('@sathorn/proof');
  const decimals = COINS[order.name].priceDecimals;
  const ticks = answer.data.items.flatMap(({ body }) => {
    const tick = readTick(body);
    return tick ? [{ sequence: tick.sequence, at: tick.at, price: formatPrice(price(tick.price), decimals) }] : [];
  });
  const start = startPriceIn(acceptedMs, ticks);
  if (start !== undefined) useStartPrices.setState({ [order.id]: start });
}
