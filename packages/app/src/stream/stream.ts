import { type ClientFrame, readServerFrame, type StreamEvents, type Topic } from '@sathorn/api';

/** A price older than this is dimmed and marked as stale. */
export const PRICES_STALE_AFTER_MS = 3_000;
/** After this long without any message the connection counts as dead, even if it seems open. */
export const STREAM_SILENCE_MAX_MS = 12_000;
const PING_EVERY_MS = 5_000;
/**
 * The client sends all topics subscribed within this time in one frame, and all unsubscribed ones likewise, because the
 * server disconnects a client that sends many frames per second. The next page often needs the same topics, so
 * unsubscribing waits longer, and no event between the pages is missed.
 */
const WANTED_EVERY_MS = 100;
const LEFT_AFTER_MS = 1_000;
/** The server refuses more topics on one connection. */
const TOPICS_MAX = 32;
const BACKOFF_FIRST_MS = 400;
const BACKOFF_MAX_MS = 15_000;

type StreamState = 'connecting' | 'open' | 'closed';

/** The part of a WebSocket that is used here. */
export interface StreamSocket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface StreamDependencies {
  connect(): StreamSocket;
  token(): string | null;
  /** Called when the server says that this token's session has ended. */
  sessionEnded(token: string): void;
  now(): number;
  /** Runs something later; returns a function that cancels it. */
  later(run: () => void, ms: number): () => void;
  /** A random number from 0 to 1, which spreads the reconnections of many customers. */
  chance(): number;
}

/** A topic's name is an event's name, possibly with a parameter: `book:BTC`. */
type EventOf<T extends Topic> = T extends keyof StreamEvents
  ? StreamEvents[T]
  : T extends `${infer Name extends keyof StreamEvents}:${string}`
    ? StreamEvents[Name]
    : never;
type Listener = (event: never, isSnapshot: boolean) => void;

export interface Stream {
  /**
   * Subscribes to a topic, starting with its snapshot; returns a function that unsubscribes. The first listener
   * subscribes at the server, the last one unsubscribes.
   */
  on<T extends Topic>(topic: T, listener: (event: EventOf<T>, isSnapshot: boolean) => void): () => void;
  /** Call it when the session has changed, to subscribe to customer topics again. */
  authenticate(): void;
  /** Takes the server's time from an answer received at `receivedAt`, for networks that block the stream. */
  heard(serverTime: string, receivedAt: number): void;
  /** Reconnects at once. Call it when the page comes to the front or the network returns. */
  wake(): void;
  readonly state: StreamState;
  /** By this device's clock, in ms since 1970; 0 before the first message. */
  readonly lastMessageAt: number;
  /** The same for the last answer given to `heard`. */
  readonly lastAnswerAt: number;
  /** The server's clock minus this device's, in ms. */
  readonly clockOffsetMs: number;
  onState(listener: () => void): () => void;
  close(): void;
}

/**
 * One connection to `/api/stream` that reconnects by itself. Every subscription starts with a snapshot, so no state is
 * missed.
 */
export function openStream({ connect, token, sessionEnded, now, later, chance }: StreamDependencies): Stream {
  const listeners = new Map<Topic, Set<Listener>>();
  const stateListeners = new Set<() => void>();
  let line: StreamSocket | null = null;
  let state: StreamState = 'closed';
  let attempts = 0;
  let lastMessageAt = 0;
  let lastAnswerAt = 0;
  let clockOffsetMs = 0;
  let cancelRetry: (() => void) | null = null;
  let cancelPing: (() => void) | null = null;
  /** Changes that have not been sent to the server yet. */
  const wanted = new Set<Topic>();
  const left = new Set<Topic>();
  let cancelWanted: (() => void) | null = null;
  let cancelLeft: (() => void) | null = null;
  let wantedAt = 0;
  let isEnded = false;
  /** Token of the session to which the connection belongs. */
  let ownToken: string | null = null;

  const setState = (next: StreamState) => {
    if (state === next) return;
    state = next;
    for (const listener of stateListeners) listener();
  };
  const send = (frame: ClientFrame) => {
    if (state === 'open') line?.send(JSON.stringify(frame));
  };

  const forgetChanges = () => {
    cancelWanted?.();
    cancelLeft?.();
    cancelWanted = cancelLeft = null;
    wanted.clear();
    left.clear();
  };
  const tellLeft = () => {
    cancelLeft?.();
    cancelLeft = null;
    if (left.size > 0) send({ op: 'unsubscribe', topics: [...left] });
    left.clear();
  };
  const tellWanted = () => {
    cancelWanted = null;
    wantedAt = now();
    if (listeners.size + left.size > TOPICS_MAX) tellLeft();
    if (wanted.size > 0) send({ op: 'subscribe', topics: [...wanted] });
    wanted.clear();
  };
  const want = (topic: Topic) => {
    // A new connection subscribes to everything at once.
    if (state !== 'open') return;
    left.delete(topic);
    wanted.add(topic);
    const sinceMs = now() - wantedAt;
    cancelWanted ??= later(tellWanted, sinceMs >= 0 && sinceMs < WANTED_EVERY_MS ? WANTED_EVERY_MS - sinceMs : 0);
  };
  const leave = (topic: Topic) => {
    if (state !== 'open') return;
    wanted.delete(topic);
    left.add(topic);
    cancelLeft ??= later(tellLeft, LEFT_AFTER_MS);
  };

  const ping = () => {
    cancelPing = later(() => {
      if (state !== 'open') return;
      if (now() - lastMessageAt > STREAM_SILENCE_MAX_MS) return drop();
      send({ op: 'ping' });
      ping();
    }, PING_EVERY_MS);
  };

  const drop = () => {
    const dropped = line;
    line = null;
    if (dropped) {
      dropped.onopen = dropped.onmessage = dropped.onclose = null;
      dropped.close();
    }
    cancelPing?.();
    forgetChanges();
    setState('closed');
    if (!isEnded && listeners.size > 0) retryLater();
  };
  const retryLater = () => {
    cancelRetry?.();
    const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempts) * (0.5 + chance() / 2);
    attempts += 1;
    cancelRetry = later(open, wait);
  };

  const learnClock = (serverTime: string) => {
    // The fastest answers give the best estimate, because a delay makes the offset look smaller.
    const offset = Date.parse(serverTime) - now();
    clockOffsetMs = clockOffsetMs === 0 ? offset : Math.max(offset, clockOffsetMs - 1);
  };

  const receive = (text: string) => {
    const frame = readServerFrame(text);
    lastMessageAt = now();
    if (frame.op === 'refused') {
      // If the frame names a topic, the code only means that this topic needs a session.
      if (frame.code === 'session_required' && frame.topic === undefined && ownToken !== null) sessionEnded(ownToken);
      return;
    }
    learnClock(frame.at);
    if (frame.op !== 'event') return;
    for (const { topic, data, snapshot } of frame.events) {
      for (const listener of listeners.get(topic as Topic) ?? []) listener(data as never, snapshot === true);
    }
  };

  const open = () => {
    cancelRetry?.();
    cancelRetry = null;
    if (isEnded || line) return;
    setState('connecting');
    const opened = connect();
    line = opened;
    opened.onopen = () => {
      attempts = 0;
      lastMessageAt = now();
      setState('open');
      ownToken = token();
      if (ownToken !== null) send({ op: 'auth', token: ownToken });
      if (listeners.size > 0) send({ op: 'subscribe', topics: [...listeners.keys()] });
      ping();
    };
    opened.onmessage = ({ data }) => {
      if (typeof data === 'string') receive(data);
    };
    opened.onclose = drop;
  };

  return {
    on(topic, listener) {
      const known = listeners.get(topic);
      const set = known ?? new Set<Listener>();
      set.add(listener as Listener);
      listeners.set(topic, set);
      // Subscribes even if the topic already is: a new listener needs a snapshot.
      want(topic);
      if (!line && cancelRetry === null) open();
      return () => {
        set.delete(listener as Listener);
        if (set.size > 0 || listeners.get(topic) !== set) return;
        listeners.delete(topic);
        leave(topic);
      };
    },
    authenticate() {
      // A connection belongs to one session; another session needs a new one.
      if (line) drop();
      attempts = 0;
      if (listeners.size > 0) open();
    },
    wake() {
      if (isEnded || listeners.size === 0) return;
      if (line && state === 'open' && now() - lastMessageAt <= PRICES_STALE_AFTER_MS) return;
      if (line) drop();
      attempts = 0;
      open();
    },
    heard(serverTime, receivedAt) {
      learnClock(serverTime);
      lastAnswerAt = Math.max(lastAnswerAt, receivedAt);
    },
    get state() {
      return state;
    },
    get lastMessageAt() {
      return lastMessageAt;
    },
    get lastAnswerAt() {
      return lastAnswerAt;
    },
    get clockOffsetMs() {
      return clockOffsetMs;
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    close() {
      isEnded = true;
      cancelRetry?.();
      drop();
    },
  };
}
