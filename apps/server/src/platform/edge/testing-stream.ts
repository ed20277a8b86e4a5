/** Connections to the live stream, for tests; each is closed when its test ends. */
import { once } from 'node:events';
import type { OptionOrder, ServerFrame, Ticker } from '@sathorn/api';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { EdgeDependencies } from './edge.ts';
import { openTestEdge, type TestEdge, type TopicStates, testTopics } from './testing.ts';

type Event = Extract<ServerFrame, { op: 'event' }>['events'][number];

/** A client that records what it receives. */
export class StreamListener {
  readonly socket: WebSocket;
  readonly frames: ServerFrame[] = [];
  closedWith: number | null = null;
  #woken: (() => void)[] = [];

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/api/stream`, { headers });
    onTestFinished(() => this.socket.terminate());
    this.socket.on('message', (bytes: Buffer) => {
      this.frames.push(JSON.parse(bytes.toString()) as ServerFrame);
      this.#wake();
    });
    this.socket.on('close', (code) => {
      this.closedWith = code;
      this.#wake();
    });
    this.socket.on('error', () => this.#wake());
  }

  #wake(): void {
    for (const go of this.#woken.splice(0)) go();
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  get events(): Event[] {
    return this.frames.flatMap((frame) => (frame.op === 'event' ? frame.events : []));
  }

  /** Waits until `look` finds something, or until the test times out. */
  async until<Found>(look: (listener: this) => Found | undefined | null | false): Promise<Found> {
    for (;;) {
      const found = look(this);
      if (found) return found;
      await new Promise<void>((go) => this.#woken.push(go));
    }
  }

  /** Resolves when everything sent before it has been answered. */
  async settled(): Promise<void> {
    const before = this.frames.filter(({ op }) => op === 'pong').length;
    this.send({ op: 'ping' });
    await this.until(({ frames }) => frames.filter(({ op }) => op === 'pong').length > before);
  }
}

export const tickerOf = (code: string, price: string): Ticker => ({
  code,
  price,
  change_24h: '0',
  sequence: '1',
  at: '2026-11-21T08:00:00.000Z',
  stale: false,
});
export const optionOrderOf = (id: string, status: OptionOrder['status'] = 'holding') => ({ id, status }) as OptionOrder;

export async function openTestStream(
  snapshots: Partial<TopicStates> = {},
  options: Partial<EdgeDependencies> = {},
): Promise<TestEdge> {
  const edge = await openTestEdge({
    topics: testTopics({
      tickers: () => [tickerOf('BTC', '1.00'), tickerOf('ETH', '2.00')],
      candle: (code, interval) => (interval === '1w' ? null : [1, '1', '1', '1', '1', code.length.toString(), 0]),
      book: () => null,
      trades: async () => [],
      contracts: async () => [],
      orders: async (owner) => [optionOrderOf(`held by ${owner}`)],
      balances: async () => [{ asset: 'USDT', available: '1.000000', held: '0.000000' }],
      messages: async (_owner, { language, digits, timeZone }) => ({
        unread: 1,
        latest: {
          id: 'm',
          title: `title in ${[language, digits, timeZone].filter(Boolean).join()}`,
          content: '',
          body: null,
          status: 'unread',
          at: '2026-11-21T08:00:00.000Z',
        },
      }),
      ...snapshots,
    }),
    ...options,
    streamLimits: { frameEveryMs: 20, ...options.streamLimits },
  });
  onTestFinished(edge.close);
  return edge;
}

export async function connectListener(test: TestEdge, headers: Record<string, string> = {}): Promise<StreamListener> {
  const listener = new StreamListener(test.url, headers);
  await listener.until(({ frames }) => frames[0]?.op === 'hello');
  return listener;
}

/** The HTTP status with which an upgrade was refused. */
export async function refusedUpgrade(
  test: TestEdge,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const socket = new WebSocket(`${test.url.replace('http', 'ws')}${path}`, { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}
