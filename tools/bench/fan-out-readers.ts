/**
 * Readers of the live stream in their own process: opens the connections, subscribes, and counts received frames. They
 * are plain sockets that look only at frame headers, so that reading costs less than sending.
 */
import { connect, type Socket } from 'node:net';

export interface ReadersOrder {
  readonly port: number;
  readonly count: number;
  readonly topics: readonly string[];
}

export interface ReadersCount {
  readonly frames: number;
  readonly bytes: number;
  /** Messages received by the reader that got the fewest. */
  readonly fewest: number;
}

const UPGRADE =
  'GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
/** Concurrent handshakes. */
const OPENING_MAX = 200;

/** A client's text frame, masked with zeros, which is a valid mask. */
function clientFrame(text: string): Buffer {
  const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(text)]);
}

class Reader {
  frames = 0;
  bytes = 0;
  #isOpen = false;
  /** Bytes of the current frame still to arrive. */
  #missing = 0;
  #head: Buffer = Buffer.alloc(0);

  read(chunk: Buffer): void {
    this.bytes += chunk.length;
    let rest = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
    this.#head = Buffer.alloc(0);
    if (!this.#isOpen) {
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1) {
        this.#head = rest;
        return;
      }
      this.#isOpen = true;
      rest = rest.subarray(end + 4);
    }
    let at = 0;
    while (at < rest.length) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, rest.length - at);
        this.#missing -= taken;
        at += taken;
        continue;
      }
      const short = (rest[at + 1] ?? 0) & 0x7f;
      const head = short < 126 ? 2 : 4;
      if (rest.length - at < head) {
        this.#head = rest.subarray(at);
        return;
      }
      this.#missing = short < 126 ? short : rest.readUInt16BE(at + 2);
      at += head;
      this.frames += 1;
    }
  }
}

const readers: Reader[] = [];
const sockets: Socket[] = [];

async function open({ port, count, topics }: ReadersOrder): Promise<void> {
  const subscribe = clientFrame(JSON.stringify({ op: 'subscribe', topics }));
  const openOne = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const reader = new Reader();
      const socket = connect(port, '127.0.0.1', () => socket.write(UPGRADE));
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.once('data', () => {
        socket.write(subscribe);
        resolve();
      });
      socket.on('data', (chunk: Buffer) => reader.read(chunk));
      readers.push(reader);
      sockets.push(socket);
    });
  let left = count;
  await Promise.all(
    Array.from({ length: OPENING_MAX }, async () => {
      while (left > 0) {
        left -= 1;
        await openOne();
      }
    }),
  );
}

process.on('message', (message: ReadersOrder | 'begin' | 'end') => {
  if (message === 'begin') {
    for (const reader of readers) [reader.frames, reader.bytes] = [0, 0];
  } else if (message === 'end') {
    const sum = (pick: (reader: Reader) => number): number =>
      readers.reduce((total, reader) => total + pick(reader), 0);
    const fewest = Math.min(...readers.map(({ frames }) => frames));
    process.send?.({ frames: sum(({ frames }) => frames), bytes: sum(({ bytes }) => bytes), fewest });
    for (const socket of sockets) socket.destroy();
    process.disconnect();
  } else {
    open(message).then(
      () => process.send?.('open'),
      (error: unknown) => {
        throw error;
      },
    );
  }
});
