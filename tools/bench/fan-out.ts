import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ticker } from '@sathorn/api';
import { Bus } from '@sathorn/server/bus';
import { loadEdge, publicTopic } from '@sathorn/server/edge';
import { BENCH_COINS } from './bench-platform.ts';
import type { ReadersCount, ReadersOrder } from './fan-out-readers.ts';
import { type BenchFigure, perSecond } from './figure.ts';

const SECONDS = 8;
const TOPICS = ['tickers', 'candle:BTC:1m'];

interface Run {
  /** Frames per second over all readers, and for the reader that got the fewest. */
  readonly frames: number;
  readonly fewest: number;
  readonly megabytes: number;
  /** The share of a core used by the edge. */
  readonly cpu: number;
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

/** Measures one edge process with this many readers and new data for each frame. */
async function fanOut(readers: number, frameEveryMs: number): Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-bench-'));
  const bus = new Bus();
  const tickers = BENCH_COINS.map(
    (code): Ticker => ({ code, price: '64000.00', change_24h: '1.25', sequence: '1', at: '', stale: false }),
  );
  const { openEdge } = await loadEdge();
  const edge = await openEdge({
    handlers: [],
    bus,
    clock: { now: () => new Date() },
    sessions: { resolve: async () => null },
    topics: [
      publicTopic('tickers', {}, () => tickers),
      publicTopic('candle', { code: ['BTC'], interval: ['1m'] }, () => null),
    ],
    mode: 'demo',
    title: 'Bench',
    readiness: async () => null,
    folders: { web: path.join(folder, 'web'), pictures: folder },
    streamLimits: { frameEveryMs },
    report: (error) => {
      throw error;
    },
  });
  const { port } = new URL(await edge.listen({ host: '127.0.0.1', port: 0 }));
  const child = fork(new URL('./fan-out-readers.ts', import.meta.url), { execArgv: process.execArgv });
  const order: ReadersOrder = { port: Number(port), count: readers, topics: TOPICS };
  child.send(order);
  await answerOf<'open'>(child);

  let sequence = 0;
  const speaking = setInterval(() => {
    sequence += 1;
    const at = new Date().toISOString();
    bus.emit('tickers', { data: tickers.map((ticker) => ({ ...ticker, sequence: String(sequence), at })) });
    const candle = { time: at, open: '64000.00', high: '64010.00', low: '63990.00', close: '64005.00', volume: '0' };
    bus.emit('candle', { code: 'BTC', interval: '1m', data: { code: 'BTC', interval: '1m', candle: candle as never } });
  }, frameEveryMs);
  await pause(1_000);
  child.send('begin');
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await pause(SECONDS * 1000);
  child.send('end');
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const count = await answerOf<ReadersCount>(child);
  clearInterval(speaking);
  await edge.close(500);
  rmSync(folder, { recursive: true, force: true });
  return {
    frames: count.frames / seconds,
    fewest: count.fewest / seconds,
    megabytes: count.bytes / seconds / 1_000_000,
    cpu: (user + system) / 1_000_000 / seconds,
  };
}

const said = ({ frames, megabytes }: Run): string =>
  `${perSecond(frames * TOPICS.length)} in ${perSecond(frames)} frames, ${megabytes.toFixed(0)} MB/s`;

/**
 * Measures the live stream of one edge process, with the readers in another process on the same two cores. A message is
 * one topic's update for one reader.
 */
export async function benchFanOut(): Promise<BenchFigure[]> {
  const many = await fanOut(10_000, 100);
  const fast = await fanOut(2_000, 10);
  return [
    {
      name: 'live messages to 10,000 readers of two topics, each a frame per 100 ms',
      value: said(many),
      ratio: `${(many.frames / 100_000).toFixed(2)}× all that was said, ${(many.fewest / 10).toFixed(2)}× for the reader that got the fewest; ${(many.cpu * 100).toFixed(0)}% of a core`,
      goal: '≥ 140,000/s, 10 frames/s each',
      share: ['live messages of what was said', many.frames / 100_000],
    },
    {
      name: 'live messages to 2,000 readers, as fast as one edge sends',
      value: said(fast),
      ratio: `${(fast.frames / many.frames).toFixed(2)}× the frames of the above; ${(fast.cpu * 100).toFixed(0)}% of a core`,
      goal: '–',
    },
  ];
}
