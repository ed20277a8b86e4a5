import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BookView,
  type Candle,
  type ContractOrder,
  INTERVALS,
  type Interval,
  type Message,
  type OptionOrder,
  type Ticker,
  type TradeView,
} from '@sathorn/api';
import { COIN_CODES } from '@sathorn/money';
import type { Reader } from '@sathorn/text';
import { afterEach, onTestFinished } from 'vitest';
import { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Edge, EdgeDependencies } from './edge.ts';
import type { Handler } from './handle.ts';
import { openEdge } from './open-edge.ts';
import type { Session } from './sessions.ts';
import { customerTopic, publicTopic, type TopicSource } from './topic-source.ts';

/** Texts that are not amounts, because they can be read in two ways or in none. */
export const MALFORMED_AMOUNTS = [
  '-1',
  '-0',
  '+5',
  ' 5 ',
  '5e3',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  '١٢',
  '５',
  '1,000',
  '9'.repeat(10_000),
  `0.${'1'.repeat(30)}`,
  '1.0000001',
  '.5',
  '5.',
  '00',
  '01',
  '1_000',
  '1.5.5',
  "1'--",
  '[1]',
  '{"a":1}',
  'null',
  'true',
  '1\n',
  '１２',
  '5 ',
  '๕',
  '1.',
  '1.2.3',
  `1.${'0'.repeat(30)}`,
  '[object Object]',
  '12abc',
];

/** A clock set by hand. */
export class TestClock implements Clock {
  #now: number;
  #elapsedMs = 0;
  constructor(now = '2026-11-21T08:00:00.000Z') {
    this.#now = Date.parse(now);
  }
  now(): Date {
    return new Date(this.#now);
  }
  advance(ms: number): void {
    this.#now += ms;
    this.#elapsedMs += ms;
  }
  /** Changes the clock without letting time pass. */
  step(ms: number): void {
    this.#now += ms;
  }
  readonly elapsedMs = (): number => this.#elapsedMs;
}

/** Counts this edge's server-side sockets. Other test files run in the same process and have sockets too. */
export function countSockets(url: string): { readonly accepted: number; readonly open: number } {
  const port = Number(new URL(url).port);
  const count = { accepted: 0, open: 0 };
  const add: ChannelListener = (message) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== port) return;
    count.accepted += 1;
    count.open += 1;
    socket.once('close', () => {
      count.open -= 1;
    });
  };
  subscribe('net.server.socket', add);
  onTestFinished(() => void unsubscribe('net.server.socket', add));
  return count;
}

/** The answer to a call. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly ret: number;
    readonly msg: string;
    readonly data: { code?: string; fields?: Record<string, string>; params?: Record<string, string> } & Record<
      string,
      unknown
    >;
  };
}

export interface TestEdge {
  readonly url: string;
  readonly edge: Edge;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** Open sessions by token; tests add and remove them. */
  readonly sessions: Map<string, Session>;
  /** The faults and bugs that were reported. */
  readonly reported: unknown[];
  ask(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<EdgeAnswer>;
  close(): Promise<void>;
}

/** How a test provides the state of each topic. */
export interface TopicStates {
  tickers(): Ticker[] | Promise<Ticker[]>;
  candle(code: string, interval: Interval): Candle | null;
  book(code: string): BookView | null;
  trades(code: string): Promise<TradeView[]>;
  orders(owner: bigint): Promise<OptionOrder[]>;
  contracts(owner: bigint): Promise<ContractOrder[]>;
  balances(owner: bigint): Promise<{ asset: string; available: string; held: string }[]>;
  messages(owner: bigint, reader: Reader): Promise<{ unread: number; latest: Message | null }>;
}

const EMPTY: TopicStates = {
  tickers: () => [],
  candle: () => null,
  book: () => null,
  trades: async () => [],
  orders: async () => [],
  contracts: async () => [],
  balances: async () => [],
  messages: async () => ({ unread: 0, latest: null }),
};

/** The platform's topics without its modules. */
export function testTopics(given: Partial<TopicStates> = {}): TopicSource[] {
  const states = { ...EMPTY, ...given };
  const code = COIN_CODES;
  return [
    publicTopic('tickers', {}, () => states.tickers()),
    publicTopic('candle', { code, interval: INTERVALS }, (of) => {
      const candle = states.candle(of.code, of.interval);
      return candle && { ...of, candle };
    }),
    publicTopic('trades_candle', { code, interval: INTERVALS }, () => null),
    publicTopic('book', { code }, (of) => states.book(of.code)),
    publicTopic('trades', { code }, (of) => states.trades(of.code)),
    customerTopic('orders', (owner) => states.orders(owner)),
    customerTopic('contracts', (owner) => states.contracts(owner)),
    customerTopic('balances', (owner) => states.balances(owner), 'funds'),
    customerTopic('messages', (owner, reader) => states.messages(owner, reader)),
  ];
}

/**
 * A real edge on a free port with the given handlers. `token-1` is a session of customer 1, `token-2` of customer 2.
 */
export async function openTestEdge(options: Partial<EdgeDependencies> = {}): Promise<TestEdge> {
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
    elapsedMs: options.clock instanceof TestClock ? options.clock.elapsedMs : clock.elapsedMs,
    sessions: { resolve: async (token) => sessions.get(token) ?? null },
    topics: testTopics(),
    mode: 'demo',
    title: 'Test',
    readiness: async () => null,
    folders: { web: path.join(folder, 'web'), console: path.join(folder, 'console'), pictures: folder },
    report: (error) => reported.push(error),
    ...options,
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const url = await edge.listen({ host: '127.0.0.1', port: 0 });
  let closed: Promise<void> | undefined;
  return {
    url,
    edge,
    bus,
    clock,
    sessions,
    reported,
    async ask(method, at, { headers = {}, body } = {}) {
      const response = await fetch(`${url}${at}`, { method, headers, ...(body === undefined ? {} : { body }) });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as EdgeAnswer['body'],
      };
    },
    close: () =>
      (closed ??= edge.close(500).finally(() => {
        rmSync(folder, { recursive: true, force: true });
      })),
  };
}

/**
 * Manages the edges of a test file: each test opens its own, which are closed after it. Requests go to the newest edge.
 */
export function openEdgePerTest() {
  const edges: TestEdge[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(edges.splice(0).map((edge) => edge.close()));
  };
  afterEach(close);
  const opened = (): TestEdge => {
    const edge = edges.at(-1);
    if (!edge) throw new Error('no edge is open');
    return edge;
  };
  return {
    open: async (handlers: readonly Handler[], options: Partial<EdgeDependencies> = {}): Promise<TestEdge> => {
      const edge = await openTestEdge({ handlers, ...options });
      edges.push(edge);
      return edge;
    },
    ask: (...asked: Parameters<TestEdge['ask']>): Promise<EdgeAnswer> => opened().ask(...asked),
    url: (): string => opened().url,
    close,
  };
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
export function sendRaw(bytes: string | Buffer, url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
  });
}
