import { type CommandBus, openLocalCommands, openNatsCommands } from '@sathorn/server/bus';
import { startNatsServer } from '@sathorn/server/bus/testing';
import { type BenchFigure, perSecond } from './figure.ts';

const SUBJECT = 'bench.bus';
const SECONDS = 4;
const AT_ONCE = 256;
/** The content of a contract order. */
const ORDER = { kind: 'place', customer: '9007199254740993', side: 'buy', price: '64000.10', quantity: '0.2500' };

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measure(edge: CommandBus, atOnce: number): Promise<Measured> {
  const took: number[] = [];
  const begin = performance.now();
  const end = begin + SECONDS * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const sent = performance.now();
        await edge.request(SUBJECT, `bench ${begin} ${count++}`, ORDER);
        took.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0;
  return { perSecond: took.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function untilServed(edge: CommandBus): Promise<void> {
  for (;;) {
    try {
      await edge.request(SUBJECT, `first ${performance.now()}`, ORDER);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/**
 * Measures the time from a request to its answer by an empty handler: only the bus, without the database. Both ends
 * share one process and its core.
 */
export async function benchBus(): Promise<BenchFigure[]> {
  const onFault = (error: unknown): void => console.error(error);
  const nats = await startNatsServer();
  const open = () => openNatsCommands({ url: nats.url, onFault });
  const local = openLocalCommands({ onFault });
  const [edge, matcher] = [await open(), await open()];
  const ending = new AbortController();
  try {
    for (const commands of [local, matcher]) void commands.serve(SUBJECT, ending.signal, async () => ({ ok: true }));
    await untilServed(local);
    await untilServed(edge);
    const within = await measure(local, AT_ONCE);
    const one = await measure(edge, 1);
    const many = await measure(edge, AT_ONCE);
    return [
      {
        name: `a command and its answer over JetStream, ${AT_ONCE} at once`,
        value: `${perSecond(many.perSecond)}, p50 ${many.p50Ms.toFixed(1)} ms, p99 ${many.p99Ms.toFixed(1)} ms`,
        goal: '18,000/s',
        ratio: `${(many.perSecond / within.perSecond).toFixed(3)}× of within one process`,
      },
      {
        name: 'a command and its answer over JetStream, one at a time',
        value: `p50 ${one.p50Ms.toFixed(2)} ms, p99 ${one.p99Ms.toFixed(2)} ms`,
        goal: 'p50 1 ms',
        ratio: `${perSecond(one.perSecond)}`,
      },
    ];
  } finally {
    ending.abort();
    await edge.close();
    await matcher.close();
    await nats.close();
  }
}
