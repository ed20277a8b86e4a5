import { writeHash } from '@sathorn/ui';
import { useSyncExternalStore } from 'react';

// The specification wants hash paths under our own navigation. All that is left for a router is to read the hash and to be
// told when it changes: twenty lines here, 13 kB of the first route's budget there.

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

export function openAddress(address: string, replaces: boolean): void {
  const hash = `#${address}`;
  if (location.hash === hash) return;
  // Writing it tells nobody.
  writeHash(hash, replaces, () => {
    for (const listener of [...watchers]) listener();
  });
}
