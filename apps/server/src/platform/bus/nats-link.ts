import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';

const FIRST_TRY_MS = 10_000;
const RETRY_MS = 100;
/** A server that vanishes without closing its socket is noticed after two ping intervals. */
const PING_MS = 2_000;
const FLUSH_MAX_MS = 1_000;

export interface NatsLink {
  readonly connection: NatsConnection;
  isUp(): boolean;
  /** Calls the listener whenever the server has reconnected; messages sent meanwhile may be lost. */
  onReturn(listener: () => void): () => void;
  close(): Promise<void>;
}

/** `nats://user:password@host:port`, several separated by commas; `tls://` if the connection must be encrypted. */
function optionsOf(text: string): ConnectionOptions {
  const urls = text.split(',').map((each) => new URL(each.trim()));
  const [first] = urls;
  if (!first || urls.some(({ protocol }) => protocol !== 'nats:' && protocol !== 'tls:'))
    throw new Error('NATS_URL is nats://host:port or tls://host:port');
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...(user && (pass ? { user, pass } : { token: user })),
    ...(first.protocol === 'tls:' && { tls: {} }),
  };
}

/** Connects within ten seconds or throws. Later it reconnects by itself, however long the server was unavailable. */
export async function openNatsLink(
  url: string,
  { name, noEcho, onFault }: { name: string; noEcho: boolean; onFault: (error: unknown) => void },
): Promise<NatsLink> {
  const options: ConnectionOptions = {
    ...optionsOf(url),
    name,
    noEcho,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: PING_MS,
    maxPingOut: 2,
    timeout: PING_MS,
    noAsyncTraces: true,
  };
  const connection = await connectWithin(FIRST_TRY_MS, options);
  const listeners = new Set<() => void>();
  let isUp = true;
  let isClosing = false;

  /** A listener that throws does not affect the other listeners or later calls. */
  const notify = (listener: () => void): void => {
    try {
      listener();
    } catch (error) {
      onFault(error);
    }
  };
  const follow = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') isUp = false;
      if (status.type === 'error') onFault(status.error);
      if (status.type !== 'reconnect') continue;
      isUp = true;
      for (const listener of listeners) notify(listener);
    }
  };
  void follow().catch(onFault);
  void connection.closed().then((error) => {
    isUp = false;
    if (!isClosing) onFault(new Error('the connection to NATS has ended', { cause: error }));
  });

  return {
    connection,
    isUp: () => isUp,
    onReturn(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosing = true;
      if (isUp) await Promise.race([connection.flush().catch(onFault), sleep(FLUSH_MAX_MS, null, { ref: false })]);
      await connection.close();
    },
  };
}

async function connectWithin(ms: number, options: ConnectionOptions): Promise<NatsConnection> {
  const end = performance.now() + ms;
  for (;;) {
    try {
      return await connect(options);
    } catch (cause) {
      if (performance.now() > end) throw new Error(`NATS at ${String(options.servers)} does not answer`, { cause });
      await sleep(RETRY_MS);
    }
  }
}
