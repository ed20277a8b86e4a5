import { useSyncExternalStore } from 'react';

/** A choice that this browser keeps. Without storage it lasts until the page is closed. */
export interface StoredChoice<T> {
  readonly read: () => T;
  readonly write: (chosen: T) => void;
  readonly use: () => T;
}

/** `parse` throws if what is stored is not a choice; then `first` is chosen. */
export function storedChoice<T>(name: string, first: T, parse: (stored: unknown) => T): StoredChoice<T> {
  const key = `console.${name}`;
  const listeners = new Set<() => void>();
  let chosen = first;
  try {
    chosen = parse(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    // Nothing is stored, or it cannot be read.
  }
  const read = () => chosen;
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
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
