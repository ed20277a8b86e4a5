import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VenueBook } from './impact-mid.ts';
import { LIVE_VENUES, liveSources } from './live-sources.ts';
import type { PriceSource } from './price-source.ts';
import { openVenueClient } from './venue-client.ts';

/** A local server that implements the part of OKX's public protocol that we use. */
class LoopbackVenue {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly subscribed = new Set<string>();
  /** Symbols that this venue rejects as unknown. */
  readonly refused = new Set<string>();
  connections = 0;
  listings = 0;
  listing: 'whole' | 'part' | 'refused' | 'empty' | 'page' = 'whole';
  isHangingUp = false;

  constructor() {
    this.#http = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      this.listings += 1;
      if (this.listing === 'refused') response.statusCode = 503;
      if (this.listing === 'page') return response.end('<h1>Back soon</h1>');
      const isSpot = request.url?.startsWith('/api/v5/public/instruments') && request.url.includes('instType=SPOT');
      const instrument = (base: string, quote: string) => ({
        instType: 'SPOT',
        instId: `${base}-${quote}`,
        baseCcy: base,
        quoteCcy: quote,
        settleCcy: '',
        lotSz: '0.00000001',
        minSz: '0.00001',
        tickSz: '0.1',
        state: 'live',
        category: '1',
      });
      const listed = [instrument('BTC', 'USDT'), instrument('BTC', 'USD'), instrument('ETH', 'USDT')];
      const counts = { whole: 3, part: 2, empty: 0, refused: 3 };
      const data = isSpot ? listed.slice(0, counts[this.listing]) : [];
      return response.end(JSON.stringify({ code: '0', msg: '', data }));
    });
    this.#sockets = new WebSocketServer({ server: this.#http });
    this.#sockets.on('connection', (socket) => {
      this.connections += 1;
      if (this.isHangingUp) return socket.terminate();
      return socket.on('message', (bytes: Buffer) => this.#answer(socket, bytes.toString('utf8')));
    });
  }

  #answer(socket: WebSocket, text: string): void {
    if (text === 'ping') {
      socket.send('pong');
      return;
    }
    const { op, args } = JSON.parse(text) as { op: string; args: { channel: string; instId: string }[] };
    if (op !== 'subscribe') return;
    for (const arg of args) {
      if (this.refused.has(arg.instId)) {
        const msg = `channel:${arg.channel},instId:${arg.instId} doesn't exist`;
        socket.send(JSON.stringify({ event: 'error', msg, code: '60018', connId: 'a4d3ae55' }));
        continue;
      }
      this.subscribed.add(`${arg.channel} ${arg.instId}`);
      socket.send(JSON.stringify({ event: 'subscribe', arg, connId: 'a4d3ae55' }));
    }
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    return (this.#http.address() as AddressInfo).port;
  }

  #send(channel: string, instId: string, data: object): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ arg: { channel, instId }, data: [data] }));
  }
  trade(instId: string, tradeId: string, px: string, sz: string, ts: number): void {
    this.#send('trades', instId, { instId, tradeId, px, sz, side: 'buy', ts: String(ts), count: '1' });
  }
  /** Sends a whole book with one level per side, deep enough for any amount. */
  book(instId: string, bid: string, ask: string, ts: number, amount = '1000'): void {
    this.levels(instId, [[bid, amount]], [[ask, amount]], ts);
  }
  levels(instId: string, bids: readonly string[][], asks: readonly string[][], ts: number): void {
    const level = ([price, amount]: readonly string[]) => [price, amount, '0', '1'];
    const data = { bids: bids.map(level), asks: asks.map(level), ts: String(ts), seqId: 1, prevSeqId: -1 };
    const arg = { channel: 'books', instId };
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ arg, action: 'snapshot', data: [data] }));
  }
  /** Sends the levels of a book that have changed. */
  change(instId: string, bids: readonly string[][], asks: readonly string[][], ts: number): void {
    const level = ([price, amount]: readonly string[]) => [price, amount, '0', '1'];
    const data = { bids: bids.map(level), asks: asks.map(level), ts: String(ts), seqId: 1, prevSeqId: 1 };
    const arg = { channel: 'books', instId };
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ arg, action: 'update', data: [data] }));
  }
  /** Drops all connections, as a venue does when it restarts. */
  drop(): void {
    this.subscribed.clear();
    for (const socket of this.#sockets.clients) socket.terminate();
  }
  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    await new Promise((resolve) => this.#sockets.close(resolve));
    await new Promise((resolve) => this.#http.close(resolve));
  }
}

/** The library requires an agent for an address without TLS. */
const venueAt = (port: number): Record<string, unknown> => ({
  httpAgent: new Agent(),
  urls: { api: { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws/v5` } },
});

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

// Loading the library takes a second; everything else waits only for a local socket.
describe('a live source', () => {
  let venue: LoopbackVenue;
  let source: PriceSource;
  const faults: unknown[] = [];
  let port: number;

  beforeEach(async () => {
    venue = new LoopbackVenue();
    port = await venue.listen();
    faults.length = 0;
    open();
  });
  const open = (askAgainMs = 600_000): void => {
    [source] = liveSources({
      venues: [{ id: 'okx', quote: 'USDT' }],
      coins: ['BTC', 'ETH', 'TRX'],
      retryMs: 5,
      askAgainMs,
      onFault: (error) => faults.push(error),
      settings: () => venueAt(port),
    }) as [PriceSource];
  };
  afterEach(async () => {
    await source.stop();
    await venue.close();
  });
  const listening = () =>
    vi.waitFor(
      () =>
        expect([...venue.subscribed].sort()).toEqual([
          'books BTC-USDT',
          'books ETH-USDT',
          'trades BTC-USDT',
          'trades ETH-USDT',
        ]),
      20_000,
    );
  const heard = (price: bigint) => vi.waitFor(() => expect(source.latest('BTC', 0)?.price).toBe(price), 120_000);

  test('reports the impact mid at the book’s time, counts volume, and is silent about unlisted coins', async () => {
    expect(source).toMatchObject({ name: 'okx-usdt', family: 'USDT' });
    expect(source.latest('BTC', 0)).toBeNull();
    source.start();
    await listening();
    venue.trade('BTC-USDT', '1', '92400.12', '0.00000003', NOW);
    venue.trade('BTC-USDT', '2', '92400.12', '1.5', NOW + 10);
    venue.book('BTC-USDT', '92400.1', '92400.2', NOW + 20);
    await heard(92_400_150_000n);
    expect(source.latest('BTC', 0)).toMatchObject({ price: 92_400_150_000n, at: NOW + 20 });
    expect(source.takeVolume('BTC', 0)).toBe(150_000_003n);
    expect(source.takeVolume('BTC', 0)).toBe(0n);
    expect(source.latest('ETH', 0)).toBeNull();
    expect(source.latest('TRX', 0)).toBeNull();
    expect(faults).toEqual([]);
  });

  test('a trade at the ask does not change the vote: neither price nor time changes until the book does', async () => {
    source.start();
    await listening();
    venue.book('BTC-USDT', '100', '100.01', NOW);
    await heard(100_005_000n);
    const before = source.latest('BTC', 0);
    venue.trade('BTC-USDT', '5', '100.01', '0.00001', NOW + 4_000);
    await vi.waitFor(() => expect(source.latest('BTC', 0)?.trade).toMatch(/5$/), 120_000);
    expect(source.latest('BTC', 0)).toEqual({ ...before, trade: expect.stringMatching(/5$/) });
  });

  test('levels that the venue deletes are gone, and levels that it adds count', async () => {
    source.start();
    await listening();
    venue.book('BTC-USDT', '100', '100.02', NOW);
    await heard(100_010_000n);
    venue.change(
      'BTC-USDT',
      [
        ['100', '0'],
        ['100.01', '500'],
      ],
      [
        ['100.02', '0'],
        ['100.03', '500'],
      ],
      NOW + 50,
    );
    await heard(100_020_000n);
    expect(source.latest('BTC', 0)?.at).toBe(NOW + 50);
  });

  test('a book too thin for the amount, or too wide, has no vote until it is whole again', async () => {
    source.start();
    await listening();
    venue.book('BTC-USDT', '100', '100.02', NOW);
    await heard(100_010_000n);
    venue.book('BTC-USDT', '100', '100.02', NOW + 100, '99');
    await vi.waitFor(() => expect(source.latest('BTC', 0)).toBeNull(), 120_000);
    venue.book('BTC-USDT', '99', '101', NOW + 200);
    venue.book('ETH-USDT', '99', '99.01', NOW + 200);
    await vi.waitFor(() => expect(source.latest('ETH', 0)).not.toBeNull(), 120_000);
    expect(source.latest('BTC', 0)).toBeNull();
    venue.book('BTC-USDT', '100', '100.04', NOW + 300);
    await heard(100_020_000n);
  });

  test('reconnects when the venue is back', async () => {
    source.start();
    await listening();
    venue.book('BTC-USDT', '100', '100.02', NOW);
    await heard(100_010_000n);
    venue.drop();
    await listening();
    expect(venue.connections).toBeGreaterThan(1);
    // Four subscriptions were cut off together and count as one fault.
    expect(faults).toHaveLength(1);
    venue.book('BTC-USDT', '105', '105.02', NOW + 1_000);
    await heard(105_010_000n);
  });

  test.each(['refused', 'empty', 'page'] as const)('waits for a venue whose list is %s', async (listing) => {
    venue.listing = listing;
    source.start();
    const before = venue.listings;
    await vi.waitFor(() => expect(venue.listings).toBeGreaterThan(before + 3), 120_000);
    expect(faults).toHaveLength(1);
    venue.listing = 'whole';
    await listening();
  });

  test('requests again a coin that was not listed, or that was refused, and leaves the other coins alone', async () => {
    open(400);
    venue.listing = 'part';
    source.start();
    await vi.waitFor(
      () => expect([...venue.subscribed].sort()).toEqual(['books BTC-USDT', 'trades BTC-USDT']),
      120_000,
    );
    const speaking = setInterval(() => venue.book('BTC-USDT', '100', '100.02', Date.now()), 20);
    await heard(100_010_000n);
    venue.refused.add('ETH-USDT');
    venue.listing = 'whole';
    await vi.waitFor(() => expect(faults.length).toBeGreaterThan(0), 120_000);
    const { connections } = venue;
    venue.refused.clear();
    await listening();
    const there = setInterval(() => venue.book('ETH-USDT', '3000', '3000.02', NOW), 20);
    await vi.waitFor(() => expect(source.latest('ETH', 0)).not.toBeNull(), 120_000);
    venue.trade('ETH-USDT', '1', '3000', '2', NOW);
    await vi.waitFor(() => expect(source.latest('ETH', 0)?.trade).toMatch(/ 1$/), 120_000);
    for (const timer of [speaking, there]) clearInterval(timer);
    expect(venue.connections).toBeGreaterThan(connections);
    // The coin is subscribed on one connection only; otherwise the volume would count twice.
    expect(source.takeVolume('ETH', 0)).toBe(200_000_000n);
  });

  // An unhandled rejection would end the process, and here the test run.
  test('reconnects to a venue that hangs up during the handshake', async () => {
    venue.isHangingUp = true;
    source.start();
    await vi.waitFor(() => expect(venue.connections).toBeGreaterThan(1), 120_000);
    venue.isHangingUp = false;
    await listening();
  });

  test('stops at any point of its work, and may be started again', async () => {
    source.start();
    source.start();
    await listening();
    await source.stop();
    await source.stop();
    venue.subscribed.clear();
    source.start();
    await listening();
  });
});

test('the library opens no connection after the stop, even one that it had postponed', async () => {
  const venue = new LoopbackVenue();
  const stopping = new AbortController();
  const client = await openVenueClient('okx', venueAt(await venue.listen()), stopping.signal);
  await client.loadMarkets(true);
  stopping.abort();
  const answer = client.watchTrades('BTC/USDT').catch((error: unknown) => String(error));
  for (let n = 0; n < 3; n += 1) await client.loadMarkets(true);
  expect(venue.connections).toBe(0);
  await client.close();
  expect(await answer).toMatch(/closed/);
  await venue.close();
});

// Kraken and Coinbase send numbers that the library passes on as strings, and Coinbase's usual channel requires a
// login.
test.each([
  [
    'kraken',
    { channel: 'book', type: 'snapshot', data: [{ symbol: 'BTC/USD', bids: [{ price: 100, qty: 5 }], asks: [] }] },
    {
      channel: 'book',
      type: 'update',
      data: [
        {
          symbol: 'BTC/USD',
          bids: [
            { price: 100, qty: 0 },
            { price: 99, qty: 7 },
          ],
          asks: [
            { price: 101, qty: 1 },
            { price: 100.5, qty: 2 },
          ],
          timestamp: '2026-11-20T12:00:00.123456Z',
        },
      ],
    },
  ],
  [
    'coinbaseexchange',
    { type: 'snapshot', product_id: 'BTC-USD', bids: [['100', '5']], asks: [] },
    {
      type: 'l2update',
      product_id: 'BTC-USD',
      time: '2026-11-20T12:00:00.123Z',
      changes: [
        ['buy', '100', '0'],
        ['buy', '99', '7'],
        ['sell', '101', '1'],
        ['sell', '100.5', '2'],
      ],
    },
  ],
])(
  'a book of %s sorts its levels, drops deleted ones and asks for no login',
  async (id, snapshot, update) => {
    const asked: unknown[] = [];
    const client = (await openVenueClient(id, {}, new AbortController().signal)) as unknown as {
      watch: (url: string, hash: string, message: unknown) => Promise<unknown>;
      watchMultiHelper: (...request: unknown[]) => Promise<unknown>;
      loadMarkets(): Promise<unknown>;
      markets: unknown;
      market(): unknown;
      safeMarket(): unknown;
      symbol(symbol: string): string;
      marketSymbols(symbols: string[]): string[];
      handleOrderBook(socket: unknown, message: unknown): void;
      watchOrderBook(symbol: string): Promise<VenueBook>;
    };
    const market = { id: 'BTC-USD', symbol: 'BTC/USD' };
    let book: VenueBook | undefined;
    const socket = { subscriptions: {}, resolve: (told: VenueBook) => (book = told) };
    client.markets = { 'BTC/USD': market };
    client.loadMarkets = async () => client.markets;
    client.market = () => market;
    client.safeMarket = () => market;
    client.symbol = (symbol) => symbol;
    client.marketSymbols = (symbols) => symbols;
    const answer = async (...request: unknown[]): Promise<unknown> => {
      asked.push(request);
      return { limit: () => undefined };
    };
    client.watch = answer;
    client.watchMultiHelper = answer;
    await client.watchOrderBook('BTC/USD');
    expect(JSON.stringify(asked)).toMatch(id === 'kraken' ? /100/ : /level2_batch/);
    client.handleOrderBook(socket, snapshot);
    client.handleOrderBook(socket, update);
    expect({ bids: [...(book?.bids ?? [])], asks: [...(book?.asks ?? [])], timestamp: book?.timestamp }).toEqual({
      bids: [[99, 7]],
      asks: [
        [100.5, 2],
        [101, 1],
      ],
      timestamp: Date.UTC(2026, 10, 20, 12, 0, 0, 123),
    });
  },
  30_000,
);

test('by default there are enough votes even when two venues are down', () => {
  const families = LIVE_VENUES.map(({ quote }) => quote);
  expect(families.filter((quote) => quote === 'USDT').length).toBeGreaterThanOrEqual(4);
  expect(new Set(LIVE_VENUES.map(({ id }) => id)).size).toBe(LIVE_VENUES.length);
});
