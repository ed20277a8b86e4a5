import type { Ticker } from '@sathorn/api';

/** The stored part of a tick: its number and its hash. */
export type KeptTick = readonly [sequence: string, hash: string];

/** This device's memory of one coin's chain. */
export interface SeenCoin {
  /** The newest tick that was streamed. */
  readonly head: KeptTick;
  /** Ticks streamed while the customer had an open order on the coin, oldest first. */
  readonly ticks: readonly KeptTick[];
  /** When this memory begins, in ms since 1970 by this device's clock; absent from memories of older versions. */
  readonly since?: number;
}
export type SeenChains = Readonly<Record<string, SeenCoin>>;

/**
 * Enough for twenty minutes of continuous orders. Each hash commits to all ticks before it, so the newest ones are the
 * most valuable.
 */
export const SEEN_TICKS_MAX = 1_200;

/**
 * Adds streamed ticks. `watched` are the coins on which the customer has open orders. Tickers from older servers have
 * no hash.
 */
export function rememberTicks(
  chains: SeenChains,
  tickers: readonly Pick<Ticker, 'code' | 'sequence' | 'hash'>[],
  watched: ReadonlySet<string>,
  nowMs = Date.now(),
): SeenChains {
  const changed: Record<string, SeenCoin> = {};
  for (const { code, sequence, hash } of tickers) {
    if (hash === undefined) continue;
    const known = chains[code];
    const isNewer = known === undefined || BigInt(sequence) > BigInt(known.head[0]);
    if (!isNewer) continue;
    const tick: KeptTick = [sequence, hash];
    const ticks = known?.ticks ?? [];
    const since = known === undefined ? nowMs : known.since;
    changed[code] = {
      head: tick,
      ticks: watched.has(code) ? [...ticks, tick].slice(-SEEN_TICKS_MAX) : ticks,
      ...(since !== undefined && { since }),
    };
  }
  return Object.keys(changed).length === 0 ? chains : { ...chains, ...changed };
}

/** Returns streamed ticks that contradict the memory: another hash under the same number. */
export function findContradictions(
  chains: SeenChains,
  tickers: readonly Pick<Ticker, 'code' | 'sequence' | 'hash'>[],
): string[] {
  return tickers.flatMap(({ code, sequence, hash }) => {
    const known = chains[code];
    const before = known && [known.head, ...known.ticks].find(([number]) => number === sequence)?.[1];
    return before !== undefined && hash !== undefined && before !== hash ? [code] : [];
  });
}

/** Local storage may contain anything, so a value of another shape is ignored. */
export function parseSeenChains(value: unknown): SeenChains {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, SeenCoin] => {
      const [, coin] = entry as [string, Partial<SeenCoin> | null];
      return isTick(coin?.head) && Array.isArray(coin?.ticks) && coin.ticks.every(isTick);
    }),
  );
}

function isTick(value: unknown): value is KeptTick {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    /^[1-9][0-9]{0,17}$/.test(String(value[0])) &&
    /^[0-9a-f]{64}$/.test(String(value[1]))
  );
}

export interface TickRequest {
  readonly from: string;
  readonly limit: number;
}

/** The rows per call, few because every visit reads from the public chain. */
const ROWS_MAX = 60;

/** The requests that show whether the public chain still has the remembered ticks, at most two per coin. */
export function tickRequestsOf({ head, ticks }: SeenCoin): TickRequest[] {
  const newest = ticks.at(-1);
  if (newest === undefined) return [{ from: head[0], limit: 1 }];
  const first = ticks.find(([sequence]) => BigInt(newest[0]) - BigInt(sequence) < BigInt(ROWS_MAX)) ?? newest;
  const limit = Number(BigInt(newest[0]) - BigInt(first[0])) + 1;
  const ofOrders = { from: first[0], limit };
  return newest[0] === head[0] ? [ofOrders] : [ofOrders, { from: head[0], limit: 1 }];
}
