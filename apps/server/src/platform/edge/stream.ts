import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientFrame, KeyRefusal, ServerFrame } from '@sathorn/api';
import type { Refusing } from '@sathorn/settlement';
import { languageOf, readerOf } from '@sathorn/text';
import { WebSocketServer } from 'ws';
import type { Bus } from '../bus/index.ts';
import type { Clock, ElapsedMs } from '../clock.ts';
import { readClientFrame } from './client-frame.ts';
import { type ApiKeys, type SignedInCustomer, sessionOfKey } from './handle.ts';
import { ConcurrencyLimit, type LimitedNetwork } from './networks.ts';
import type { OperatorSessions, Sessions } from './sessions.ts';
import { SnapshotParts } from './snapshot-parts.ts';
import { type CustomerChanges, listenToBus, StreamChanges, type TopicChange } from './stream-changes.ts';
import { EncodedEvent, eventJson, StreamClient } from './stream-client.ts';
import { filterSocketReads, StreamGuard } from './stream-guard.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { TopicTable } from './topic-source.ts';
import { wireFrame } from './wire-frame.ts';

export const STREAM_PATH = '/api/stream';

export interface StreamDependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly elapsedMs: ElapsedMs;
  readonly sessions: Sessions;
  readonly operators: Pick<OperatorSessions, 'resolve'>;
  /** Null where every API key is unknown. */
  readonly apiKeys: ApiKeys | null;
  readonly topics: TopicTable;
  readonly limits: StreamLimits;
  readonly isCrossSite: (request: IncomingMessage) => boolean;
  /** The networks for which a connection is counted. */
  readonly networksOf: (request: IncomingMessage) => readonly LimitedNetwork[];
  readonly addressOf: (request: IncomingMessage) => string;
  readonly report: (error: unknown, where: string) => void;
}

type AuthFrame = Extract<ClientFrame, { op: 'auth' }>;
type KeyAuthFrame = Extract<AuthFrame, { key: string }>;
type StreamRefusal = Extract<ServerFrame, { op: 'refused' }>['code'];

/** The format of an operator's token; a customer's token has at most 43 characters. */
const OPERATOR_TOKEN = /^op_[A-Za-z0-9_-]{43}$/;

/** A snapshot that events overtake this often is sent anyway; the next one corrects it. */
const SNAPSHOT_TRIES = 4;

/**
 * How many clients get new snapshots per frame after a gap. Without this limit, ten thousand clients would cause all
 * reads at the same time.
 */
const RENEWED_PER_FRAME = 100;

/** How often the topics of operators are read. */
const DESK_EVERY_MS = 1_000;

/**
 * The live stream: sends bus events to the clients that subscribed to them, at most once per 100 ms. Each change is
 * encoded once for all its readers. A client that reads slowly gets the current state instead of the events it missed.
 */
export class Stream {
  readonly #dependencies: StreamDependencies;
  readonly #server: WebSocketServer;
  readonly #clients = new Set<StreamClient>();
  readonly #concurrency: ConcurrencyLimit;
  readonly #guard: StreamGuard;
  readonly #followers = new Map<string, Set<StreamClient>>();
  readonly #byOwner = new Map<bigint, Set<StreamClient>>();
  readonly #changes: StreamChanges;
  readonly #snapshots: SnapshotParts;
  readonly #dirty = new Set<StreamClient>();
  /** Clients that wait for new snapshots of all their topics. */
  readonly #toRenew = new Set<StreamClient>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #unsubscribe: (() => void)[] = [];

  constructor(dependencies: StreamDependencies) {
    this.#dependencies = dependencies;
    this.#concurrency = new ConcurrencyLimit(dependencies.limits.clientsPerAddress);
    this.#guard = new StreamGuard(dependencies.limits, dependencies.elapsedMs);
    this.#snapshots = new SnapshotParts(dependencies.topics);
    // No compression: it would keep a window in memory per client and cost more than it saves on small frames.
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: dependencies.limits.frameBytes,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.#changes = new StreamChanges(dependencies.bus, dependencies.topics.sources, {
      onTopic: (topic) => this.#snapshots.outdate(topic),
      isConnected: (owner) => this.#byOwner.has(owner),
    });
    this.#unsubscribe.push(
      () => this.#changes.close(),
      listenToBus(dependencies.bus, 'session_ended', ({ sessionId }) => this.#onSessionEnded(sessionId)),
      listenToBus(dependencies.bus, 'gap', () => this.#onGap()),
    );
    this.#every(dependencies.limits.frameEveryMs, () => this.flush());
    this.#every(dependencies.limits.heartbeatMs, () => this.#beat());
    this.#every(DESK_EVERY_MS, () => this.#lookForStaff());
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Handles upgrade requests of an HTTP server to this path. */
  attach(server: Server): void {
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      socket.on('error', () => socket.destroy());
      const networks = this.#dependencies.networksOf(request);
      const status = this.#refuseUpgrade(request, networks);
      if (status !== null) {
        // Node sets no time-out on a socket after an upgrade request, so a client could keep a half-closed one open for
        // ever.
        socket.once('finish', () => socket.destroy());
        socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (webSocket) =>
        this.#open(new StreamClient(webSocket, socket, networks, this.#dependencies.addressOf(request))),
      );
    };
    server.on('upgrade', onUpgrade);
    this.#unsubscribe.push(() => server.off('upgrade', onUpgrade));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const stop of this.#unsubscribe) stop();
    for (const client of this.#clients) client.socket.close(1001);
    // A client that doesn't answer the close frame must not delay the process's end.
    setTimeout(() => {
      for (const client of this.#clients) client.end();
    }, 500).unref();
    this.#server.close();
  }

  #every(ms: number, work: () => void): void {
    this.#timers.push(setInterval(work, ms).unref());
  }

  #refuseUpgrade(request: IncomingMessage, networks: readonly LimitedNetwork[]): string | null {
    const path = (request.url ?? '').split('?', 1)[0];
    if (path !== STREAM_PATH) return '404 Not Found';
    if (this.#dependencies.isCrossSite(request)) return '403 Forbidden';
    const retryAfterMs = this.#guard.retryUpgradeAfterMs(networks);
    if (retryAfterMs > 0) return `429 Too Many Requests\r\nretry-after: ${Math.ceil(retryAfterMs / 1_000)}`;
    if (this.#clients.size >= this.#dependencies.limits.clients) return '503 Service Unavailable\r\nretry-after: 5';
    return this.#concurrency.hasRoom(networks) ? null : '429 Too Many Requests\r\nretry-after: 5';
  }

  #open(client: StreamClient): void {
    this.#clients.add(client);
    this.#concurrency.acquire(client.networks);
    client.socket.on('close', () => this.#leave(client));
    client.socket.on('error', () => client.end());
    client.socket.on('pong', () => {
      client.isAlive = true;
    });
    client.socket.on('message', (bytes: Buffer, isBinary) => {
      client.isAlive = true;
      if (client.socket.bufferedAmount >= this.#dependencies.limits.unsentBytes * 16) return client.hangUp(1008);
      const frame = isBinary ? null : readClientFrame(bytes);
      client.serving = client.serving.then(() => this.#receive(client, frame));
    });
    filterSocketReads(client.wire, (bytes) => {
      if (client.isOver) return false;
      const isAdmitted = this.#guard.admits(client.usage, bytes, client.networks);
      if (!isAdmitted) client.hangUp(1008);
      return isAdmitted;
    });
    client.send({ op: 'hello', at: this.#at() });
  }

  #leave(client: StreamClient): void {
    this.#clients.delete(client);
    this.#dirty.delete(client);
    this.#toRenew.delete(client);
    this.#concurrency.release(client.networks);
    for (const topic of client.topics.keys()) this.#followers.get(topic)?.delete(client);
    this.#forgetCustomer(client);
  }

  #forgetCustomer(client: StreamClient): void {
    if (client.customer === null) return;
    const clients = this.#byOwner.get(client.customer.id);
    clients?.delete(client);
    if (clients?.size === 0) {
      this.#byOwner.delete(client.customer.id);
      this.#changes.forget(client.customer.id);
    }
    client.customer = null;
  }

  async #receive(client: StreamClient, frame: ClientFrame | null): Promise<void> {
    // The client may have disconnected while its frame waited for the sign-in. Added now, it would stay among the
    // followers for ever.
    if (client.socket.readyState !== client.socket.OPEN) return;
    // Close codes: 1007 the frame is unreadable; 1008 it breaks a rule; 1011 a fault of the server.
    if (frame === null) return client.hangUp(1007);
    try {
      if (frame.op === 'ping') client.send({ op: 'pong', at: this.#at() });
      else if (frame.op === 'auth') await this.#authenticate(client, frame);
      else if (frame.op === 'subscribe') this.#subscribeAll(client, frame.topics);
      else for (const topic of frame.topics) this.#drop(client, topic);
    } catch (error) {
      this.#dependencies.report(error, STREAM_PATH);
      client.hangUp(1011);
    }
  }

  async #authenticate(client: StreamClient, frame: AuthFrame): Promise<void> {
    if ('key' in frame) return this.#authenticateKey(client, frame);
    const { token } = frame;
    const { sessions, operators, clock } = this.#dependencies;
    if (OPERATOR_TOKEN.test(token)) {
      const operator = await operators.resolve(token, clock.now(), client.networks);
      if (client.socket.readyState !== client.socket.OPEN) return;
      this.#closeOwnTopics(client);
      if (operator === null) return this.#refuse(client, 'session_required');
      client.operator = operator;
      client.token = token;
      return;
    }
    const session = await sessions.resolve(token, clock.now());
    if (client.socket.readyState !== client.socket.OPEN) return;
    this.#closeOwnTopics(client);
    if (session === null) return this.#refuse(client, 'session_required');
    client.token = token;
    this.#admit(client, { id: session.customerId, sessionId: session.sessionId }, frame);
  }

  /** The key signs the request that opened the connection. Whoever reads it can't send it again. */
  async #authenticateKey(client: StreamClient, frame: KeyAuthFrame): Promise<void> {
    const { apiKeys, clock } = this.#dependencies;
    const { key, time, nonce, signature } = frame;
    const opened = { method: 'GET', target: STREAM_PATH, intent: '', body: '', address: client.address };
    const request = { key, time, nonce, signature, ...opened };
    const unknown: Refusing<KeyRefusal> = { ok: false, refusal: 'api_key_unknown' };
    const judged = apiKeys === null ? unknown : await apiKeys.judge(request, 'read', clock.now());
    const refused = judged.ok && apiKeys !== null ? await apiKeys.use(request, clock.now()) : null;
    if (client.socket.readyState !== client.socket.OPEN) return;
    this.#closeOwnTopics(client);
    if (!judged.ok) return this.#refuse(client, judged.refusal);
    if (refused !== null) return this.#refuse(client, refused.refusal);
    client.token = '';
    this.#admit(client, { id: judged.effect.customerId, sessionId: sessionOfKey(key) }, frame);
  }

  #admit(client: StreamClient, customer: SignedInCustomer, { lang, presentation }: AuthFrame): void {
    client.customer = customer;
    client.reader = readerOf(languageOf(lang), presentation);
    const clients = this.#byOwner.get(customer.id) ?? new Set();
    this.#byOwner.set(customer.id, clients);
    clients.add(client);
  }

  #refuse(client: StreamClient, code: StreamRefusal, topic?: string): void {
    client.send(topic === undefined ? { op: 'refused', code } : { op: 'refused', code, topic: topic.slice(0, 64) });
  }

  #refusalOf(client: StreamClient, topic: string): StreamRefusal | null {
    const { topics } = this.#dependencies;
    const isOfCustomer = topics.isOfCustomer(topic);
    const isOfOperator = topics.isOfOperator(topic);
    if (!isOfCustomer && !isOfOperator && !topics.isPublic(topic)) return 'topic_unknown';
    if ((isOfCustomer && client.customer === null) || (isOfOperator && client.operator === null))
      return 'session_required';
    const isFull = !client.topics.has(topic) && client.topics.size >= this.#dependencies.limits.topics;
    return isFull ? 'too_many_topics' : null;
  }

  #subscribeAll(client: StreamClient, topics: readonly string[]): void {
    if (!this.#guard.admitsTopics(client.usage, topics.length)) client.hangUp(1008);
    else for (const topic of topics) this.#subscribe(client, topic);
  }

  #subscribe(client: StreamClient, topic: string): void {
    const refusal = this.#refusalOf(client, topic);
    if (refusal !== null) {
      this.#refuse(client, refusal, topic);
      return;
    }
    client.follow(topic);
    client.sent.delete(topic);
    if (this.#dependencies.topics.isPublic(topic)) {
      let followers = this.#followers.get(topic);
      if (followers === undefined) {
        followers = new Set();
        this.#followers.set(topic, followers);
      }
      followers.add(client);
    }
    this.#load(client, topic);
  }

  #drop(client: StreamClient, topic: string): void {
    client.topics.delete(topic);
    this.#followers.get(topic)?.delete(client);
  }

  #load(client: StreamClient, topic: string, tries = 1): void {
    const subscription = client.topics.get(topic);
    if (subscription === undefined || subscription.isLoading) return;
    subscription.isLoading = true;
    subscription.isOvertaken = false;
    this.#snapshots
      .of(client, topic)
      .then((part) => {
        subscription.isLoading = false;
        if (client.topics.get(topic) !== subscription || client.socket.readyState !== client.socket.OPEN) return;
        if (subscription.isOvertaken && tries < SNAPSHOT_TRIES) return this.#load(client, topic, tries + 1);
        subscription.needsSnapshot = false;
        if (this.#dependencies.topics.isOfOperator(topic)) {
          if (part === null || client.sent.get(topic) === part.json) return;
          client.sent.set(topic, part.json);
        }
        if (part !== null) client.pending.push(part);
        this.#dirty.add(client);
      })
      .catch((error: unknown) => {
        subscription.isLoading = false;
        this.#dependencies.report(error, `${STREAM_PATH} ${topic}`);
        // After an error the next heartbeat tries again.
      });
  }

  /** Reads the state of a customer's topic again for all its subscribers. */
  #renew(owner: bigint, topic: string): void {
    for (const client of this.#byOwner.get(owner) ?? []) {
      const subscription = client.topics.get(topic);
      if (subscription === undefined) continue;
      if (subscription.isLoading) subscription.isOvertaken = true;
      else this.#load(client, topic);
    }
  }

  /** Reads the topics that operators follow; `#load` sends those that have changed. */
  #lookForStaff(): void {
    for (const client of this.#clients) {
      if (client.operator === null) continue;
      for (const topic of client.topics.keys())
        if (this.#dependencies.topics.isOfOperator(topic)) this.#load(client, topic);
    }
  }

  #onSessionEnded(sessionId: string): void {
    for (const client of this.#clients) {
      if (client.customer?.sessionId !== sessionId) continue;
      this.#closeOwnTopics(client);
      this.#refuse(client, 'session_required');
    }
  }

  #onGap(): void {
    this.#snapshots.outdateAll();
    for (const client of this.#clients) this.#toRenew.add(client);
  }

  #renewSome(): void {
    let left = RENEWED_PER_FRAME;
    for (const client of this.#toRenew) {
      if (left-- === 0) break;
      this.#toRenew.delete(client);
      for (const [topic, subscription] of client.topics) {
        // A snapshot that is being read may be from before the gap.
        subscription.isOvertaken = true;
        this.#load(client, topic);
      }
    }
  }

  #closeOwnTopics(client: StreamClient): void {
    for (const topic of this.#dependencies.topics.ofSession()) client.topics.delete(topic);
    // Pending events may belong to the previous customer or operator.
    if (client.customer !== null || client.operator !== null) client.restart();
    client.operator = null;
    client.sent.clear();
    this.#forgetCustomer(client);
    for (const topic of client.topics.keys()) this.#load(client, topic);
  }

  #at(): string {
    return this.#dependencies.clock.now().toISOString();
  }

  /** Sends everything that changed since the last call, at most one frame per client. */
  flush(): void {
    for (const change of this.#changes.takeTopics()) this.#publish(change);
    for (const [owner, changes] of this.#changes.takeOwn()) this.#publishToCustomer(owner, changes);
    this.#renewSome();
    if (this.#dirty.size > 0) this.#sendFrames();
  }

  #publish({ topic, data, isSnapshot }: TopicChange): void {
    const followers = this.#followers.get(topic);
    if (followers === undefined || followers.size === 0) return;
    const part = new EncodedEvent(eventJson(topic, data, isSnapshot));
    for (const client of followers) {
      client.queue(topic, part);
      this.#dirty.add(client);
    }
  }

  #publishToCustomer(owner: bigint, { events, renewed }: CustomerChanges): void {
    for (const topic of renewed) this.#renew(owner, topic);
    if (events.size === 0) return;
    const parts = [...events].map(([topic, of]) => [topic, new EncodedEvent(eventJson(topic, of, false))] as const);
    for (const client of this.#byOwner.get(owner) ?? []) {
      for (const [topic, part] of parts) client.queue(topic, part);
      this.#dirty.add(client);
    }
  }

  #sendFrames(): void {
    const nowMs = this.#dependencies.elapsedMs();
    const at = this.#at();
    // Clients with the same events share the same bytes.
    const frames = new Map<string, Buffer>();
    for (const client of this.#dirty) {
      if (client.socket.bufferedAmount > this.#dependencies.limits.unsentBytes) {
        client.restart();
        client.sent.clear();
        client.slowSince ??= nowMs;
        // Stays marked as changed, so that the next flush checks it again.
        if (nowMs - client.slowSince > this.#dependencies.limits.slowMs) client.end();
        continue;
      }
      this.#dirty.delete(client);
      if (client.slowSince !== null) {
        client.slowSince = null;
        for (const topic of client.topics.keys()) this.#load(client, topic);
      }
      if (client.pending.length === 0) continue;
      const key = client.pending.map((part) => part.id).join();
      let frame = frames.get(key);
      if (frame === undefined) {
        frame = wireFrame(`{"op":"event","at":"${at}","events":[${client.pending.map((part) => part.json).join()}]}`);
        frames.set(key, frame);
      }
      client.pending = [];
      // Bypasses `ws`, which would frame the same text again for each client. This is safe because `ws` has no partial
      // write here.
      if (client.socket.readyState === client.socket.OPEN) client.wire.write(frame);
    }
  }

  #beat(): void {
    for (const client of this.#clients) {
      if (!client.isAlive) {
        client.end();
        continue;
      }
      client.isAlive = false;
      client.socket.ping();
      for (const [topic, subscription] of client.topics) if (subscription.needsSnapshot) this.#load(client, topic);
      void this.#recheckSession(client);
    }
  }

  async #isStillGood({ token }: StreamClient, { sessionId }: SignedInCustomer): Promise<boolean> {
    const { sessions, apiKeys, clock } = this.#dependencies;
    if (token === '') return (await apiKeys?.isGood(sessionId.slice(sessionOfKey('').length), clock.now())) ?? false;
    return (await sessions.resolve(token, clock.now()))?.sessionId === sessionId;
  }

  /** A session may also have expired, or have been ended by another process. */
  async #recheckSession(client: StreamClient): Promise<void> {
    const { customer, operator } = client;
    try {
      if (operator !== null) {
        const { operators, clock } = this.#dependencies;
        const now = await operators.resolve(client.token, clock.now(), client.networks);
        if (client.operator !== operator) return;
        // Roles may have changed; the next read uses the current ones.
        if (now?.sessionId === operator.sessionId) client.operator = now;
        else {
          this.#closeOwnTopics(client);
          this.#refuse(client, 'session_required');
        }
        return;
      }
      if (customer === null) return;
      if ((await this.#isStillGood(client, customer)) || client.customer !== customer) return;
      this.#closeOwnTopics(client);
      this.#refuse(client, 'session_required');
    } catch (error) {
      this.#dependencies.report(error, STREAM_PATH);
    }
  }
}
