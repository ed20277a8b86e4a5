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

/** The server has just answered: what is shown is of now. */
export function noteHeard(now = Date.now()): void {
  heardAt = now;
  tell(false);
  if (now - storedAt < STORE_EVERY_MS) return;
  storedAt = now;
  try {
    localStorage.setItem(STORED_AS, String(now));
  } catch {
    // Then a reload without a connection does not know the time of its figures, and shows none.
  }
}

/** When this device last heard from the server, in ms since 1970; 0 if never. */
export const lastHeard = (): number => heardAt;

let isStreamOpen = false;
let isLost = false;
const listeners = new Set<() => void>();

function tell(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  for (const listener of listeners) listener();
}

/** A request found no way to the server. While the stream is open, that was this request alone. */
export function noteLost(): void {
  tell(!isStreamOpen);
}

export function noteStream(isOpen: boolean): void {
  isStreamOpen = isOpen;
  if (isOpen) tell(false);
}

/** Whether the server is within reach, as far as is known. A browser knows only whether there is a network. */
export const isInReach = (): boolean => navigator.onLine && !isLost;

/** Calls the listener when that may have changed. Returns a function that removes it. */
export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
