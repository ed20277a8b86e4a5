import { type OptionOrder, readProofTicks } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { COINS, formatPrice, isCoinCode, price } from '@sathorn/money';
import { readTick } from '@sathorn/proof';
import { startPriceIn } from './start-price.ts';

const MARGIN = 4;

/** Reads an open order's start price from the chain of ticks; undefined if it cannot be loaded. */
export async function findInChain(order: OptionOrder, newest: bigint, newestAt: number): Promise<string | undefined> {
  if (!isCoinCode(order.name)) return undefined;
  const acceptedMs = Date.parse(order.start_time);
  // One tick per second. Gaps only make the guess too early; the margin and the check below allow for that.
  const back = BigInt(Math.ceil((newestAt - acceptedMs) / 1000) + MARGIN);
  const from = newest > back ? newest - back : 1n;
  const answer = await callServer(readProofTicks, { code: order.name, from: String(from), limit: String(3 * MARGIN) });
  if (!answer.ok) return undefined;
  const decimals = COINS[order.name].indexDecimals;
  const ticks = answer.data.items.flatMap(({ body }) => {
    const tick = readTick(body);
    return tick ? [{ sequence: tick.sequence, at: tick.at, price: formatPrice(price(tick.price), decimals) }] : [];
  });
  return startPriceIn(acceptedMs, ticks);
}
