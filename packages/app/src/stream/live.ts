import { useEffect, useSyncExternalStore } from 'react';
import { brand } from '#brand';
import { isServerInReach, noteStreamOpen, onReachChange } from '../client/last-heard.ts';
import { endSession, useSession } from '../session/session.ts';
import { openStream, PRICES_STALE_AFTER_MS, type StreamSocket } from './stream.ts';

function streamAddress(): string {
  const base = new URL(`${brand.baseUrl}/api/stream`, location.href);
  base.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  return base.href;
}

/** The app's only stream connection. */
export const stream = openStream({
  connect() {
    const socket = new WebSocket(streamAddress());
    const line: StreamSocket = {
      send: (text) => socket.send(text),
      close: () => socket.close(),
      onopen: null,
      onmessage: null,
      onclose: null,
    };
    socket.onopen = () => line.onopen?.();
    socket.onmessage = (event) => line.onmessage?.(event);
    socket.onclose = () => line.onclose?.();
    return line;
  },
  token: () => useSession.getState().token,
  sessionEnded(ended) {
    const { token, isLeaving } = useSession.getState();
    // A customer who signs out gets no message about it.
    if (token === ended && !isLeaving) endSession('');
  },
  now: Date.now,
  chance: Math.random,
  later(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});

let knownToken = useSession.getState().token;
useSession.subscribe(({ token }) => {
  if (token === knownToken) return;
  knownToken = token;
  stream.authenticate();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stream.wake();
});
addEventListener('online', () => stream.wake());

// The first opening of the stream is not a reconnection, unless an earlier attempt failed.
let isLost = false;
const returnListeners = new Set<() => void>();
function tellReturn(): void {
  for (const listener of returnListeners) listener();
}
stream.onState(() => {
  noteStreamOpen(stream.state === 'open');
  if (stream.state === 'closed') isLost = true;
  if (stream.state !== 'open' || !isLost) return;
  isLost = false;
  tellReturn();
});
addEventListener('online', tellReturn);

/**
 * Calls the listener when the connection is back, according to the browser or the stream. Returns a function that
 * removes it.
 */
export function onStreamReturn(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => returnListeners.delete(listener);
}

/** The server's time as estimated, in ms since 1970. */
export const serverNowMs = (): number => Date.now() + stream.clockOffsetMs;

export function useStreamState() {
  return useSyncExternalStore(stream.onState, () => stream.state);
}

/** True if no prices have come for three seconds, neither streamed nor in answers, so data may be stale. */
export function useArePricesSilent(): boolean {
  return useSyncExternalStore(everySecond, () => {
    const streamed = stream.state === 'open' ? stream.lastMessageAt : 0;
    return Date.now() - Math.max(streamed, stream.lastAnswerAt) > PRICES_STALE_AFTER_MS;
  });
}
function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  const stop = stream.onState(listener);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** The server's time in whole seconds, in ms since 1970; renders again each second. */
export function useServerSecond(): number {
  return useSyncExternalStore(everySecond, () => Math.floor(serverNowMs() / 1_000) * 1_000);
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(onReachChange, isServerInReach);
}

/** Listens to a topic while the component is shown. */
export function useTopic<T extends Parameters<typeof stream.on>[0]>(
  topic: T | null,
  listener: Parameters<typeof stream.on<T>>[1],
): void {
  useEffect(() => (topic === null ? undefined : stream.on(topic, listener)), [topic, listener]);
}
