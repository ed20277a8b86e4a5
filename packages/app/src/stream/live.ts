import { useEffect, useSyncExternalStore } from 'react';
import { brand } from '#brand';
import { endSession, useSession } from '../session/session.ts';
import { type Line, openStream, STALE_AFTER_MS } from './stream.ts';

function streamAddress(): string {
  const base = new URL(`${brand.baseUrl}/api/stream`, location.href);
  base.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  return base.href;
}

/** The app's one line. */
export const stream = openStream({
  connect() {
    const socket = new WebSocket(streamAddress());
    const line: Line = {
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
    // A customer who signs out needs no message.
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

// Its first opening is no return, unless it was tried in vain before.
let isLost = false;
const returnListeners = new Set<() => void>();
function tellReturn(): void {
  for (const listener of returnListeners) listener();
}
stream.onState(() => {
  if (stream.state === 'closed') isLost = true;
  if (stream.state !== 'open' || !isLost) return;
  isLost = false;
  tellReturn();
});
addEventListener('online', tellReturn);

/** Hears that the connection is back: the browser says so, or the line is open again. Answers how to stop. */
export function onReturn(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => returnListeners.delete(listener);
}

/** Ms since 1970 by the server's clock, as well as we know it. */
export const serverNow = (): number => Date.now() + stream.clockOffsetMs;

export function useStreamState() {
  return useSyncExternalStore(stream.onState, () => stream.state);
}

/** Nothing came for three seconds: what is shown may be old. */
export function useIsSilent(): boolean {
  return useSyncExternalStore(
    everySecond,
    () => stream.state !== 'open' || Date.now() - stream.lastMessageAt > STALE_AFTER_MS,
  );
}
function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  const stop = stream.onState(listener);
  return () => {
    clearInterval(timer);
    stop();
  };
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

/** Listens to a topic while the component is shown. */
export function useTopic<T extends Parameters<typeof stream.on>[0]>(
  topic: T | null,
  listener: Parameters<typeof stream.on<T>>[1],
): void {
  useEffect(() => (topic === null ? undefined : stream.on(topic, listener)), [topic, listener]);
}
