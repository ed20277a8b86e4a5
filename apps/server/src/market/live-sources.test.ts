import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../clock.ts';
import { LIVE_VENUES, liveSources } from './live-sources.ts';
import type { Source } from './source.ts';
import { openVenueClient } from './venue-client.ts';

/** A server on this machine that speaks the public protocol of OKX, as far as we listen to it. */
class LoopbackVenue {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly subscribed = new Set<string>();
  /** Of what it says that there is no such thing. */
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
  ticker(instId: string, last: string, ts: number): void {
    this.#send('tickers', instId, {
      instType: 'SPOT',
      instId,
      last,
      lastSz: '1',
      askPx: last,
      askSz: '1',
      bidPx: last,
      bidSz: '1',
      open24h: last,
      high24h: last,
      low24h: last,
      volCcy24h: '1',
      vol24h: '1',
      ts: String(ts),
    });
  }
  /** As when a venue restarts. */
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

/** The library wants an agent for an address without TLS. */
const venueAt = (port: number): Record<string, unknown> => ({
  httpAgent: new Agent(),
  urls: { api: { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws/v5` } },
});

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

// Loading the library alone takes a second; everything else here waits for a local socket only.
describe('a live source', { timeout: 30_000 }, () => {
  let venue: LoopbackVenue;
  let source: Source;
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
      clock: systemClock,
      venues: [{ id: 'okx', quote: 'USDT' }],
      coins: ['BTC', 'ETH', 'TRX'],
      retryMs: 5,
      askAgainMs,
      onFault: (error) => faults.push(error),
      settings: () => venueAt(port),
    }) as [Source];
  };
  afterEach(async () => {
    await source.stop();
    await venue.close();
  });
  const listening = () =>
    vi.waitFor(
      () =>
        expect([...venue.subscribed].sort()).toEqual([
          'tickers BTC-USDT',
          'tickers ETH-USDT',
          'trades BTC-USDT',
          'trades ETH-USDT',
        ]),
      20_000,
    );
  const heard = (price: bigint) => vi.waitFor(() => expect(source.latest('BTC', 0)?.price).toBe(price), 10_000);

  test('hears trades exactly, counts what was traded, and is silent about what the venue does not list', async () => {
    expect(source).toMatchObject({ name: 'okx-usdt', family: 'USDT' });
    expect(source.latest('BTC', 0)).toBeNull();
    source.start();
    await listening();
    venue.trade('BTC-USDT', '1', '92400.12', '0.00000003', NOW);
    venue.trade('BTC-USDT', '2', '92400.1234567', '1.5', NOW + 10);
    await heard(92_400_123_456n);
    expect(source.latest('BTC', 0)).toEqual({ price: 92_400_123_456n, at: NOW + 10, trade: '2' });
    expect(source.takeVolume('BTC', 0)).toBe(150_000_003n);
    expect(source.takeVolume('BTC', 0)).toBe(0n);
    expect(source.latest('ETH', 0)).toBeNull();
    expect(source.latest('TRX', 0)).toBeNull();
    expect(faults).toEqual([]);
  });

  test('a late trade counts as traded and does not turn the price back; a price of nothing is not heard', async () => {
    source.start();
    await listening();
    venue.trade('BTC-USDT', '5', '100', '1', NOW);
    await heard(100_000_000n);
    venue.trade('BTC-USDT', '4', '90', '2', NOW - 500);
    venue.trade('BTC-USDT', '6', '0', '1', NOW + 1);
    venue.trade('BTC-USDT', '7', '101', '1', NOW + 2);
    await heard(101_000_000n);
    expect(source.takeVolume('BTC', 0)).toBe(400_000_000n);
  });

  test('between trades a ticker says that the venue is there; the newest trade stays what it was', async () => {
    source.start();
    await listening();
    venue.trade('BTC-USDT', '5', '100', '1', NOW);
    await heard(100_000_000n);
    venue.ticker('BTC-USDT', '100', NOW + 4_000);
    await vi.waitFor(() => expect(source.latest('BTC', 0)?.at).toBe(NOW + 4_000), 10_000);
    expect(source.latest('BTC', 0)).toEqual({ price: 100_000_000n, at: NOW + 4_000, trade: '5' });
  });

  test('a trade that comes behind the ticker of its own price is a trade all the same, and the venue is not stuck', async () => {
    source.start();
    await listening();
    venue.trade('BTC-USDT', '5', '100', '1', NOW);
    await heard(100_000_000n);
    venue.ticker('BTC-USDT', '100', NOW + 4_100);
    await vi.waitFor(() => expect(source.latest('BTC', 0)?.at).toBe(NOW + 4_100), 10_000);
    venue.trade('BTC-USDT', '6', '100', '1', NOW + 4_000);
    await vi.waitFor(() => expect(source.latest('BTC', 0)?.trade).toBe('6'), 10_000);
    expect(source.latest('BTC', 0)).toEqual({ price: 100_000_000n, at: NOW + 4_100, trade: '6' });
  });

  test('a time of the future, once, does not make it deaf to all that is said until then', async () => {
    const now = Date.now();
    source.start();
    await listening();
    venue.trade('BTC-USDT', '1', '100', '1', now * 1_000);
    await heard(100_000_000n);
    venue.trade('BTC-USDT', '2', '101', '1', now);
    await heard(101_000_000n);
    venue.ticker('BTC-USDT', '102', now * 1_000);
    await heard(102_000_000n);
    venue.ticker('BTC-USDT', '103', now + 1);
    await heard(103_000_000n);
    expect(source.latest('BTC', 0)).toEqual({ price: 103_000_000n, at: now + 1, trade: '2' });
  });

  test('comes back when the venue does', async () => {
    source.start();
    await listening();
    venue.trade('BTC-USDT', '1', '100', '1', NOW);
    await heard(100_000_000n);
    venue.drop();
    await listening();
    expect(venue.connections).toBeGreaterThan(1);
    // Four were listening, and were cut off together.
    expect(faults).toHaveLength(1);
    venue.trade('BTC-USDT', '2', '105', '1', NOW + 1_000);
    await heard(105_000_000n);
  });

  test.each(['refused', 'empty', 'page'] as const)('waits for a venue whose list is %s', async (listing) => {
    venue.listing = listing;
    source.start();
    const before = venue.listings;
    await vi.waitFor(() => expect(venue.listings).toBeGreaterThan(before + 3), 20_000);
    expect(faults).toHaveLength(1);
    venue.listing = 'whole';
    await listening();
  });

  test('asks again for a coin that was not listed, and for what was refused, and leaves the others in peace', async () => {
    open(400);
    venue.listing = 'part';
    source.start();
    await vi.waitFor(
      () => expect([...venue.subscribed].sort()).toEqual(['tickers BTC-USDT', 'trades BTC-USDT']),
      20_000,
    );
    const speaking = setInterval(() => venue.trade('BTC-USDT', String(Date.now()), '100', '1', Date.now()), 20);
    await heard(100_000_000n);
    venue.refused.add('ETH-USDT');
    venue.listing = 'whole';
    await vi.waitFor(() => expect(faults.length).toBeGreaterThan(0), 10_000);
    const { connections } = venue;
    venue.refused.clear();
    await listening();
    const there = setInterval(() => venue.ticker('ETH-USDT', '2999', NOW - 1), 20);
    await vi.waitFor(() => expect(source.latest('ETH', 0)).not.toBeNull(), 10_000);
    venue.trade('ETH-USDT', '1', '3000', '2', NOW);
    await vi.waitFor(() => expect(source.latest('ETH', 0)?.price).toBe(3_000_000_000n), 10_000);
    for (const timer of [speaking, there]) clearInterval(timer);
    expect(venue.connections).toBeGreaterThan(connections);
    // On one connection only, or it would count for twice what it is.
    expect(source.takeVolume('ETH', 0)).toBe(200_000_000n);
  });

  // An unhandled rejection ends the process, and here the run.
  test('a venue that hangs up while it is spoken to is called again', async () => {
    venue.isHangingUp = true;
    source.start();
    await vi.waitFor(() => expect(venue.connections).toBeGreaterThan(1), 20_000);
    venue.isHangingUp = false;
    await listening();
  });

  test('stops, whatever it is doing, and may be started again', async () => {
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

test('the library dials nobody any more after the stop, whatever it had put off', async () => {
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
}, 30_000);

test('by default there are enough votes even when two venues are down', () => {
  const families = LIVE_VENUES.map(({ quote }) => quote);
  expect(families.filter((quote) => quote === 'USDT').length).toBeGreaterThanOrEqual(4);
  expect(new Set(LIVE_VENUES.map(({ id }) => id)).size).toBe(LIVE_VENUES.length);
});
