import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { type Edge, type EdgeOptions, openEdge } from './open-edge.ts';
import type { Session } from './sessions.ts';
import type { Snapshots } from './stream-topics.ts';

/** A clock that tests turn by hand. */
export class TestClock implements Clock {
  #now: number;
  constructor(now = '2026-11-21T08:00:00.000Z') {
    this.#now = Date.parse(now);
  }
  now(): Date {
    return new Date(this.#now);
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}

export interface TestEdge {
  readonly url: string;
  readonly edge: Edge;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** Open sessions by token; tests add and remove them. */
  readonly sessions: Map<string, Session>;
  /** What was reported as a fault or a bug. */
  readonly reported: unknown[];
  close(): Promise<void>;
}

const EMPTY: Snapshots = {
  tickers: () => [],
  candle: () => null,
  tradesCandle: () => null,
  book: () => null,
  trades: async () => [],
  contracts: async () => [],
  orders: async () => [],
  balances: async () => [],
  messages: async () => ({ unread: 0, latest: null }),
};

/** A real edge on a free port, with the given handlers. `token-1` is a session of customer 1, `token-2` of customer 2. */
export async function openTestEdge(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  const bus = new Bus();
  const clock = new TestClock();
  const sessions = new Map<string, Session>([
    ['token-1', { customerId: 1n, sessionId: 's1' }],
    ['token-2', { customerId: 2n, sessionId: 's2' }],
  ]);
  const reported: unknown[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-edge-'));
  writeFileSync(path.join(folder, 'plain.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const edge = await openEdge({
    handlers: [],
    bus,
    clock,
    sessions: { resolve: async (token) => sessions.get(token) ?? null },
    snapshots: EMPTY,
    mode: 'demo',
    readiness: async () => null,
    folders: { web: path.join(folder, 'web'), pictures: folder },
    report: (error) => reported.push(error),
    ...options,
  });
  const url = await edge.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    edge,
    bus,
    clock,
    sessions,
    reported,
    async close() {
      await edge.close(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
