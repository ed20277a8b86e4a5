import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';

/** A longer step back counts as the correction of a clock that was ahead. */
export const CLOCK_STEP_BACK_MAX_MS = 5_000;

/**
 * Yields each whole second of the wall clock (ms since 1970) as it begins, until aborted. A second that passes while
 * the previous one is still being processed is skipped for good. When the clock steps back a little, nothing is yielded
 * until it has passed its old position. A longer step back corrects a clock that was ahead; waiting for the old
 * position would stall the index for that long.
 */
export async function* wholeSeconds(
  clock: Clock,
  signal: AbortSignal,
  pause: Sleep = pauseFor,
): AsyncGenerator<number> {
  let last = floorToSecond(clock.now());
  while (!signal.aborted) {
    const now = clock.now();
    const second = floorToSecond(now);
    if (second > last || last - second > CLOCK_STEP_BACK_MAX_MS) {
      last = second;
      yield second;
    } else {
      const waitMs = second + 1_000 - now.getTime();
      await pause(Math.max(waitMs, 1), signal);
    }
  }
}

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

function floorToSecond(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}
