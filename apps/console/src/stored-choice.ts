import { useSyncExternalStore } from 'react';

/** A choice that this browser keeps. Without storage it lasts until the page is closed. */
export interface StoredChoice<T> {
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

/**
 * `parse` gets what is stored, as text if it is no JSON. It throws if that is not a choice; then `first` is chosen.
 */
export function storedChoice<T>(name: string, first: T, parse: (stored: unknown) => T): StoredChoice<T> {
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
  // Another tab's choice, which this one's next would undo otherwise.
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
