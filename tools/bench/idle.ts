import { setTimeout as pause } from 'node:timers/promises';
import { startPlatform } from './bench-platform.ts';
import type { BenchFigure } from './figure.ts';
import { cpuMsOf, memoryBytesOf, processesOf } from './process-use.ts';

/** The wait until startup memory is released and the first candles are written. */
const SETTLING_MS = 20_000;
const MEASURED_MS = 10_000;

/** Measures the platform without any load. */
export async function benchIdle(): Promise<BenchFigure[]> {
  const platform = await startPlatform();
  try {
    await pause(SETTLING_MS);
    const before = cpuMsOf(platform.pid);
    await pause(MEASURED_MS);
    const share = ((cpuMsOf(platform.pid) - before) / MEASURED_MS) * 100;
    const server = Math.round(process.memoryUsage().rss / 1_000_000);
    const memory = memoryBytesOf(platform.pid);
    return [
      {
        name: 'started on an empty data folder, packages installed, web app built',
        value: `ready in ${(platform.readyMs / 1000).toFixed(1)} s`,
        ratio: 'a new database with all its tables and its first prices',
        goal: '≤ 5 s',
        share: ['start of the goal', 5_000 / platform.readyMs],
      },
      {
        name: `memory of the idle platform, ${processesOf(platform.pid).size} processes with the database’s`,
        value: `${Math.round(memory / 1_000_000)} MB, ${share.toFixed(1)}% of a core`,
        ratio: `this small program has ${server} MB`,
        goal: '≤ 450 MB',
        share: ['idle memory of the goal', 450_000_000 / memory],
      },
    ];
  } finally {
    await platform.stop();
  }
}
