import type { CoinCode } from '@sathorn/money';
import type { PriceObservation } from '@sathorn/proof';
import type { Clock } from '../../platform/clock.ts';
import type { PriceSource } from './price-source.ts';
import { wholeSeconds } from './whole-seconds.ts';

/** Slightly more than the delay after which a second may still be published. */
const KEPT_SECONDS = 65;

/**
 * Wraps a live source and remembers its observation at each whole second. A second that was not published in time, or
 * that another process should have published, is then computed from what was observed at that second. Seconds during
 * which this process was stalled have no observation.
 */
export function sampledSource(source: PriceSource, clock: Clock): PriceSource {
  const remembered = new Map<CoinCode, Map<number, PriceObservation | null>>(
    source.coins.map((coin) => [coin, new Map()]),
  );
  let newest = Number.NEGATIVE_INFINITY;
  let stopping: AbortController | null = null;

  const latest = (coin: CoinCode, at: number): PriceObservation | null => {
    const seconds = remembered.get(coin);
    const known = seconds?.get(at);
    if (known !== undefined) return known;
    if (at < newest) return null;
    newest = at;
    const observation = source.latest(coin, at);
    seconds?.set(at, observation);
    const [oldest] = seconds?.keys() ?? [];
    if (seconds !== undefined && seconds.size > KEPT_SECONDS && oldest !== undefined) seconds.delete(oldest);
    return observation;
  };

  const listen = async (signal: AbortSignal): Promise<void> => {
    for await (const second of wholeSeconds(clock, signal)) for (const coin of source.coins) latest(coin, second);
  };

  return {
    name: source.name,
    family: source.family,
    coins: source.coins,
    latest,
    takeVolume: (coin, at) => source.takeVolume(coin, at),
    start() {
      if (stopping !== null) return;
      stopping = new AbortController();
      source.start();
      void listen(stopping.signal);
    },
    async stop() {
      stopping?.abort();
      stopping = null;
      await source.stop();
    },
  };
}
