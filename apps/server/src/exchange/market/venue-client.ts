import type { VenueBook } from './impact-mid.ts';

/** The part of the client library that we use. Numbers of trades are the decimal strings that the venue sent. */
export interface VenueClient {
  readonly has: Readonly<Record<string, boolean | string | undefined>>;
  readonly symbols: readonly string[] | undefined;
  loadMarkets(reload: boolean): Promise<unknown>;
  watchTrades(
    symbol: string,
  ): Promise<readonly { id?: string; timestamp?: number; price?: unknown; amount?: unknown }[]>;
  /** The library's own book, which it keeps updating: best levels first, and always consistent when read. */
  watchOrderBook(symbol: string): Promise<VenueBook>;
  close(): Promise<unknown>;
}

/** A connection of the library, one per address. */
interface LibrarySocket {
  createConnection(): void;
  send(message: unknown): Promise<unknown>;
}

/** One side of the library's book. */
interface LibrarySide {
  storeArray(level: readonly unknown[]): void;
}
interface LibraryBook extends VenueBook {
  readonly bids: VenueBook['bids'] & LibrarySide;
  readonly asks: VenueBook['asks'] & LibrarySide;
}

/** Settings for venues whose library defaults give a short book, or require a login. */
const BOOKS: Record<string, { readonly depth?: number; readonly params?: Record<string, unknown> }> = {
  // Ten levels of a coin with little trading hold less than the amount of an impact mid.
  kraken: { depth: 100 },
  // This channel has the messages of `level2`, every 50 ms, but requires no login.
  coinbaseexchange: { params: { channels: ['level2_batch'] } },
};

/** The library supports a hundred venues and is large, so only a deployment with live prices loads it. */
export async function openVenueClient(
  id: string,
  settings: Record<string, unknown>,
  signal: AbortSignal,
): Promise<VenueClient> {
  const { default: library } = await import('ccxt');
  const venues: Record<string, unknown> = { ...library.pro };
  const Client = venues[id];
  if (typeof Client !== 'function') throw new Error(`${id} is not a venue of the client library`);
  const options = {
    defaultType: 'spot',
    fetchMarkets: { types: ['spot'], fetchTickersFees: false },
    ws: SOCKETS,
  };
  // `number: String` keeps each number as the text that the venue sent.
  const client = Reflect.construct(Client, [
    { newUpdates: true, number: String, options, ...settings },
  ]) as VenueClient & {
    client(url: string): LibrarySocket;
    authenticate(): Record<string, unknown>;
    orderBook(...shape: unknown[]): LibraryBook;
  };
  const { depth, params } = BOOKS[id] ?? {};
  const watchOrderBook = client.watchOrderBook.bind(client) as (...request: unknown[]) => Promise<VenueBook>;
  client.watchOrderBook = (symbol) => watchOrderBook(symbol, depth, params);
  if (params) client.authenticate = () => ({});
  const newBook = client.orderBook.bind(client);
  client.orderBook = (...shape) => inNumbers(newBook(...shape));
  const guarded = new WeakSet<LibrarySocket>();
  const socketFor = client.client.bind(client);
  client.client = (url) => {
    const socket = socketFor(url);
    if (!guarded.has(socket)) guard(socket, signal);
    guarded.add(socket);
    return socket;
  };
  return client;
}

/**
 * By default the library pings some venues only every three minutes, so it takes nine to notice a dead connection. It
 * also waits up to a minute before it reconnects, in addition to our own pause.
 */
const SOCKETS = { keepAlive: 5_000, backoff: { max: 15_000 } };

/** Converts strings to numbers: the library compares numbers, and would otherwise keep deleted levels. */
function inNumbers(book: LibraryBook): LibraryBook {
  for (const side of [book.bids, book.asks]) {
    const store = side.storeArray.bind(side);
    const storeArray = (level: readonly unknown[]): void => store(level.map(Number));
    Object.defineProperty(side, 'storeArray', { value: storeArray, enumerable: false });
  }
  return book;
}

/**
 * Works around two faults of the library: a message that it cannot send becomes an unhandled rejection, which ends the
 * process, and it reconnects after it was closed.
 */
function guard(socket: LibrarySocket, signal: AbortSignal): void {
  const [send, dial] = [socket.send.bind(socket), socket.createConnection.bind(socket)];
  socket.send = (message) => {
    const sent = send(message);
    // These requests are rejected when the connection ends.
    sent.catch(() => undefined);
    return sent;
  };
  socket.createConnection = () => {
    if (!signal.aborted) dial();
  };
}
