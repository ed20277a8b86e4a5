import type { OptionOrder } from '@sathorn/api';
import { create } from 'zustand';
import { useTickers } from '../market/tickers.ts';
import { startPriceByTicker } from './start-price.ts';

/** Start prices of open orders by the published rule, keyed by order. */
export const useStartPrices = create<Readonly<Record<string, string>>>(() => ({}));
const asked = new Set<string>();

/** Finds each open order's start price in the streamed ticks, or otherwise in the chain. */
export function findStartPrices(orders: readonly OptionOrder[]): void {
  const tickers = useTickers.getState();
  const found: Record<string, string> = {};
  for (const order of orders) {
    if (order.start_price !== null || useStartPrices.getState()[order.id] !== undefined) continue;
    const ticker = tickers[order.name];
    const start = startPriceByTicker(order, ticker);
    if (start !== undefined) found[order.id] = start;
    else if (ticker && Date.parse(ticker.at) - Date.parse(order.start_time) > 2_000 && !asked.has(order.id)) {
      asked.add(order.id);
      // On failure the order stays shown as waiting for its start price.
      takeFromChain(order, ticker).catch(() => {});
    }
  }
  if (Object.keys(found).length > 0) useStartPrices.setState(found);
}

/** Needed only for orders bought before this page was opened, or while its stream was down. */
async function takeFromChain(order: OptionOrder, newest: { sequence: string; at: string }): Promise<void> {
  const { findStartPriceInChain } = await import('./find-start-price-in-chain.ts');
  const start = await findStartPriceInChain(order, BigInt(newest.sequence), Date.parse(newest.at));
  if (start !== undefined) useStartPrices.setState({ [order.id]: start });
}
