import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startPlatform } from './bench-platform.ts';
import type { BenchFigure } from './figure.ts';
import { ownCpuMsOf } from './process-use.ts';

const SETTLING_MS = 20_000;
const MEASURED_MS = 20_000;
const EVERY_MS = 100;
/** Programs that compute without a pause, per core. */
const OTHERS_PER_CORE = 8;
/** A program at this priority leaves the platform ten times its own share, as `CPUWeight=1000` does. */
const NICE = 10;

/** Measures a customer's newest price's age and the index's CPU use beside programs that load every core. */
export async function benchTicks(): Promise<BenchFigure[]> {
  const platform = await startPlatform();
  const ageMs = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${platform.port}/api/coin/data/rate?code=BTC`);
    const { data } = (await answer.json()) as { data: { at: string } };
    return Date.now() - Date.parse(data.at);
  };
  const measure = async (): Promise<{ text: string; share: number }> => {
    const ages: number[] = [];
    const [before, begin] = [ownCpuMsOf(platform.pid), performance.now()];
    while (performance.now() - begin < MEASURED_MS) {
      ages.push(await ageMs());
      await pause(EVERY_MS);
    }
    const share = ((ownCpuMsOf(platform.pid) - before) / (performance.now() - begin)) * 100;
    ages.sort((a, b) => a - b);
    const at = (part: number): string => ((ages[Math.floor((ages.length - 1) * part)] ?? 0) / 1_000).toFixed(1);
    return { text: `newest price ${at(0.5)} s old (median), ${at(1)} s at most`, share };
  };
  const among = async (nice: number): Promise<string> => {
    const others: ChildProcess[] = Array.from({ length: os.availableParallelism() * OTHERS_PER_CORE }, () =>
      spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
    );
    try {
      for (const { pid } of others) if (pid !== undefined) os.setPriority(pid, nice);
      await pause(2_000);
      return (await measure()).text;
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  };
  try {
    await pause(SETTLING_MS);
    const alone = await measure();
    const without = await among(0);
    const precedence = await among(NICE);
    return [
      {
        name: 'ticks of an otherwise idle platform',
        value: alone.text,
        ratio: `the index’s process uses ${alone.share.toFixed(1)}% of a core`,
        goal: '≤ 1.5 s',
      },
      {
        name: `the same among ${OTHERS_PER_CORE} busy programs per core`,
        value: without,
        ratio: `with precedence over them: ${precedence}`,
        goal: 'with precedence ≤ 2 s',
      },
    ];
  } finally {
    await platform.stop();
  }
}
