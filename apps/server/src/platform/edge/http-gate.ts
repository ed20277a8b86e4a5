import assert from 'node:assert';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_LANGUAGE, languageOf } from '@sathorn/text';
import { systemElapsedMs } from '../clock.ts';
import type { HttpLimits, HttpTimeouts } from './limits.ts';
import { ConcurrencyLimit, type LimitedNetwork } from './networks.ts';
import { normaliseTarget } from './normalise-target.ts';
import { answerStatus } from './reply.ts';
import { API_HEADERS } from './security-headers.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Node's parser calls this when it has read a request's head. */
interface Parser {
  onIncoming(request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean): number;
}

/** Tells the parser that another protocol follows, so it leaves the rest of its chunk alone. */
const STOP = 2;

/**
 * Stops parsing of a connection. Node reads a socket natively while no listener takes its data, which is cheapest, but
 * it parses a chunk of up to 64 kB at once: 1,300 requests, even if we refuse the first. The returned function makes
 * the parser stop at the next request, even within a chunk, and drops later bytes.
 */
function stopperOf(socket: Socket): () => void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  assert(parser, 'a new socket has a parser');
  const receive = parser.onIncoming;
  let isStopped = false;
  parser.onIncoming = (request, keepAlive) => {
    if (!isStopped) return receive(request, keepAlive);
    // Otherwise a dropped request could still cause an upgrade.
    request.upgrade = false;
    return STOP;
  };
  return () => {
    if (isStopped) return;
    isStopped = true;
    // A listener takes the socket from the parser.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
  };
}

/** One request with its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly networks: readonly LimitedNetwork[];
  readonly isUpload: boolean;
  beganMs: number;
  /** Set once the whole answer is written: the time, and the bytes that the client had not yet received. */
  sending: { readonly sinceMs: number; readonly bytes: number } | null;
}

class Connection {
  readonly socket: Socket;
  current: Exchange | null = null;
  readonly waiting: Exchange[] = [];
  /** The request was answered before its whole body arrived; the rest of the body is dropped. */
  unread: { readonly request: IncomingMessage; readonly sinceMs: number } | null = null;
  #isOver = false;
  usedMs: number;
  readonly #stopParsing: () => void;

  constructor(socket: Socket, nowMs: number) {
    this.socket = socket;
    this.usedMs = nowMs;
    this.#stopParsing = stopperOf(socket);
  }

  get isBusy(): boolean {
    return this.current !== null || this.waiting.length > 0;
  }

  get newest(): Exchange | null {
    return this.waiting.at(-1) ?? this.current;
  }

  /** True once no further request of this connection is handled. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Parses nothing more. */
  stop(): void {
    this.#isOver = true;
    this.#stopParsing();
  }

  /** Closes the connection after the requests in progress are answered. */
  finish(): void {
    this.stop();
    const { newest } = this;
    if (newest === null) this.socket.destroySoon();
    else newest.response.shouldKeepAlive = false;
  }
}

interface GateDependencies {
  readonly limits: HttpLimits;
  readonly timeouts: HttpTimeouts;
  readonly networksOf: (request: IncomingMessage) => readonly LimitedNetwork[];
  /** The networks of a connection; null behind proxies, where all connections come from the same address. */
  readonly networksOfSocket: ((socket: Socket) => readonly LimitedNetwork[]) | null;
  readonly isUpload: (request: IncomingMessage) => boolean;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const TOO_MANY = 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
/** A connection that had to be cut off counts as this many new connections. */
const CUT_COSTS = 50;
/** During shutdown, a connection that has been idle this long has no request in flight. */
const QUIET_MS = 250;
const LOOK_EVERY_MS = 20;

/**
 * Sits between the sockets and the routes and limits the work per connection and per address. Requests of one
 * connection are handled one after the other with a turn of the event loop in between, bodies and answers have time
 * limits, and a broken request is answered once.
 */
export class HttpGate {
  readonly #dependencies: GateDependencies;
  readonly #connections = new Map<Socket, Connection>();
  /** Connections with a request in progress. */
  readonly #busy = new Set<Connection>();
  readonly #connected: ConcurrencyLimit;
  readonly #requests: ConcurrencyLimit;
  readonly #connects: TokenBuckets;
  readonly #timer: NodeJS.Timeout;
  readonly #servers: Server[] = [];
  #underWay = 0;
  #isDraining = false;

  constructor(dependencies: GateDependencies) {
    this.#dependencies = dependencies;
    this.#connected = new ConcurrencyLimit(dependencies.limits.connectionsPerAddress);
    this.#requests = new ConcurrencyLimit(dependencies.limits.underWayPerAddress);
    const { connectsPerSecond, connectionsPerAddress } = dependencies.limits;
    this.#connects = new TokenBuckets({ perSecond: connectsPerSecond, burst: connectionsPerAddress }, systemElapsedMs);
    this.#timer = setInterval(() => this.check(), dependencies.timeouts.checkMs).unref();
  }

  /** Creates a server whose requests go through this gate. */
  createServer(serve: Serve): Server {
    const { limits, timeouts } = this.#dependencies;
    const server = new Server({
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Other upgrades (h2c) are ignored and answered as plain requests.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    });
    server.maxConnections = limits.connections;
    server.maxRequestsPerSocket = limits.requestsPerSocket;
    // Closes idle sockets.
    server.setTimeout(timeouts.keepAliveMs);
    server.on('connection', (socket) => this.#meet(socket));
    server.on('upgrade', ({ socket }: IncomingMessage) => this.#connections.delete(socket));
    server.on('request', (request, response) => this.#take(request, response, serve));
    server.on('clientError', (error, socket) => this.#onClientError(error, socket as Socket));
    this.#servers.push(server);
    return server;
  }

  /**
   * Accepts no more connections, answers the requests on open ones, and closes each after its answer. Takes at most
   * `graceMs`.
   */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const endsMs = systemElapsedMs() + graceMs;
    // Node's own close would also cut idle connections whose next request is already on its way.
    for (const server of this.#servers) NetServer.prototype.close.call(server);
    for (const connection of this.#busy) {
      const { newest } = connection;
      if (newest !== null && !newest.response.headersSent) newest.response.shouldKeepAlive = false;
    }
    while (systemElapsedMs() < endsMs) {
      this.#closeQuiet();
      if (![...this.#connections.values()].some(({ isBusy, isOver }) => isBusy || !isOver)) break;
      await pause(LOOK_EVERY_MS);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const server of this.#servers) server.closeAllConnections();
  }

  /** Cuts off connections that send or read too slowly. */
  check(): void {
    const nowMs = systemElapsedMs();
    const { timeouts } = this.#dependencies;
    for (const connection of this.#busy) {
      const { current, unread } = connection;
      if (unread !== null) this.#checkUnread(connection, unread, nowMs);
      if (current === null) continue;
      const { request, isUpload, beganMs } = current;
      if (!request.complete && !isUpload && nowMs - beganMs > timeouts.bodyMs) this.#refuse(connection, current, 408);
      this.#checkReader(connection, current, nowMs);
    }
    this.#boundUnsent();
  }

  #closeQuiet(): void {
    const nowMs = systemElapsedMs();
    for (const connection of this.#connections.values())
      if (!connection.isBusy && !connection.isOver && nowMs - connection.usedMs > QUIET_MS) connection.finish();
  }

  #meet(socket: Socket): void {
    const networks = this.#dependencies.networksOfSocket?.(socket) ?? [];
    if (this.#connects.take(networks) > 0) {
      // Sends no answer, because such a client does not read it and writing it would be most of the cost.
      socket.resetAndDestroy();
      return;
    }
    if (!this.#connected.acquire(networks)) {
      socket.on('error', () => undefined);
      socket.end(TOO_MANY);
      socket.destroySoon();
      return;
    }
    const connection = new Connection(socket, systemElapsedMs());
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connected.release(networks);
      this.#connections.delete(socket);
      this.#forget(connection);
    });
  }

  #forget(connection: Connection): void {
    connection.stop();
    connection.waiting.length = 0;
    connection.unread = null;
    // If the handler of the request still runs, `#next` removes the connection from the set later.
    if (connection.current === null) this.#busy.delete(connection);
  }

  #take(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const connection = this.#connections.get(request.socket);
    // These bytes are the rest of a chunk from a connection that is already closed.
    if (connection === undefined || connection.isOver) return;
    normaliseTarget(request);
    const exchange: Exchange = {
      request,
      response,
      networks: this.#dependencies.networksOf(request),
      isUpload: this.#dependencies.isUpload(request),
      beganMs: systemElapsedMs(),
      sending: null,
    };
    if (!connection.isBusy) {
      this.#begin(connection, exchange, serve);
      return;
    }
    connection.waiting.push(exchange);
    if (connection.waiting.length < this.#dependencies.limits.pipelined) return;
    connection.finish();
    connection.socket.pause();
    this.#connects.take(exchange.networks, CUT_COSTS);
  }

  #begin(connection: Connection, exchange: Exchange, serve: Serve): void {
    const { request, response } = exchange;
    connection.current = exchange;
    this.#busy.add(connection);
    if (this.#isDraining && connection.waiting.length === 0) response.shouldKeepAlive = false;
    this.#underWay += 1;
    const isTooMany = this.#underWay > this.#dependencies.limits.underWay;
    const isAdmitted = exchange.isUpload || this.#requests.acquire(exchange.networks);
    const isAnswered = isTooMany || !isAdmitted;
    response.once('close', () => {
      this.#underWay -= 1;
      if (isAdmitted && !exchange.isUpload) this.#requests.release(exchange.networks);
      this.#next(connection, exchange, serve);
    });
    if (isAnswered) this.#answer(exchange, isTooMany ? 503 : 429);
    else serve(request, response);
  }

  #next(connection: Connection, exchange: Exchange, serve: Serve): void {
    if (connection.current !== exchange) return;
    const nowMs = systemElapsedMs();
    connection.usedMs = nowMs;
    if (!exchange.request.complete) connection.unread = { request: exchange.request, sinceMs: nowMs };
    const [following] = connection.waiting;
    if (following === undefined || connection.socket.destroyed) {
      connection.current = null;
      if (connection.unread === null) this.#busy.delete(connection);
      if (connection.isOver) connection.socket.destroySoon();
      return;
    }
    // Gives other connections a turn of the event loop between two requests of this one.
    setImmediate(() => {
      connection.waiting.shift();
      if (connection.socket.destroyed) this.#next(connection, exchange, serve);
      else this.#begin(connection, following, serve);
    });
  }

  #answer({ request, response }: Exchange, status: number): void {
    const { lang } = request.headers;
    const { body } = answerStatus(status, typeof lang === 'string' ? languageOf(lang) : DEFAULT_LANGUAGE);
    response.writeHead(status, {
      ...API_HEADERS,
      'content-length': Buffer.byteLength(body),
      ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    });
    response.end(body);
  }

  /** Answers instead of the handler, as the connection's last answer. */
  #refuse(connection: Connection, exchange: Exchange, status: number): void {
    connection.stop();
    connection.socket.pause();
    exchange.response.shouldKeepAlive = false;
    if (exchange.response.headersSent) connection.socket.destroySoon();
    else this.#answer(exchange, status);
  }

  /** Answers requests that are not valid HTTP: malformed, too slow, or with headers too large. */
  #onClientError(error: Error & { code?: string }, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    // These bytes follow the fault in the same chunk.
    if (connection.isOver) return;
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    const { newest } = connection;
    // A fault in the body of a waiting request is answered as that request. An answered request gets no second answer.
    if (newest !== null && !newest.request.complete) this.#refuse(connection, newest, status);
    else if (newest !== null || connection.unread !== null) connection.finish();
    else this.#answerNoRequest(connection, status);
  }

  #answerNoRequest(connection: Connection, status: number): void {
    const { socket } = connection;
    connection.stop();
    const { body } = answerStatus(status, DEFAULT_LANGUAGE);
    // A slow client may never close the connection, so the server does.
    socket.once('finish', () => socket.destroy());
    socket.end(
      `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : status === 408 ? 'Request Timeout' : 'Bad Request'}\r\n` +
        `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }

  #checkUnread(connection: Connection, unread: NonNullable<Connection['unread']>, nowMs: number): void {
    if (!unread.request.complete) {
      if (nowMs - unread.sinceMs > this.#dependencies.timeouts.unreadMs) connection.socket.destroy();
      return;
    }
    connection.unread = null;
    if (!connection.isBusy) this.#busy.delete(connection);
  }

  #checkReader({ socket }: Connection, exchange: Exchange, nowMs: number): void {
    const { response } = exchange;
    if (!response.writableEnded) return;
    const { unreadMs } = this.#dependencies.timeouts;
    if (exchange.sending === null) {
      exchange.sending = { sinceMs: nowMs, bytes: response.writableLength };
      // Ends a client that reads nothing at all. After the answer, HTTP sets its own time-out.
      socket.setTimeout(unreadMs);
    }
    const { sinceMs, bytes } = exchange.sending;
    const { answerBytesPerSecondMin } = this.#dependencies.limits;
    if (nowMs - sinceMs > unreadMs + (bytes * 1_000) / answerBytesPerSecondMin) socket.destroy();
  }

  /**
   * Unread answers fill our memory. Above the limit, per address and in total, the connections with the most unread
   * bytes are cut off first.
   */
  #boundUnsent(): void {
    const { unsentBytes, unsentBytesPerAddress } = this.#dependencies.limits;
    const sending = [...this.#busy].flatMap(({ socket, current }) =>
      current?.response.writableEnded
        ? { socket, networks: current.networks, bytes: current.response.writableLength }
        : [],
    );
    sending.sort((a, b) => a.bytes - b.bytes);
    const perNetwork = new Map<string, number>();
    let all = 0;
    for (const { socket, networks, bytes } of sending) {
      all += bytes;
      let isTooMuch = all > unsentBytes;
      for (const { name, share } of networks) {
        const ofNetwork = (perNetwork.get(name) ?? 0) + bytes;
        perNetwork.set(name, ofNetwork);
        isTooMuch ||= ofNetwork > unsentBytesPerAddress * share;
      }
      if (isTooMuch) socket.destroy();
    }
  }
}
