const STORED_AS = 'heard_at';
const STORE_EVERY_MS = 5_000;

let heardAt = stored();
let storedAt = 0;

function stored(): number {
  try {
    return Number(localStorage.getItem(STORED_AS) ?? '0');
  } catch {
    return 0;
  }
}

/** Records that the server has just answered, so the shown data is current. */
export function noteServerHeard(now = Date.now()): void {
  heardAt = now;
  tell(false);
  if (now - storedAt < STORE_EVERY_MS) return;
  storedAt = now;
  try {
    localStorage.setItem(STORED_AS, String(now));
  } catch {
    // Without storage, a reload without a connection does not know the time of its figures and shows none.
  }
}

/** When this device last heard from the server, in ms since 1970; 0 if never. */
export const lastHeardMs = (): number => heardAt;

let isStreamOpen = false;
let isLost = false;
const listeners = new Set<() => void>();

function tell(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  for (const listener of listeners) listener();
}

/** Records that a request did not reach the server. While the stream is open, only that request has failed. */
export function noteServerLost(): void {
  tell(!isStreamOpen);
}

export function noteStreamOpen(isOpen: boolean): void {
  isStreamOpen = isOpen;
  if (isOpen) tell(false);
}

/** False if the last request did not reach the server. A browser knows only whether there is a network. */
export const isServerInReach = (): boolean => navigator.onLine && !isLost;

/** Calls the listener when `isServerInReach` may have changed. Returns a function that removes the listener. */
export function onReachChange(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
