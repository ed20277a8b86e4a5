/** The little that we use of the client library, with numbers as the decimal texts that the venue sent. */
export interface VenueClient {
  readonly has: Readonly<Record<string, boolean | string | undefined>>;
  readonly symbols: readonly string[] | undefined;
  loadMarkets(reload: boolean): Promise<unknown>;
  watchTrades(
    symbol: string,
  ): Promise<readonly { id?: string; timestamp?: number; price?: unknown; amount?: unknown }[]>;
  watchTicker(symbol: string): Promise<{ timestamp?: number; last?: unknown }>;
  close(): Promise<unknown>;
}

/** A connection as the library makes it, one for each address. */
interface LibrarySocket {
  createConnection(): void;
  send(message: unknown): Promise<unknown>;
}

/** The library knows a hundred venues and is large: only a deployment with live prices ever loads it. */
export async function openVenueClient(
  id: string,
  settings: Record<string, unknown>,
  signal: AbortSignal,
): Promise<VenueClient> {
  const { default: library } = await import('ccxt');
  const venues: Record<string, unknown> = { ...library.pro };
  const Client = venues[id];
  if (typeof Client !== 'function') throw new Error(`no venue is called ${id}`);
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
  };
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
 * By itself the library asks some venues only every three minutes whether they are there, and a line that is dead is silent for nine. And
 * it waits up to a minute before it dials again, on top of our own pause.
 */
const SOCKETS = { keepAlive: 5_000, backoff: { max: 15_000 } };

/** Two loose ends of the library: what it can't send is nobody's rejection, which ends the process; and it dials after it was closed. */
function guard(socket: LibrarySocket, signal: AbortSignal): void {
  const [send, dial] = [socket.send.bind(socket), socket.createConnection.bind(socket)];
  socket.send = (message) => {
    const sent = send(message);
    // Whoever waits for an answer hears of the end of the connection.
    sent.catch(() => undefined);
    return sent;
  };
  socket.createConnection = () => {
    if (!signal.aborted) dial();
  };
}
