import type { OptionOrder } from '@sathorn/api';
import { isCoinCode } from '@sathorn/money';
import { readChainTicks } from './chain-ticks.ts';
import { startPriceInTicks } from './start-price.ts';

const MARGIN = 4;

/** Reads an open order's start price from the chain of ticks; undefined if it cannot be loaded. */
export async function findStartPriceInChain(
  order: OptionOrder,
  newest: bigint,
  newestAt: number,
): Promise<string | undefined> {
  if (!isCoinCode(order.name)) return undefined;
  const acceptedMs = Date.parse(order.start_time);
  // The chain has one tick per second. Gaps only make this estimate too early, which the margin and the check below
  // allow for.
  const back = BigInt(Math.ceil((newestAt - acceptedMs) / 1000) + MARGIN);
  const from = newest > back ? newest - back : 1n;
  const ticks = await readChainTicks(order.name, from, 3 * MARGIN);
  return ticks && startPriceInTicks(acceptedMs, ticks);
}
