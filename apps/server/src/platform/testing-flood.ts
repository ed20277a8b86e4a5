import { connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Flood {
  readonly url: string;
  readonly connections: number;
  /** The bytes to send first; the flood starts once something is received. */
  readonly opening: string;
  /** The bytes to send repeatedly, as fast as the server reads them. */
  readonly chunk: Buffer;
  readonly forMs: number;
  /** Leaves the answers unread in the socket. */
  readonly isDeaf?: boolean;
  /** Reconnects when it is cut off. */
  readonly isStubborn?: boolean;
}

const AGAIN_MS = 50;

/** Attackers in their own thread, so that they do not load the event loop that they attack. */
export function runFlood(flood: Flood, signal?: AbortSignal): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...flood, chunk: new Uint8Array(flood.chunk) } });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
    signal?.addEventListener('abort', () => void worker.terminate());
  });
}

function attack({ url, opening, chunk, isDeaf, isStubborn }: Flood, endsMs: number): void {
  if (performance.now() > endsMs) return;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('error', () => undefined);
  if (opening === '') socket.once('connect', write);
  else {
    socket.write(opening);
    socket.once('data', write);
  }
  socket.on('drain', write);
  if (isDeaf) socket.pause();
  else socket.resume();
  const end = setTimeout(() => socket.destroy(), Math.max(1, endsMs - performance.now()));
  socket.once('close', () => {
    clearTimeout(end);
    if (isStubborn) setTimeout(() => attack(workerData as Flood, endsMs), AGAIN_MS);
  });
}

if (!isMainThread && parentPort !== null && workerData?.chunk !== undefined) {
  const flood = workerData as Flood;
  const endsMs = performance.now() + flood.forMs;
  for (let n = 0; n < flood.connections; n += 1) attack(flood, endsMs);
  // Keeps the thread running for the whole time, even when all connections are cut off.
  setTimeout(() => undefined, flood.forMs);
}
