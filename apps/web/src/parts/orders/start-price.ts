import type { OptionOrder, Ticker } from '@sathorn/api';
import type { ChainedTick } from './chain-ticks.ts';

/** Ticks are at whole seconds, so a tick within this time after the acceptance is the first one after it. */
const TICK_MS = 1_000;

/**
 * Returns an open order's start price by the published rule: the first tick after the acceptance. The server stores it
 * at the settlement; until then the app applies the rule. Returns undefined unless this ticker is certainly the first.
 */
export function startPriceByTicker(
  order: Pick<OptionOrder, 'name' | 'start_time'>,
  ticker: Pick<Ticker, 'code' | 'at' | 'price'> | undefined,
): string | undefined {
  if (!ticker || ticker.code !== order.name) return undefined;
  const after = Date.parse(ticker.at) - Date.parse(order.start_time);
  return after > 0 && after <= TICK_MS ? ticker.price : undefined;
}

/** Does the same with a part of the chain, oldest first; undefined unless the part includes the tick before. */
export function startPriceInTicks(acceptedMs: number, ticks: readonly ChainedTick[]): string | undefined {
  const index = ticks.findIndex(({ at }) => at > acceptedMs);
  const [before, first] = [ticks[index - 1], ticks[index]];
  return before && first && first.sequence === before.sequence + 1n ? first.price : undefined;
}
