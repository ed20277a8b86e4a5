import { Agent, createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Longer than the longest request that the specification allows. */
const REQUEST_MS = 70_000;
const HEADERS_MS = 10_000;
const CONNECTIONS_MAX = 20_000;
/** Headers that concern one connection only, so the front doesn't forward them. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

interface HostRouterOptions {
  /** The port of the brand's server for this host name; undefined if no brand has it. */
  readonly portOf: (host: string) => number | undefined;
  /** How many trusted proxies stand before this one and forward the requested host name. */
  readonly proxyHops: number;
}

function hostOf({ headers }: IncomingMessage, proxyHops: number): string {
  const forwarded = headers['x-forwarded-host'];
  const said = proxyHops > 0 && typeof forwarded === 'string' ? (forwarded.split(',').at(-1) ?? '') : headers.host;
  return (said ?? '').trim().toLowerCase();
}

function forwardedHeaders(message: IncomingMessage, proxyHops: number): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const dropped = new Set([...HOP_BY_HOP, ...(message.headers.connection ?? '').toLowerCase().split(/\s*,\s*/)]);
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !dropped.has(name)) headers[name] = value;
  const address = message.socket.remoteAddress ?? '';
  // Without a trusted proxy in front, a caller can forge this header, so it is dropped.
  const before = proxyHops > 0 ? message.headers['x-forwarded-for'] : undefined;
  headers['x-forwarded-for'] = before ? `${String(before)}, ${address}` : address;
  headers['x-forwarded-host'] = hostOf(message, proxyHops);
  if (proxyHops === 0) headers['x-forwarded-proto'] = 'http';
  return headers;
}

/**
 * Forwards each request to the server of the brand with the requested host name. The front stores no data of a brand:
 * no session, no money, no file. An unknown host gets 421, so that no brand answers under a foreign host name.
 */
export function openHostRouter({ portOf, proxyHops }: HostRouterOptions): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024 });
  const find = (message: IncomingMessage): number | undefined =>
    portOf(hostOf(message, proxyHops).replace(/:\d+$/, ''));

  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    const port = find(request);
    if (port === undefined) {
      response
        .writeHead(421, { 'content-type': 'text/plain; charset=utf-8' })
        .end('No brand is served under this name.\n');
      return;
    }
    const onward = send({
      agent,
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request, proxyHops),
    });
    onward.on('response', (answer) => {
      const headers = Object.fromEntries(
        Object.entries(answer.headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.includes(name)),
      );
      response.writeHead(answer.statusCode ?? 502, headers as Record<string, string | string[]>);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' })
          .end('This brand is starting or unavailable.\n');
    });
    // When the client disconnects, the forwarded request is cancelled.
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.maxConnections = CONNECTIONS_MAX;

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const port = find(request);
    if (port === undefined) {
      socket.end('HTTP/1.1 421 Misdirected Request\r\nconnection: close\r\n\r\n');
      return;
    }
    const onward = connect({ host: '127.0.0.1', port });
    const headers = { ...forwardedHeaders(request, proxyHops), connection: 'Upgrade', upgrade: 'websocket' };
    onward.on('connect', () => {
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((each) => `${name}: ${each}`),
      );
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const [one, other] of [
      [onward, socket],
      [socket, onward],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return server;
}
