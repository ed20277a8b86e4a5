import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { NOTE_BYTES_MAX } from '@sathorn/transparency';
import type { Witness, WitnessAnswer } from './witness.ts';

/** A note, and the proof before it. */
const BODY_MAX = NOTE_BYTES_MAX + 8 * 1024;
const REQUEST_MAX_MS = 10_000;
const CONNECTIONS_MAX = 256;

const hashOf = (origin: string): string => createHash('sha256').update(origin).digest('hex');

/** Serves `POST /add-checkpoint` and `GET /<hash of the origin>/checkpoint` (C2SP `tlog-witness`). */
export function serveWitness(witness: Witness, report: (error: unknown) => void): Server {
  const server = createServer(
    { requestTimeout: REQUEST_MAX_MS, headersTimeout: REQUEST_MAX_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      answer(witness, request, response).catch((error: unknown) => {
        report(error);
        // Nothing was signed: the log asks again.
        send(response, 500, 'the checkpoint could not be stored\n');
      });
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

async function answer(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = (request.url ?? '').split('?')[0];
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(target ?? '')?.[1];
  if (hash !== undefined) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, '');
    const origin = witness.origins().find((each) => hashOf(each) === hash);
    const note = origin === undefined ? null : witness.newest(origin);
    return note === null ? send(response, 404, 'no checkpoint of this log\n') : send(response, 200, note);
  }
  if (target !== '/add-checkpoint') return send(response, 404, 'there is nothing here\n');
  if (request.method !== 'POST') return send(response, 405, '');
  const body = await readBody(request).catch(() => undefined);
  // The caller has gone.
  if (body === undefined) return;
  if (body === null) return send(response, 413, 'too large\n');
  sendAnswer(response, await witness.addCheckpoint(body));
}

function sendAnswer(response: ServerResponse, found: WitnessAnswer): void {
  if (found.status === 200) send(response, 200, found.line);
  else if (found.status === 409) send(response, 409, `${found.size}\n`, 'text/x.tlog.size');
  else send(response, found.status, `${found.why}\n`);
}

/** Null if it is larger than any checkpoint. What is too much is read and dropped, so that the answer arrives. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= BODY_MAX) parts.push(part);
  }
  return size > BODY_MAX ? null : new Uint8Array(Buffer.concat(parts));
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}
