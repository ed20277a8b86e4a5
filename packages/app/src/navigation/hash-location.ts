import { returnToHash, writeHash } from '@sathorn/ui';
import { useSyncExternalStore } from 'react';

// The specification wants hash paths under our own navigation. A router would only read the hash and listen for
// changes: twenty lines here, 13 kB of the first route's budget otherwise.

const watchers = new Set<() => void>();

function watch(listener: () => void): () => void {
  watchers.add(listener);
  addEventListener('hashchange', listener);
  return () => {
    watchers.delete(listener);
    removeEventListener('hashchange', listener);
  };
}

/** `#/pages/a?b=c` is `/pages/a?b=c`; an empty hash is `/`. */
export function addressInHash(hash: string): string {
  const address = hash.replace(/^#/, '');
  return address.startsWith('/') ? address : `/${address}`;
}

/** The address in the page's hash, as it changes by us, by links and by the browser's own buttons. */
export function useHashAddress(): string {
  return useSyncExternalStore(watch, () => addressInHash(location.hash));
}

function tellWatchers(): void {
  for (const listener of [...watchers]) listener();
}

/** `isReturn`: a step back, for which the browser's history goes back as well where it can. */
export function openAddress(address: string, { replaces, isReturn }: { replaces: boolean; isReturn: boolean }): void {
  const hash = `#${address}`;
  if (location.hash === hash) return;
  // Writing it fires no event.
  if (isReturn) returnToHash(hash, tellWatchers);
  else writeHash(hash, replaces, tellWatchers);
}
