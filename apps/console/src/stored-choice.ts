import { useSyncExternalStore } from 'react';

/** A choice that this browser stores. Without storage it lasts until the page is closed. */
interface StoredChoice<T> {
  readonly read: () => T;
  readonly write: (chosen: T) => void;
  readonly use: () => T;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `parse` receives the stored value, as text if it is not JSON. If it throws, the choice is `first`. */
export function openStoredChoice<T>(name: string, first: T, parse: (stored: unknown) => T): StoredChoice<T> {
  const key = `console.${name}`;
  const listeners = new Set<() => void>();
  const stored = (): T => {
    try {
      return parse(jsonOrText(localStorage.getItem(key) ?? 'null'));
    } catch {
      // Nothing is stored, or it cannot be read.
      return first;
    }
  };
  let chosen = stored();
  const read = () => chosen;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  // Takes over another tab's choice, which this tab's next choice would otherwise undo.
  if (typeof addEventListener === 'function')
    addEventListener('storage', (event) => {
      if (event.key !== key) return;
      chosen = stored();
      tell();
    });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read,
    write(next) {
      chosen = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Private windows may refuse storage.
      }
      tell();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
