import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process is quiet when its event loop was busy for less than this share of the last look. */
const BUSY_MAX = 0.2;
const LOOK_EVERY_MS = 4_000;
/** A collection stops the process for about a tenth of a second, so it runs only if it frees at least this much. */
const WORTH_BYTES = 12_000_000;
const RARELY_MS = 600_000;
/** The young generation of a quiet process stays below about twice this. */
const YOUNG_QUIET_BYTES = 8_000_000;

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

function openCollector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/** Size of the young generation. */
export const youngGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/** V8 doubles the young generation when many objects survive, which would waste an idle process's memory. */
export const setYoungGenerationGrowth = (isAllowed: boolean): void =>
  setFlagsFromString(`--semi-space-growth-factor=${isAllowed ? 2 : 1}`);

/**
 * Returns to the system the memory that the start or a burst of work left in the heap. V8 collects only when a process
 * allocates, so a quiet process would keep a young generation of up to 130 MB. Busy processes are not collected.
 */
export async function releaseMemory(signal: AbortSignal): Promise<void> {
  const collect = openCollector();
  let [leastMs, collectedAt, collectedTo] = [LOOK_EVERY_MS, 0, 0];
  while (!signal.aborted) {
    const before = performance.eventLoopUtilization();
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    const { utilization } = performance.eventLoopUtilization(before);
    const now = performance.now();
    setYoungGenerationGrowth(utilization > BUSY_MAX || youngGenerationBytes() < YOUNG_QUIET_BYTES);
    if (signal.aborted || utilization > BUSY_MAX || now - collectedAt < leastMs) continue;
    if (getHeapStatistics().total_heap_size - collectedTo < WORTH_BYTES) continue;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    [leastMs, collectedAt, collectedTo] = [Math.min(2 * leastMs, RARELY_MS), now, getHeapStatistics().total_heap_size];
  }
}
