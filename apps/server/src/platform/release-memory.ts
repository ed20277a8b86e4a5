import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process is quiet when its event loop was busy for less than this share of the last look. */
const BUSY_MAX = 0.2;
const LOOK_EVERY_MS = 4_000;
/** A collection stops the process for about a tenth of a second, so it has to be worth it, and rare. */
const WORTH_BYTES = 12_000_000;
const RARELY_MS = 600_000;

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

function openCollector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Returns to the system what the start, or a rush, has left in the heap. V8 collects only when a process allocates, so
 * a process that has become quiet would keep a young generation of up to 130 MB. A busy process is left alone.
 */
export async function releaseMemory(signal: AbortSignal): Promise<void> {
  const collect = openCollector();
  let [leastMs, collectedAt, collectedTo] = [LOOK_EVERY_MS, 0, 0];
  while (!signal.aborted) {
    const before = performance.eventLoopUtilization();
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    const { utilization } = performance.eventLoopUtilization(before);
    const now = performance.now();
    if (signal.aborted || utilization > BUSY_MAX || now - collectedAt < leastMs) continue;
    if (getHeapStatistics().total_heap_size - collectedTo < WORTH_BYTES) continue;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    [leastMs, collectedAt, collectedTo] = [Math.min(2 * leastMs, RARELY_MS), now, getHeapStatistics().total_heap_size];
  }
}
